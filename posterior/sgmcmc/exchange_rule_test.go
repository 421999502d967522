package sgmcmc

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/internal/checktest"
	"banditsim/posterior"
)

// acceptance returns the rate at which a pair swaps. With Δ for the mean of Û_i − Û_{i+1}, whose
// noise has the variance 2σ², log S is normal with mean m = d(Δ − dσ²/F) and deviation s = √2·d·σ:
//
//	E min(1, S) = Φ(m/s) + exp(m + s²/2)·Φ(−m/s − s)
//
// At F = 1 the rates of Δ and −Δ have the ratio exp(dΔ) whatever the noise is: detailed balance
// (Ceperley and Dewing, The penalty method for random walks with uncertain energies, 1999).
func acceptance(delta, d, noise, correction float64) float64 {
	normal := func(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }
	m, s := d*(delta-d*noise*noise/correction), math.Sqrt2*d*noise
	if s == 0 {
		return math.Exp(min(0, m))
	}
	return normal(m/s) + math.Exp(m+s*s/2)*normal(-m/s-s)
}

// TestExchangeAcceptance: the rates of swaps where the noise is so large that its variance decides.
func TestExchangeAcceptance(t *testing.T) {
	const steps = 400_000
	const d = (1 - 1./4) / 2 // difference of the inverse temperatures in the ladder 1, 4 at τ = 2
	for _, c := range []struct{ noise, correction float64 }{{3, 1}, {3, 2}, {5, 1}} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			s, chains := frozenPlaces([]float64{0, 1}, c.noise, []Rung{{1, 1}, {1, 4}}, checktest.Stream("acceptance", c.noise, c.correction))
			s.exchange.variance, s.exchange.correction = c.noise*c.noise, c.correction
			var visits, swaps [2]float64 // index: place of the colder chain
			for range steps {
				place, before := int(chains[0].X[0]), s.exchange.swaps
				checktest.Advance(t, s, chains, 1)
				visits[place]++
				swaps[place] += float64(s.exchange.swaps - before)
			}
			for place, delta := range []float64{-1, 1} {
				want := acceptance(delta, d, c.noise, c.correction)
				se := math.Sqrt(want * (1 - want) / visits[place]) // each visit decides by itself
				if !(9*se <= 0.05*want) {
					t.Errorf("a standard error of %g is too large to detect a fault of 5 %% in %g", se, want)
				}
				checktest.SE(t, fmt.Sprint("rate of swaps from place ", place), swaps[place]/visits[place], want, se)
			}
			if low := visits[0] / steps; c.correction == 1 {
				checktest.Near(t, "share of the colder chain at the low place", low, 1/(1+math.Exp(-d)), 0.02)
			}
		})
	}
}

// TestExchangeEstimate: every estimateEvery steps σ² moves by the share smoothing towards the
// sample variance of samples energies at the first chain's place.
func TestExchangeEstimate(t *testing.T) {
	// The first chain's energies: one of the step, and in every second step three more. Their
	// variances with n − 1 are 4 and 9.
	script := []float64{0 /* step 1 */, 0, 1, 3, 5 /* 2 */, 0 /* 3 */, 0, 2, 2 + 3*math.Sqrt(3), 2 /* 4 */}
	first := posterior.TargetFunc(1, func(grad, x []float32) float64 {
		u := script[0]
		script = script[1:]
		return u
	})
	second := posterior.TargetFunc(1, func(grad, x []float32) float64 { return 1e9 })
	s := &Langevin{Temperature: 1, Noise: flatNoise(2), exchange: &exchange{
		ladder: Ladder(2, 1, 2), correction: 1, every: 1, rand: stream.Root(1), variance: 12, estimateEvery: 2, samples: 3, smoothing: 0.25,
	}}
	chains := []posterior.Chain{posterior.NewChain(first, []float32{0}), posterior.NewChain(second, []float32{0})}
	for step, want := range []float64{12, 12 + (4.-12)/4, 10, 10 + (9.-10)/4} {
		checktest.Advance(t, s, chains, 1)
		checktest.Near(t, fmt.Sprint("σ² after step ", step+1), s.exchange.variance, want, 1e-14)
	}
	if len(script) > 0 {
		t.Errorf("%d energies fewer than expected", len(script))
	}
}

// TestExchangeEvery: chains of equal energies swap whenever they may.
func TestExchangeEvery(t *testing.T) {
	for _, every := range []int{1, 2, 3, 5} {
		s, chains := frozenPlaces([]float64{1, 1, 1}, 0, Ladder(3, 1, 4), stream.Root(1))
		s.exchange.every = every
		var swapped []int
		for step := 1; step <= 10; step++ {
			before := s.exchange.swaps
			checktest.Advance(t, s, chains, 1)
			switch n := s.exchange.swaps - before; n {
			case 0:
			case 2:
				swapped = append(swapped, step)
			default:
				t.Errorf("every %d: %d swaps in step %d, want none or those of both pairs", every, n, step)
			}
		}
		var want []int
		for step := every; step <= 10; step += every {
			want = append(want, step)
		}
		if !slices.Equal(swapped, want) {
			t.Errorf("every %d: swaps in steps %v, want %v", every, swapped, want)
		}
	}
}

// flatNoise returns sources of zeros.
func flatNoise(chains int) []posterior.Normals {
	return slices.Repeat([]posterior.Normals{zeros{}}, chains)
}

type zeros struct{}

func (zeros) Normals(dst []float32) { clear(dst) }
