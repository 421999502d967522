package sgmcmc

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/internal/checktest"
	"banditsim/internal/kernel"
	"banditsim/internal/must"
	"banditsim/posterior"
)

func smallHistogram(overflow, weights string, chains int) *Histogram {
	h := newHistogram(ContourOptions{
		Bins: 3, Width: 1, Zeta: 2, Omega: 0.5, Overflow: overflow, Field: "theta", Weights: weights, WeightRegularizer: 1e-3,
	}, 1, chains)
	copy(h.theta, []float64{0.5, 0.3, 0.2})
	h.met = true
	return h
}

func TestChainsOutOfRange(t *testing.T) {
	inf := math.Inf(1)
	m := make([]float64, 4)

	check := func(energies, theta, multipliers, weights []float64, tolerance float64) {
		t.Helper()
		h, w := smallHistogram("skip", "theta", 4), make([]float64, 4)
		h.Meet(m, energies)
		h.Weights(w)
		checktest.Vector(t, "θ", h.theta, theta, tolerance/10)
		checktest.Vector(t, "multipliers", m, multipliers, tolerance)
		checktest.Vector(t, "weights", w, weights, tolerance)
	}
	check([]float64{3.1, inf, 99, 1e300}, []float64{0.5, 0.3, 0.2}, []float64{1, 1, 1, 1}, []float64{1e-3, 1e-3, 1e-3, 1e-3}, 0)
	// q = (1/3, 0, 2/3) of the three in range; S = .5/3 + 2·.2/3 = .3.
	theta := []float64{0.5 * (1 + 0.5*(1./3-0.3)), 0.3 * (1 - 0.5*0.3), 0.2 * (1 + 0.5*(2./3-0.3))}
	steep, third := 1+2*math.Log(theta[2]/theta[1]), theta[2]*theta[2]+1e-3
	check([]float64{0.5, inf, 2.5, 2.6}, theta, []float64{1, 1, steep, steep}, []float64{theta[0]*theta[0] + 1e-3, 1e-3, third, third}, 1e-14)
	t.Run("lastbin", func(t *testing.T) {
		h := smallHistogram("lastbin", "theta", 4)
		other := smallHistogram("lastbin", "theta", 4)
		h.Meet(m, []float64{0.5, inf, 2.5, 99})
		n := make([]float64, 4)
		other.Meet(n, []float64{0.5, 2.7, 2.5, 2.6})
		checktest.Vector(t, "θ", h.theta, other.theta, 0)
		checktest.Vector(t, "multipliers", m, n, 0)
	})
}

// TestPsiWeights compares Ψ_θ(Û)^ζ with the paper's equation (2), computed by hand: Ψ is θ(1) in bin 1, log-linear between the edges of a
// bin, and continued beyond the last edge.
func TestPsiWeights(t *testing.T) {
	h := smallHistogram("lastbin", "psi", 6)
	h.frozen = true
	h.Meet(make([]float64, 6), []float64{-3, 1, 1.5, 2, 2.25, 4})
	psi := []float64{
		0.5, 0.5,
		math.Sqrt(0.5 * 0.3),
		0.3,
		0.3 * math.Pow(0.2/0.3, 0.25),
		0.3 * math.Pow(0.2/0.3, 2),
	}
	want := make([]float64, 6)
	for i := range psi {
		want[i] = (psi[i] / 0.5) * (psi[i] / 0.5) // ζ = 2, the largest is 1
	}
	w := make([]float64, 6)
	h.Weights(w)
	checktest.Vector(t, "weights", w, want, 1e-14)

	// With ζ = 2000 and tiny θ the plain power would be zero for all.
	h.o.Zeta = 2000
	h.Weights(w)
	for i := range want {
		want[i] = math.Pow(psi[i]/0.5, 2000)
	}
	checktest.Vector(t, "weights at ζ = 2000", w, want, 1e-9)

	for _, zeta := range []float64{0, 2} {
		h.o.Zeta = zeta
		for _, energies := range [][]float64{
			{math.Inf(1), 0, 0, 0, 0, 0},
			{math.Inf(-1), 0, 0, 0, 0, 0},
		} {
			h.Meet(make([]float64, 6), energies)
			h.Weights(w)
			for p, v := range w {
				must.That(t, v >= 0 && v <= 1, "ζ = %g, energies %v: weight %g of chain %d", zeta, energies, v, p)
			}
		}
	}
}

// TestEnergyThatIsNotANumber checks that Step returns an error that names the chain and the learning rate, and moves no chain.
func TestEnergyThatIsNotANumber(t *testing.T) {
	energies := []float64{1.5, math.NaN(), 0.5}
	next := -1
	target := posterior.TargetFunc(1, func(grad, x []float32) float64 {
		grad[0] = 1
		next++
		return energies[next%3]
	})

	h := smallHistogram("skip", "theta", 3)
	s := valid(NewLangevin(Plain(0.125, 0), Setup{Chains: 3}))
	s.Contour = h
	chains := []posterior.Chain{posterior.NewChain(target, []float32{1}), posterior.NewChain(target, []float32{2}), posterior.NewChain(target, []float32{3})}
	must.Fail(t, s.Step(chains), "chain 1", "0.125")
	for i := range chains {
		checktest.Bits(t, "x", chains[i].X, []float32{float32(i + 1)})
	}
	checktest.Vector(t, "θ", h.theta, []float64{0.5, 0.3, 0.2}, 0)
}

type failing struct{}

var errFailing = errors.New("out of data")

func (failing) Dim() int                                   { return 1 }
func (failing) EnergyGrad(_, _ []float32) (float64, error) { return 0, errFailing }

func TestErrorOfTheTarget(t *testing.T) {
	s := valid(NewLangevin(Plain(1, 0), Setup{Chains: 1}))
	must.Is(t, s.Step([]posterior.Chain{posterior.NewChain(failing{}, []float32{0})}), errFailing)
}

// TestContoursBeforeTheFirstMeet checks that all chains have the same weight, and that Meet with energies for a wrong number of chains
// panics with both numbers.
func TestContoursBeforeTheFirstMeet(t *testing.T) {
	for _, c := range []Contour{
		newHistogram(ContourOptions{Bins: 3, Width: 1, Weights: "theta"}, 1, 2),
		newHistogram(ContourOptions{Bins: 3, Width: 1, Weights: "psi"}, 1, 2),
		newAuthorsHistogram(ContourOptions{Bins: 3, Width: 1}, 1, 2),
	} {
		w := []float64{7, 7}
		c.Weights(w)
		checktest.Vector(t, "weights", w, []float64{1, 1}, 0)
		func() {
			defer func() {
				r, _ := recover().(string)
				must.That(t, strings.Contains(r, "2") && strings.Contains(r, "3"), "panic %q, want one that names 2 and 3", r)
			}()
			c.Meet(make([]float64, 3), make([]float64, 3))
		}()
	}
}

// TestSharedContour checks that a histogram that gets bins alone (root) equals one that gets the energies (whole), and
// that one that gets θ from root (worker) has the same multipliers for the chains whose bins it gets.
func TestSharedContour(t *testing.T) {
	type shared interface {
		Contour
		posterior.RoundStarter
		Bin(energy float64) int
		Visit(multipliers []float64, bins []int, theta []float64)
	}
	const chains, rounds = 3, 40
	o := ContourOptions{Bins: 6, Width: 1, Zeta: 2, Omega: 0.3, WeightRegularizer: 1e-3, ThetaWarmup: 0.2}
	psi := o
	psi.Overflow, psi.Field, psi.Weights = "lastbin", "theta^zeta", "psi"
	for name, fresh := range map[string]func() shared{
		"paper":   func() shared { return newHistogram(o, 1, chains) },
		"psi":     func() shared { return newHistogram(psi, 1, chains) },
		"authors": func() shared { return newAuthorsHistogram(o, 1, chains) },
	} {
		whole, root, worker := fresh(), fresh(), fresh()
		energies, random := make([]float64, chains), stream.Root(5)
		want, got, own := make([]float64, chains), make([]float64, chains), make([]float64, chains)
		for step := range 4 * rounds {
			if step%4 == 0 {
				for _, h := range []shared{whole, root, worker} {
					h.StartRound(step/4, rounds)
				}
			}
			bins := make([]int, chains)
			for p := range energies {
				energies[p] = 7*random.Float64() - 0.5
				bins[p] = root.Bin(energies[p])
			}
			whole.Meet(want, energies)
			root.Visit(got, bins, nil)
			theta, _ := root.State()
			_, known := worker.State()
			worker.Visit(own, append(bins[:1:1], known[1:]...), theta)
			checktest.Vector(t, name+": multipliers", got, want, 0)
			checktest.Vector(t, name+": multiplier of the chain of a follower", own[:1], want[:1], 0)
			followed, _ := worker.State()
			wanted, wantedBins := whole.State()
			checktest.Vector(t, name+": θ", theta, wanted, 0)
			checktest.Vector(t, name+": θ of a follower", followed, wanted, 0)
			for p, j := range wantedBins {
				if bins[p] != j {
					t.Fatalf("%s: chain %d is in bin %d, want %d", name, p, bins[p], j)
				}
			}
			if h, ok := root.(*Histogram); ok {
				h.SetEnergies(energies)
			}
			whole.Weights(want)
			root.Weights(got)
			checktest.Vector(t, name+": weights", got, want, 0)
		}
		theta, _ := whole.State()
		must.That(t, theta[1] != theta[2], "%s: θ has not moved, which tests nothing", name)
	}
}

// TestAuthors follows two chains over m = 5 bins of width 2, with ζ = 1.5, τ = .4, ω = .3 (no float32) and reg = 1e-3.
//
// The numbers come from a Python script that does what the authors' program does (Sampler.step and RLReg.train of its
// contextual_bandits) in plain loops, with struct.pack('f', x) to round to float32 wherever that program has a tensor:
//
//	d = f(f(log(θ[J])) − f(log(θ[J−1])));  mul = 1 + ζ·τ·d/Δu if J < m−1 else 1
//	if J < m−1: R = [f(−θ[J]·θ[i])];  R[J] = f(θ[J]·f(1 − θ[J]))
//	J = int(min(max(Û/Δu, 1), m−1))
//	w = (θ[J]**ζ + reg if J < m−1 else reg) + 1e-10
//	after all chains: θ[i] = f(θ[i] + f(f(ω)·f(ΣR[i]/n))), over the n chains with J < m−1
//
// J starts at m−1 and R at −1/m².
func TestAuthors(t *testing.T) {
	inf := math.Inf(1)
	o := ContourOptions{Bins: 5, Width: 2, Zeta: 1.5, Omega: 0.3, Overflow: "skip", Field: "theta", Weights: "theta", WeightRegularizer: 1e-3}
	h := newAuthorsHistogram(o, 0.4, 2)
	m, w := make([]float64, 2), make([]float64, 2)
	for k, want := range []struct {
		energies, multipliers, weights []float64
		bins                           []int // from 1
		theta                          []float32
	}{
		{ // Chain 0 is in range now and adds its initial field, −1/m² everywhere.
			[]float64{3, 9.5}, []float64{1.0, 1.0}, []float64{0.09044272119919215, 0.0010000001}, []int{2, 5},
			[]float32{0.188000008, 0.188000008, 0.188000008, 0.188000008, 0.188000008},
		},
		{ // 0.5 is clipped to index 1. Chain 1 comes from the last bin, and still adds −1/m².
			[]float64{0.5, 5.9}, []float64{1.0, 1.0}, []float64{0.08251486314619542, 0.08251486314619542}, []int{2, 3},
			[]float32{0.176698402, 0.204898417, 0.176698402, 0.176698402, 0.176698402},
		},
		{ // Multipliers use the previous index; index 1 is compared with θ[0]. Chain 1 goes out of range and is not in the sum.
			[]float64{7.9, 100}, []float64{1.0444209933280946, 0.9555790066719055}, []float64{0.07527607257002353, 0.0010000001}, []int{4, 5},
			[]float32{0.165836841, 0.253772944, 0.165836841, 0.165836841, 0.165836841},
		},
		{ // Chain 1 comes back, and adds its last field. −3 is clipped to index 1.
			[]float64{inf, -3}, []float64{1.0, 1.0}, []float64{0.0010000001, 0.1288403578866975}, []int{5, 2},
			[]float32{0.15647015, 0.242911384, 0.20947966, 0.15647015, 0.15647015},
		},
		{ // An energy on an edge belongs to the bin above it.
			[]float64{2, 6.1}, []float64{1.0, 1.1319494128227234}, []float64{0.12072140411213488, 0.06289381436573362}, []int{2, 4},
			[]float32{0.146643609, 0.264184475, 0.19772163, 0.171519145, 0.146643609},
		},
		{ // No chain is in range: θ stays, and the weights are the regularizer.
			[]float64{9, 9}, []float64{1.1765927433967591, 0.9573504447937011}, []float64{0.0010000001, 0.0010000001}, []int{5, 5},
			[]float32{0.146643609, 0.264184475, 0.19772163, 0.171519145, 0.146643609},
		},
		{ // Both chains come back, and add their last fields.
			[]float64{4.5, 1}, []float64{1.0, 1.0}, []float64{0.08891870342435727, 0.1367878583795552}, []int{3, 2},
			[]float32{0.137059629, 0.28654623, 0.184799433, 0.186037287, 0.137059629},
		},
	} {
		name := fmt.Sprintf("step %d: ", k+1)
		h.Meet(m, want.energies)
		h.Weights(w)
		theta, bins := h.State()
		checktest.Vector(t, name+"multipliers", m, want.multipliers, 1e-15)
		checktest.Vector(t, name+"weights", w, want.weights, 1e-15)
		checktest.Bits(t, name+"θ", checktest.Narrow(theta), want.theta)
		for p := range bins {
			must.Equal(t, fmt.Sprintf("%schain %d is in bin", name, p), bins[p], want.bins[p])
		}
	}
}

// TestAuthorsFrozen checks that indices, fields and weights are updated while θ is frozen.
func TestAuthorsFrozen(t *testing.T) {
	o := ContourOptions{Bins: 4, Width: 1, Zeta: 2, Omega: 0.5, WeightRegularizer: 0.25}
	h := newAuthorsHistogram(o, 1, 1)
	h.frozen = true
	m, w := make([]float64, 1), make([]float64, 1)
	h.Meet(m, []float64{2.5})
	h.Weights(w)
	checktest.Vector(t, "weights", w, []float64{0.25*0.25 + 0.25 + 1e-10}, 1e-15)
	h.Meet(m, []float64{1.5})
	theta, bins := h.State()
	checktest.Vector(t, "θ", theta, []float64{0.25, 0.25, 0.25, 0.25}, 0)
	must.Equal(t, "bin", bins[0], 2)
	// After that θ is updated with the field of the previous index: θ(2) grows.
	h.frozen = false
	h.Meet(m, []float64{2.5})
	theta, _ = h.State()
	checktest.Vector(t, "θ", theta, []float64{0.25 - 0.5/16, 0.25 + 0.5*3/16, 0.25 - 0.5/16, 0.25 - 0.5/16}, 1e-7)
	checktest.Near(t, "multiplier", m[0], 1, 0)
	h.Meet(m, []float64{2.5})
	checktest.Near(t, "multiplier", m[0], 1+2*(kernel.Log(0.21875)-kernel.Log(0.34375)), 1e-6)
}

func rangingOver(t *testing.T, chains int) *ranging {
	t.Helper()
	o := DefaultContour()
	o.Range, o.Bins, o.Gain, o.Limit, o.ThetaWarmup = "auto", 20, 0.6, 0.9, 0
	return newRanging(valid(NewHistogram(o, 0.5, chains)), 0.5)
}

// meet plays rounds of 16 steps with normal energies. It returns how many multipliers differed from 1, and how many there were.
func meet(r *ranging, s *stream.Stream, rounds int, mean, sd float64) (moved, steps int) {
	energies, multipliers := make([]float64, len(r.h.bins)), make([]float64, len(r.h.bins))
	z := make([]float32, len(r.h.bins))
	for k := range rounds {
		r.StartRound(k+1, 1000)
		for range 16 {
			s.Normals(z)
			for p := range z {
				energies[p] = mean + sd*float64(z[p])
			}
			r.Meet(multipliers, energies)
			for _, m := range multipliers {
				if steps++; m != 1 {
					moved++
				}
			}
		}
	}
	return moved, steps
}

// TestRanging checks that the bins cover the energies in any unit and follow them, and that multipliers then differ from 1.
func TestRanging(t *testing.T) {
	for _, unit := range []float64{1e-6, 1, 1e9} {
		r, s := rangingOver(t, 4), stream.Root(1)
		meet(r, s, 1, 3*unit, unit)
		must.That(t, !r.placed, "bins before the round after the first energies")
		meet(r, s, 20, 3*unit, unit)
		if low, high := r.h.o.Start/unit, r.h.edge(20)/unit; !(low > -1 && low < 1.5 && high > 4.5 && high < 7) {
			t.Errorf("unit %g: bins over [%g, %g], want them about [0.5, 5.5]", unit, low, high)
		}
		moved, steps := meet(r, s, 20, 3*unit, unit)
		must.That(t, float64(moved) >= 0.8*float64(steps), "unit %g: M ≠ 1 in %d of %d steps", unit, moved, steps)
		start := r.h.o.Start
		if meet(r, s, 10, 3*unit, unit); r.h.o.Start != start {
			t.Errorf("unit %g: the bins moved without need", unit)
		}
		theta := append([]float64(nil), r.h.theta...) // θ stays when the bins move
		meet(r, s, 9, 300*unit, unit)
		low := r.h.o.Start / unit
		must.That(t, low > 250, "unit %g: bins from %g, want them to follow the energies to 300", unit, low)
		for i, v := range r.h.theta {
			must.That(t, math.Abs(math.Log(v/theta[i])) < 5, "unit %g: θ(%d) from %g to %g", unit, i+1, theta[i], v)
		}
	}
}

// TestRangingGain checks that M − 1 is κ times the difference of log θ, clipped to ±Limit.
func TestRangingGain(t *testing.T) {
	r, s := rangingOver(t, 1), stream.Root(2)
	meet(r, s, 30, 0, 1)
	multipliers := make([]float64, 1)
	for _, u := range []float64{-1, 0, 0.5, 1.5} {
		r.h.frozen = true
		r.Meet(multipliers, []float64{u})
		j := r.h.Bin(u)
		want := 1 + 0.6*(math.Log(r.h.theta[j-1])-math.Log(r.h.theta[j-2]))
		must.Near(t, fmt.Sprintf("energy %g: M", u), multipliers[0], min(max(want, 0.1), 1.9), 1e-9)
	}
	must.Near(t, "ζ, that is κΔu/τ", r.h.o.Zeta, 0.6*r.h.o.Width/0.5, 1e-12)
}

// TestRangingEqualEnergies checks that bins have a positive width if all energies are equal.
func TestRangingEqualEnergies(t *testing.T) {
	r := rangingOver(t, 4)
	meet(r, stream.Root(1), 10, 5, 0)
	must.That(t, r.placed && r.h.o.Width > 0 && r.h.Bin(5) >= 2 && r.h.Bin(5) <= 19,
		"placed %t, width %g, bin of the energy %d", r.placed, r.h.o.Width, r.h.Bin(5))
}
