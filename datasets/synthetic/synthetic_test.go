package synthetic

import (
	"encoding/json"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"
	"testing"

	"banditsim/bandit"
	"banditsim/bandit/bandittest"
	"banditsim/bandit/stream"
	"banditsim/datasets"
	"banditsim/internal/must"
)

// options returns a kind's defaults changed by JSON.
func options[O any](t *testing.T, k datasets.Kind[O], change string) O {
	t.Helper()
	o := k.Defaults()
	must.OK(t, json.Unmarshal([]byte(change), &o))
	return o
}

// open opens an environment with options changed by JSON.
func open[O any](t *testing.T, k datasets.Kind[O], change string) *datasets.World {
	t.Helper()
	w, err := k.Open(t.Context(), options(t, k, change), "")
	must.Hold(t, err == nil, "%s %s: %v", k.Name, change, err)
	return w
}

// A setup is an environment with options.
type setup struct {
	name  string
	world *datasets.World
}

const (
	abrupt     = `"drift":{"kind":"abrupt","period":50}`
	gradual    = `"drift":{"kind":"gradual","period":50}`
	randomWalk = `"drift":{"kind":"random-walk","rate":0.1}`
	shared     = `"parameters":"shared"`
	student    = `"noise":{"kind":"student-t","sd":0.5,"degrees":3}`
)

// setups returns every environment with each of its options.
func setups(t *testing.T) []setup {
	var list []setup
	for _, change := range []string{"", abrupt, gradual, randomWalk, student, shared, shared + "," + gradual, shared + "," + randomWalk, `"scale":2.5`} {
		add := func(name string, w *datasets.World) {
			list = append(list, setup{name + " {" + change + "}", w})
		}
		isShared, noisy := strings.Contains(change, shared), strings.Contains(change, student)
		body := "{" + change + "}"
		add("linear", open(t, Linear(), body))
		add("sparse-linear", open(t, SparseLinear(), body))
		add("quadratic", open(t, Quadratic(), body))
		if !noisy {
			add("logistic", open(t, Logistic(), body))
		}
		if !isShared {
			add("wheel", open(t, Wheel(), body))
			add("gaussian", open(t, Gaussian(), body))
		}
		if !isShared && !noisy {
			add("bernoulli", open(t, Bernoulli(), body))
		}
	}
	for _, delta := range []string{"0", "0.5", "0.7", "0.9", "0.99", "1"} {
		list = append(list, setup{"wheel δ = " + delta, open(t, Wheel(), `{"delta":`+delta+`}`)})
	}
	for law := range laws {
		list = append(list, setup{law, open(t, Classes(), `{"law":"`+law+`","irrelevant":2}`)})
	}
	for _, change := range []string{`"arms":7,"dim":3`, `"scale":2`} {
		change = `{"parameters":"normal",` + change + `}`
		list = append(list, setup{"linear " + change, open(t, Linear(), change)}, setup{"logistic " + change, open(t, Logistic(), change)})
	}
	for _, function := range []string{"1", "2", "3"} {
		list = append(list, setup{"friedman " + function, open(t, Friedman(), `{"function":`+function+`}`)})
	}
	list = append(list, setup{"one element, gradual", open(t, SparseLinear(), `{"support":1,`+gradual+`}`)}) // halfway at 0
	list = append(list, setup{"wheel, inside", open(t, Wheel(), `{"inside":true}`)})
	list = append(list, setup{"led, noise", open(t, Classes(), `{"law":"led","noise":0.25}`)})
	return append(list, setup{"testbed", open(t, Testbed(), "{}")}, setup{"testbed 2", open(t, Testbed(), `{"arms":3,"dim":1,"problem":2}`)})
}

// TestConformance runs the suite, which compares the regret of acting uniformly with UniformRegret
// within 4 standard errors.
func TestConformance(t *testing.T) {
	for _, s := range setups(t) {
		must.Want(t, s.name, bandittest.Environment(2000, s.world.New), "")
	}
}

// TestUniformRegret compares UniformRegret with published or independently computed values, and the best constant arm with values by
// hand. TestConformance compares both regrets with pulls, with and without drift.
func TestUniformRegret(t *testing.T) {
	const none = "–"
	for _, c := range []struct {
		name        string
		world       *datasets.World
		want, digit float64
		constant    string // "": not compared
	}{
		// Riquelme et al., 2018: .16δ² + 39.16(1−δ²).
		{"wheel .5", open(t, Wheel(), `{"delta":0.5}`), 29.41, 0.005, ""},
		{"wheel .7", open(t, Wheel(), `{"delta":0.7}`), 20.05, 0.005, ""},
		{"wheel .9", open(t, Wheel(), `{"delta":0.9}`), 7.57, 0.005, ""},
		{"wheel .95", open(t, Wheel(), `{}`), 3.96, 0.005, "east-north, regret 3.76363 a pull"}, // .9025·.2 + .0975·¾·49
		{"wheel, drift", open(t, Wheel(), `{`+gradual+`}`), 3.96, 0.005, "east-north, regret 3.76363 a pull"},
		{"wheel .99", open(t, Wheel(), `{"delta":0.99}`), 0.94, 0.005, "east-north, regret 0.927345 a pull"},
		{"wheel .995", open(t, Wheel(), `{"delta":0.995}`), 0.55, 0.005, "safe, regret 0.48678 a pull"}, // .009975·48.8
		// Means of the largest of normals: 1/√π, 3/(2√π), and the tables of Harter (Biometrika 48, 1961).
		{"2 arms", open(t, Linear(), `{"arms":2}`), 1 / math.Sqrt(math.Pi), 1e-9, "1, regret 0.56419 a pull"},
		{"3 arms", open(t, Linear(), `{"arms":3,"scale":2}`), 3 / math.Sqrt(math.Pi), 1e-9, ""},
		{"5 arms", open(t, Linear(), `{}`), 1.16296, 5e-6, ""},
		{"10 arms", open(t, SparseLinear(), `{"arms":10}`), 1.53875, 5e-6, ""},
		// E max(z₁², z₂²) = 1 + E|z₁² − z₂²|/2, where z₁² − z₂² is 2uv of independent standard normals.
		{"2 squares", open(t, Quadratic(), `{"arms":2}`), 2 / math.Pi, 1e-9, ""},
		// ∫ g·d(Fᵏ) − ½ or 1 by the midpoint rule, with another program.
		{"5 squares", open(t, Quadratic(), `{}`), 1.77375, 5e-6, ""},
		// Log-odds of ±∞: the best of 2 arms pays with probability ¾.
		{"2 coins", open(t, Logistic(), `{"arms":2,"scale":100}`), 0.25, 0.004, ""},
		{"5 coins", open(t, Logistic(), `{}`), 0.35824, 5e-6, ""},
		{"xor", open(t, Classes(), `{"noise":0.2}`), 0.4, 1e-9, "1, regret 0.4 a pull"},
		{"plans", open(t, Classes(), `{"law":"plans","noise":0.5}`), 1.0 / 3, 1e-9, "1, regret 0.29 a pull"},
		{"imbalance", open(t, Classes(), `{"law":"imbalance"}`), 0.5, 1e-9, "1, regret 0.05 a pull"},
		{"twonorm", open(t, Classes(), `{"law":"twonorm"}`), 0.5 - 0.02275, 5e-6, ""},
		{"led", open(t, Classes(), `{"law":"led"}`), 0.74 - 0.1, 0.001, ""}, // Breiman et al., 1984: .26 are wrong
		{"Chapelle and Li", open(t, Bernoulli(), `{}`), 0.09, 1e-9, none},
		{"gaussian", open(t, Gaussian(), `{}`), 0.45, 1e-9, none},
		{"testbed, arms alike", open(t, Testbed(), `{"hidden":1,"problem":2}`), 0, 1e-300, "1, regret 0 a pull"},
		{"gaussian, arms alike", open(t, Gaussian(), `{"means":[1,1,1]}`), 0, 1e-300, none},
	} {
		spec := must.Get(c.world.New(stream.Root(1)))(t).Spec()
		must.Near(t, c.name, spec.UniformRegret, c.want, c.digit)
		got := spec.ConstantArm.String()
		must.That(t, c.constant == "" || got == c.constant, "%s: best constant arm %s, want %s", c.name, got, c.constant)
	}
}

// TestFrame checks that vectors are orthonormal and keep their zeros in every kind of drift, and that they
// do drift.
func TestFrame(t *testing.T) {
	for _, d := range []Drift{{}, {Kind: "abrupt", Period: 7}, {Kind: "gradual", Period: 7}, {Kind: "random-walk", Rate: 0.3}} {
		for _, support := range []int{12, 3} {
			f := newFrame(4, 12, support, false, d, stream.Root(1))
			first := slices.Clone(f.now)
			for pull := range 30 {
				f.advance()
				for i := range 4 {
					zeros := 0
					for k := range i + 1 {
						want := 0.0
						if k == i {
							want = 1
						}
						if got := dot(f.vector(i), f.vector(k)); !(math.Abs(got-want) < 1e-12) {
							t.Fatalf("%+v: pull %d: the product of vectors %d and %d is %g, want %g", d, pull, i, k, got, want)
						}
					}
					for j, v := range f.vector(i) {
						if v == 0 && first[i*12+j] == 0 {
							zeros++
						}
					}
					must.That(t, zeros == 12-support,
						"%+v: pull %d: vector %d has %d zeros where it had, want %d", d, pull, i, zeros, 12-support)
				}
				along := dot(f.now, first) / 4
				switch {
				case pull == 0 && !(math.Abs(along-1) < 1e-12):
					t.Errorf("%+v: the first pull has other vectors", d)
				case d.Kind == "" && along != dot(first, first)/4, d.Kind != "" && pull == 29 && !(along < 0.9):
					t.Errorf("%+v: pull %d: the vectors have the product %g with those of the first", d, pull, along)
				}
			}
		}
	}
}

// TestRandomWalk checks the correlation of a vector with itself after n steps of a random walk, exp(−rate²·n/2).
func TestRandomWalk(t *testing.T) {
	const rate, steps, n = 0.05, 200, 50
	sum := 0.0
	for seed := range n {
		f := newFrame(1, 50, 50, false, Drift{Kind: "random-walk", Rate: rate}, stream.Root(uint64(seed)))
		first := slices.Clone(f.now)
		for range steps + 1 {
			f.advance()
		}
		sum += dot(f.now, first) / n
	}
	want := math.Exp(-rate * rate * steps / 2)
	must.That(t, math.Abs(sum-want) < 0.05, "the correlation after %d steps is %.3f, want %.3f", steps, sum, want)
}

// TestNoise compares moments of the noise with those of its distribution, within 5 standard errors.
func TestNoise(t *testing.T) {
	const n = 200_000
	for _, c := range []struct {
		noise Noise
		tail  float64 // P(|noise| > 2 sd)
	}{
		{gaussian(2), math.Erfc(math.Sqrt2)},
		// With 4 degrees of freedom F(t) = ½ + ¾·s − ¼·s³, s = t/√(4+t²), and 2 sd are t = √8.
		{Noise{"student-t", 2, 4}, func() float64 { s := math.Sqrt(8.0 / 12); return 1 - 2*(0.75*s-0.25*s*s*s) }()},
	} {
		must.OK(t, c.noise.validate())
		r, mean, reward, buffer := stream.Root(1), []float64{7}, []float64{0}, []float32{0}
		far, sum := 0.0, 0.0
		for range n {
			c.noise.add(r, reward, mean, buffer)
			sum += reward[0] - 7
			if math.Abs(reward[0]-7) > 4 {
				far++
			}
		}
		off := sum / 2 / math.Sqrt(n)
		must.That(t, math.Abs(off) < 5, "%+v: the mean is %.1f standard errors off", c.noise, off)
		if off := (far/n - c.tail) / math.Sqrt(c.tail*(1-c.tail)/n); !(math.Abs(off) < 5) {
			t.Errorf("%+v: %.5f are beyond 2 standard deviations, want %.5f: %.1f standard errors off", c.noise, far/n, c.tail, off)
		}
	}
}

// TestReflected checks the reflection at both ends.
func TestReflected(t *testing.T) {
	for v, want := range map[float64]float64{2.5: 2.5, 1.5: 2.5, 4.5: 3.5, 0.5: 3.5, 5.5: 2.5, 2: 2, 4: 4} {
		must.Equal(t, fmt.Sprintf("%g becomes", v), reflected(v, 2, 4), want)
	}
}

// refused returns the error of an environment with options changed by JSON.
func refused[O any](t *testing.T, k datasets.Kind[O], change string) error {
	_, err := k.Open(t.Context(), options(t, k, change), "")
	return err
}

// TestErrors checks that wrong options name the key and the range.
func TestErrors(t *testing.T) {
	for change, want := range map[string]string{
		`{"arms":1}`:                  "arms: 1, want 2 to 1000",
		`{"arms":11}`:                 "arms with disjoint parameters: 11, want at most dim, 10: raise dim",
		`{"dim":0}`:                   "dim: 0, want 1",
		`{"parameters":"joint"}`:      `parameters: "joint", want one of`,
		`{"scale":0}`:                 "scale: 0, want a number from",
		`{"noise":{"sd":-1}}`:         "noise.sd: -1",
		`{"noise":{"kind":"cauchy"}}`: `noise.kind: "cauchy", want one of gaussian, student-t`,
		`{"noise":{"degrees":3}}`:     "noise.degrees: 3, want 0",
		`{"drift":{"period":9}}`:      `drift.kind: "", want one of`,
		`{"drift":{"kind":"abrupt"}}`: "drift.period: 0, want 1",
		`{"drift":{"kind":"gradual","period":2,"rate":1}}`:       "drift.rate: 1, want 0",
		`{"drift":{"kind":"random-walk"}}`:                       "drift.rate: 0, want above 0 to 1",
		`{"drift":{"kind":"random-walk","rate":0.1,"period":9}}`: "drift.period: 9, want 0 to 0",
		`{"noise":{"kind":"student-t","degrees":2}}`:             "noise.degrees: 2, want a number above 2",
	} {
		must.Fail(t, refused(t, Linear(), change), want)
	}
	must.Fail(t, refused(t, SparseLinear(), `{"support":21}`), "support: 21 elements for each of 5 parameter vectors, want at least 1, and in all at most dim, 100: raise dim")
	must.Fail(t, refused(t, Wheel(), `{"delta":1.5}`), "delta: 1.5, want 0 to 1")
	must.Fail(t, refused(t, Bernoulli(), `{"means":[0.5,1.5]}`), "means: number 2: 1.5, want 0 to 1")
	must.Fail(t, refused(t, Gaussian(), `{"means":[1]}`), "means: 1, want 2 to 1000 numbers")
	must.Fail(t, refused(t, Testbed(), `{"temperature":0}`), "temperature: 0")
	must.Fail(t, refused(t, Logistic(), `{"scale":1000}`), "scale: 1000, want above 0 to 100")
	must.Refuse(Wheel().Open(t.Context(), Wheel().Defaults(), "some.csv"))(t, "the environment wheel has no data file, found --data some.csv")
}

// play yields the first pulls of an environment with the stream of a seed.
func play(t *testing.T, w *datasets.World, seed uint64, pulls int) iter.Seq2[bandit.Round, bandit.Outcome] {
	env := must.Get(w.New(stream.Root(seed)))(t)
	spec := env.Spec()
	r := bandit.Round{Context: make([]float32, spec.Dim)}
	o := bandit.Outcome{Reward: make([]float64, len(spec.Arms)), Mean: make([]float64, len(spec.Arms))}
	return func(yield func(bandit.Round, bandit.Outcome) bool) {
		for range pulls {
			must.OK(t, env.Next(&r, &o))
			if !yield(r, o) {
				return
			}
		}
	}
}

// TestWheelQuadrants checks that outside δ the arm named after the quadrant pays 50, and that gradual drift turns the wheel
// counterclockwise, once in a period.
func TestWheelQuadrants(t *testing.T) {
	around := []string{"east-north", "west-north", "west-south", "east-south"}
	for _, c := range []struct {
		drift  string
		angles []float64 // angle of the wheel in each pull of a period, in turns
	}{
		{"{}", []float64{0}},
		{`{"kind":"gradual","period":4}`, []float64{0, 0.25, 0.5, 0.75}},
		{`{"kind":"gradual","period":10}`, []float64{0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9}},
	} {
		counts, n := map[string]int{}, 0
		w := open(t, Wheel(), `{"delta":0.5,"drift":`+c.drift+`}`)
		arms := must.Get(w.New(stream.Root(1)))(t).Spec().Arms
		for r, o := range play(t, w, 1, 4000) {
			x, y := float64(r.Context[0]), float64(r.Context[1])
			angle := c.angles[n%len(c.angles)]
			n++
			want := "safe"
			if math.Hypot(x, y) > 0.5 {
				turns := math.Atan2(y, x)/(2*math.Pi) - angle // angle of the context, seen from the wheel
				quarter := (turns - math.Floor(turns)) * 4
				if math.Abs(quarter-math.Round(quarter)) < 1e-6 {
					continue // on a spoke, up to rounding
				}
				want = around[int(quarter)]
			}
			best := slices.Index(o.Mean, slices.Max(o.Mean))
			if got := arms[best]; got != want {
				t.Fatalf("drift %s, pull %d: %s is best at (%.3f, %.3f), want %s", c.drift, n, got, x, y, want)
			}
			counts[want]++
			for arm, m := range o.Mean {
				if lowest := map[bool]float64{false: 1, true: 1.2}[arm == 0]; arm != best && m != lowest {
					t.Fatalf("drift %s, pull %d: arm %s pays %g, want %g", c.drift, n, arms[arm], m, lowest)
				}
			}
		}
		for _, name := range append(around, "safe") { // a quarter of ¾, or ¼: within 5 standard errors
			p := 0.75 / 4
			if name == "safe" {
				p = 0.25
			}
			if got := float64(counts[name]) / 4000; !(math.Abs(got-p) <= 5*math.Sqrt(p*(1-p)/4000)) {
				t.Errorf("drift %s: %s is best in %g of the pulls, want %g", c.drift, name, got, p)
			}
		}
	}
}

// TestWalkOfMeans checks that the steps of a random walk are independent between arms, with the standard deviation rate times the range
// of the means, and that they follow a change of the means' scale and origin.
func TestWalkOfMeans(t *testing.T) {
	const rate, seeds = 0.01, 4000
	walked := func(scale, shift float64, seed uint64) (before, after []float64) {
		means := []float64{0, 0.4, 0.5, 1}
		for i, v := range means {
			means[i] = scale*v + shift
		}
		m := meanModel{means: means, drift: Drift{Kind: "random-walk", Rate: rate}, reward: gaussian(0).add}
		for _, o := range play(t, must.Get(m.world(-100, 100))(t), seed, 2) {
			before, after = after, slices.Clone(o.Mean)
		}
		return before, after
	}
	squares, product, n := 0.0, 0.0, 0.0
	for seed := range uint64(seeds) {
		before, after := walked(1, 0, seed)
		step := 1.0
		for i, v := range before {
			if v == 0.4 || v == 0.5 { // far from the ends, where it would be reflected
				z := (after[i] - v) / rate
				squares += z * z
				step *= z
				n++
			}
		}
		product += step
		if seed < 20 {
			from, to := walked(10, -3, seed)
			for i := range from {
				if !(math.Abs(from[i]-(10*before[i]-3)) < 1e-9) || !(math.Abs(to[i]-(10*after[i]-3)) < 1e-9) {
					t.Fatalf("seed %d: in another unit means go from %v to %v, want those of %v to %v", seed, from, to, before, after)
				}
			}
		}
	}
	if off := (squares/n - 1) / math.Sqrt(2/n); !(math.Abs(off) < 5) {
		t.Errorf("the variance of a step is %.4f times that of the rate: %.1f standard errors off", squares/n, off)
	}
	if off := product / math.Sqrt(seeds); !(math.Abs(off) < 5) {
		t.Errorf("the steps of two arms are correlated: %.1f standard errors", off)
	}
}

// counted is a parameter whose k-th draw is k.
type counted struct{ draws float64 }

func (c *counted) draw(dst []float64) {
	c.draws++
	dst[0] = c.draws
}

func (c *counted) walk() {}

// TestDriftByHand checks drift with a period of four pulls: gradual drift moves a quarter of the way to the next draw with each pull,
// abrupt drift keeps each draw for four pulls. The first pull has the first draw.
func TestDriftByHand(t *testing.T) {
	for kind, want := range map[string][]float64{
		"gradual": {1, 1.25, 1.5, 1.75, 2, 2.25, 2.5, 2.75, 3},
		"abrupt":  {1, 1, 1, 1, 2, 2, 2, 2, 3},
	} {
		p := &counted{}
		m := newDrifting(1, Drift{Kind: kind, Period: 4}, stream.Root(1))
		m.start(p)
		var got []float64
		for range want {
			m.advance(p)
			got = append(got, m.now[0])
		}
		must.Equal(t, kind, got, want)
	}
}

// TestFriedman checks the mean and standard deviation of the arms' means, the noise, and the regret of acting uniformly. The mean of
// function 1 is 14.4136 by hand. In Friedman's article, the ratio of signal to noise is about 3.
func TestFriedman(t *testing.T) {
	const pulls = 100_000
	for function, want := range map[string]struct{ mean, sd, noise float64 }{
		"1": {14.413, 4.88, 1},
		"2": {479.5, 378.9, 125},
		"3": {1.324, 0.316, 0.1},
	} {
		w := open(t, Friedman(), `{"function":`+function+`}`)
		mean, square, noise, regret, regrets := 0.0, 0.0, 0.0, 0.0, 0.0
		for _, o := range play(t, w, 1, pulls) {
			best, sum := math.Inf(-1), 0.0
			for a, m := range o.Mean {
				best, sum = max(best, m), sum+m
				square += m * m / (4 * pulls)
				noise += (o.Reward[a] - m) * (o.Reward[a] - m) / (4 * pulls)
			}
			mean += sum / (4 * pulls)
			regret += (best - sum/4) / pulls
			regrets += (best - sum/4) * (best - sum/4) / pulls
		}
		must.Near(t, "function "+function+": mean", mean, want.mean, 5*want.sd/math.Sqrt(4*pulls))
		must.Near(t, "function "+function+": deviation", math.Sqrt(square-mean*mean), want.sd, 0.01*want.sd)
		must.Near(t, "function "+function+": noise", math.Sqrt(noise), want.noise, 0.01*want.noise)
		must.Near(t, "function "+function+": regret", regret, must.Get(w.New(stream.Root(1)))(t).Spec().UniformRegret, 5*math.Sqrt((regrets-regret*regret)/pulls))
	}
}

// TestNormalParameters checks that the variance of an arm's scores, which is ‖θ‖², is dim on average over seeds.
func TestNormalParameters(t *testing.T) {
	const seeds, pulls, dim = 200, 20, 6
	sum := 0.0
	for seed := range uint64(seeds) {
		for _, o := range play(t, open(t, Linear(), `{"parameters":"normal","dim":6}`), seed, pulls) {
			for _, m := range o.Mean {
				sum += m * m / (5 * seeds * pulls)
			}
		}
	}
	// The 5 arms of a pull share its context, so there are about seeds·pulls independent mean squares, of variance 2·dim·(dim+2)/5 + 2·dim.
	tolerance := 5 * math.Sqrt((2*dim*(dim+2)/5+2*dim)/float64(seeds*pulls))
	must.That(t, math.Abs(sum-dim) < tolerance, "mean square %.3f, want %d ± %.2g", sum, dim, tolerance)
}
