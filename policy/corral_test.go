package policy

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/internal/must"
)

// TestMirrorDescent checks mirrorDescent by hand: for p = (½, ½), η = 1 and ℓ = (1, 0), λ solves 1/(3 − λ) + 1/(2 − λ) = 1, so
// 2 − λ is the golden ratio φ and q = (2 − φ, φ − 1). Equal losses change nothing. For random problems q agrees with a search
// over the simplex for the minimum of the definition. For extreme numbers q sums to 1.
func TestMirrorDescent(t *testing.T) {
	p := []float64{0.5, 0.5}
	mirrorDescent(p, []float64{1, 0}, []float64{1, 1})
	must.Near(t, "q(1)", p[0], 2-math.Phi, 1e-15)
	must.Near(t, "q(2)", p[1], math.Phi-1, 1e-15)
	p = []float64{0.2, 0.3, 0.5}
	mirrorDescent(p, []float64{7, 7, 7}, []float64{1, 2, 3})
	must.Equal(t, "with equal losses q", p, []float64{0.2, 0.3, 0.5})
	r := stream.Root(1)
	for n := range 200 {
		p, loss, eta := simplex(r.Float64(), r.Float64()), make([]float64, 3), make([]float64, 3)
		for i := range p {
			loss[i], eta[i] = 20*r.Float64()*float64(n%3), math.Exp(4*r.Float64()-3)
		}
		value := func(q []float64) (sum float64) {
			for i := range q {
				sum += loss[i]*q[i] + (q[i]/p[i]-1-math.Log(q[i]/p[i]))/eta[i]
			}
			return sum
		}
		u, v, best := 0.5, 0.5, math.Inf(1)
		for step := 0.25; step > 1e-10; {
			moved := false
			for _, d := range [][2]float64{{0, 0}, {1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}} {
				a, b := u+step*d[0], v+step*d[1]
				if a <= 0 || a >= 1 || b <= 0 || b >= 1 {
					continue
				}
				if f := value(simplex(a, b)); f < best {
					u, v, best, moved = a, b, f, true
				}
			}
			if !moved {
				step /= 2
			}
		}
		want := simplex(u, v)
		mirrorDescent(p, loss, eta)
		for i := range p {
			must.Near(t, fmt.Sprintf("problem %d: q(%d)", n, i), p[i], want[i], 1e-6)
		}
	}
	for _, p := range [][]float64{{1e-9, 1 - 1e-9}, {0.5, 0.5}, {1 - 1e-9, 1e-9}} {
		for _, loss := range []float64{1e-300, 1e-9, 1, 1e9} {
			for _, eta := range []float64{1e-6, 1, 1e3} {
				if loss > 2/p[0] { // not an estimated loss, which is at most 1/p̄
					continue
				}
				q := slices.Clone(p)
				mirrorDescent(q, []float64{loss, 0}, []float64{eta, eta})
				must.Near(t, fmt.Sprintf("p %g, loss %g, η %g: sum", p, loss, eta), q[0]+q[1], 1, 1e-12)
				must.That(t, q[0] > 0 && q[0] <= p[0] && q[1] > 0, "p %g, loss %g, η %g: %g", p, loss, eta, q)
			}
		}
	}
}

// simplex returns three probabilities for a point of the unit square.
func simplex(u, v float64) []float64 { return []float64{u, (1 - u) * v, (1 - u) * (1 - v)} }

// taught is a base policy that always chooses one arm and records what it learns.
type taught struct {
	arm  int
	arms []int
	got  []float64
}

func (b *taught) Act(bandit.Round) (int, error) { return b.arm, nil }
func (b *taught) Learn(_ bandit.Round, arm int, reward float64) error {
	b.arms, b.got = append(b.arms, arm), append(b.got, reward)
	return nil
}

// TestCorralFeedback follows pulls of three bases by hand, of which the first two choose arm 0 and the third arm 2. T = 4, so
// γ = ¼, and p̄ = ⅓ at first: arm 0 has the probability ⅔ and arm 2 has ⅓, so a loss of 1 − 0.25 is estimated as 1.125 or 2.25.
// All bases learn the rewards of burn-in, 0 and 1, which set the range.
func TestCorralFeedback(t *testing.T) {
	for feedback, want := range map[string][2][3][]float64{ // what each base learns if arm 0 is pulled, and if arm 2 is
		"own":      {{{0.25}, {0.25}, nil}, {nil, nil, {0.25}}},
		"all":      {{{0.25}, {0.25}, {0.25}}, {{0.25}, {0.25}, {0.25}}},
		"weighted": {{{-1.125}, {-1.125}, {0}}, {{0}, {0}, {-2.25}}},
	} {
		o := CorralKind().Defaults()
		o.Feedback = feedback
		var seen [3]bool
		for seed := range uint64(20) {
			c := must.Get(newCorral(o, Setup{
				Spec:     bandit.Spec{Dim: 1, Arms: []string{"a", "b", "c"}},
				Protocol: bandit.Protocol{Rounds: 4, Pulls: 1}, Stream: stream.Root(seed),
			}))(t).(*corral)
			bases := []*taught{{arm: 0}, {arm: 0}, {arm: 2}}
			c.bases = []bandit.Policy{bases[0], bases[1], bases[2]}
			for n, reward := range []float64{0, 1} {
				must.OK(t, c.Learn(bandit.Round{T: n + 1}, 1, reward))
			}
			arm := must.Get(c.Act(bandit.Round{T: 3}))(t)
			seen[arm] = true
			must.OK(t, c.Learn(bandit.Round{T: 3}, arm, 0.25))
			loss := [][]float64{{1.125, 1.125, 0}, {0, 0, 2.25}}[arm/2]
			q := []float64{1. / 3, 1. / 3, 1. / 3}
			eta := math.Sqrt(3. / 4)
			mirrorDescent(q, loss, []float64{eta, eta, eta})
			for i, b := range bases {
				first := []float64{0, 1}
				if feedback == "weighted" {
					first = []float64{0, 0} // each is the highest reward so far, so its loss is 0
				}
				must.That(t, slices.Equal(b.got, append(first, want[arm/2][i]...)), "%s, arm %d: base %d learns %g", feedback, arm, i, b.got)
				for n, learned := range b.arms[2:] {
					must.That(t, feedback == "all" && learned == arm || learned == b.arm, "%s: base %d learns of arm %d: %d", feedback, i, learned, n)
				}
				must.Near(t, "ℓ̂", c.losses[i], loss[i], 1e-12)
				must.Near(t, "p", c.p[i], q[i], 1e-12)
			}
		}
		must.That(t, seen == [3]bool{true, false, true}, "arms pulled: %v", seen)
	}
}

// TestCorralLeaves checks that Corral over LinUCB and Uniform leaves Uniform within some hundred pulls, and that η and ρ follow
// their rules in every pull.
func TestCorralLeaves(t *testing.T) {
	for seed := range uint64(10) {
		o := CorralKind().Defaults()
		o.Bases = []string{"LinUCB", "Uniform"}
		c := must.Get(newCorral(o, Setup{
			Spec:     bandit.Spec{Dim: 3, Arms: []string{"a", "b", "c"}},
			Protocol: bandit.Protocol{Rounds: 1000, Pulls: 1}, Stream: stream.Root(seed),
		}))(t).(*corral)
		r, rises := stream.Root(seed).Child("contexts"), 0
		for n := 1; n <= 1000; n++ {
			round := bandit.Round{T: n, Context: make([]float32, 3)}
			r.Normals(round.Context)
			arm := must.Get(c.Act(round))(t)
			reward := math.Max(-1, math.Min(1, float64(round.Context[arm])))
			eta, rho := slices.Clone(c.eta), slices.Clone(c.rho)
			must.OK(t, c.Learn(round, arm, reward))
			must.Near(t, "sum of p", c.p[0]+c.p[1], 1, 1e-12)
			for i, p := range c.p {
				smooth := 0.999*p + 0.001/2
				if 1/smooth > rho[i] {
					rises++
					eta[i] *= math.Exp(1 / math.Log(1000))
					rho[i] = 2 / smooth
				}
				must.Near(t, "η", c.eta[i], eta[i], 1e-12)
				must.Near(t, "ρ", c.rho[i], rho[i], 1e-9)
			}
			must.That(t, n != 500 || c.p[1] < 0.25, "seed %d: Uniform has p = %.3f after 500 pulls", seed, c.p[1])
		}
		must.That(t, c.p[1] < 0.12 && rises > 0, "seed %d: Uniform has p = %.3f after 1,000 pulls, with %d rises of η", seed, c.p[1], rises)
	}
}

func TestCorralOptions(t *testing.T) {
	for want, change := range map[string]func(*CorralOptions){
		"bases: none, want some of KLUCB, LinEpsGreedy": func(o *CorralOptions) { o.Bases = nil },
		"bases: LinTS twice, want each once":            func(o *CorralOptions) { o.Bases = []string{"LinTS", "LinTS"} },
		`bases: "LinUBC"`:                               func(o *CorralOptions) { o.Bases = []string{"LinUBC"} },
		"rate: 0, want above 0":                         func(o *CorralOptions) { o.Rate = 0 },
		`feedback: "some"`:                              func(o *CorralOptions) { o.Feedback = "some" },
		"range.high: 0, want above range.low":           func(o *CorralOptions) { o.Range.High = 0 },
	} {
		o := CorralKind().Defaults()
		change(&o)
		must.Refuse(newCorral(o, Setup{Spec: bandit.Spec{Dim: 1, Arms: []string{"a", "b"}}, Stream: stream.Root(1)}))(t, want)
	}
}
