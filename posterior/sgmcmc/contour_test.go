package sgmcmc

import (
	"errors"
	"math"
	"strings"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/internal/checktest"
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

	t.Run("all", func(t *testing.T) {
		h := smallHistogram("skip", "theta", 4)
		h.Meet(m, []float64{3.1, inf, 99, 1e300})
		checktest.Vector(t, "θ", h.theta, []float64{0.5, 0.3, 0.2}, 0)
		checktest.Vector(t, "multipliers", m, []float64{1, 1, 1, 1}, 0)
		w := make([]float64, 4)
		h.Weights(w)
		checktest.Vector(t, "weights", w, []float64{1e-3, 1e-3, 1e-3, 1e-3}, 0)
	})
	t.Run("some", func(t *testing.T) {
		h := smallHistogram("skip", "theta", 4)
		h.Meet(m, []float64{0.5, inf, 2.5, 2.6})
		// q = (1/3, 0, 2/3) of the three in range; S = .5/3 + 2·.2/3 = .3.
		want := []float64{0.5 * (1 + 0.5*(1./3-0.3)), 0.3 * (1 - 0.5*0.3), 0.2 * (1 + 0.5*(2./3-0.3))}
		checktest.Vector(t, "θ", h.theta, want, 1e-15)
		checktest.Vector(t, "multipliers", m, []float64{1, 1, 1 + 2*math.Log(want[2]/want[1]), 1 + 2*math.Log(want[2]/want[1])}, 1e-14)
		w := make([]float64, 4)
		h.Weights(w)
		checktest.Vector(t, "weights", w, []float64{want[0]*want[0] + 1e-3, 1e-3, want[2]*want[2] + 1e-3, want[2]*want[2] + 1e-3}, 1e-14)
	})
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

// TestPsiWeights compares Ψ_θ(Û)^ζ with the paper's equation (2), by hand: Ψ is θ(1) in bin 1,
// log-linear from edge to edge, and continued beyond the last.
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
				if !(v >= 0 && v <= 1) {
					t.Errorf("ζ = %g, energies %v: weight %g of chain %d", zeta, energies, v, p)
				}
			}
		}
	}
}

// TestWeightsBeforeTheFirstMeet: all chains are equal.
func TestWeightsBeforeTheFirstMeet(t *testing.T) {
	for _, c := range []Contour{
		newHistogram(ContourOptions{Bins: 3, Width: 1, Weights: "theta"}, 1, 2),
		newHistogram(ContourOptions{Bins: 3, Width: 1, Weights: "psi"}, 1, 2),
		newAuthorsHistogram(ContourOptions{Bins: 3, Width: 1}, 1, 2),
	} {
		w := []float64{7, 7}
		c.Weights(w)
		checktest.Vector(t, "weights", w, []float64{1, 1}, 0)
	}
}

// TestEnergyThatIsNotANumber: the step names the chain and the learning rate, and moves nothing.
func TestEnergyThatIsNotANumber(t *testing.T) {
	energies := []float64{1.5, math.NaN(), 0.5}
	next := -1
	target := posterior.TargetFunc(1, func(grad, x []float32) float64 {
		grad[0] = 1
		next++
		return energies[next%3]
	})

	h := smallHistogram("skip", "theta", 3)
	s := must(NewLangevin(Plain(0.125, 0), Setup{Chains: 3}))
	s.Contour = h
	chains := []posterior.Chain{posterior.NewChain(target, []float32{1}), posterior.NewChain(target, []float32{2}), posterior.NewChain(target, []float32{3})}
	err := s.Step(chains)
	if err == nil || !strings.Contains(err.Error(), "chain 1") || !strings.Contains(err.Error(), "0.125") {
		t.Errorf("error %v, want one that names chain 1 and the learning rate 0.125", err)
	}
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
	s := must(NewLangevin(Plain(1, 0), Setup{Chains: 1}))
	if err := s.Step([]posterior.Chain{posterior.NewChain(failing{}, []float32{0})}); !errors.Is(err, errFailing) {
		t.Errorf("error %v, want %v", err, errFailing)
	}
}

// TestContourForAnotherNumberOfChains: a panic with both numbers.
func TestContourForAnotherNumberOfChains(t *testing.T) {
	for _, c := range []Contour{
		newHistogram(ContourOptions{Bins: 3, Width: 1}, 1, 2),
		newAuthorsHistogram(ContourOptions{Bins: 3, Width: 1}, 1, 2),
	} {
		func() {
			defer func() {
				if r, _ := recover().(string); !strings.Contains(r, "2") || !strings.Contains(r, "3") {
					t.Errorf("panic %q, want one that names 2 and 3", r)
				}
			}()
			c.Meet(make([]float64, 3), make([]float64, 3))
		}()
	}
}

// TestSharedContour: a histogram that is told the bins alone is that which is told the energies, and one that
// follows its θ has the same multipliers for the chains that it knows.
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
		if theta, _ := whole.State(); theta[1] == theta[2] {
			t.Errorf("%s: θ has not moved, which tests nothing", name)
		}
	}
}
