package sgmcmc

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/internal/checktest"
	"banditsim/internal/must"
	"banditsim/posterior"
)

// exchanging returns a sampler whose chains swap positions. It does not estimate the variance unless the caller sets EstimateEvery.
func exchanging(rate, temperature float64, ladder []Rung, r *stream.Stream, noise []posterior.Normals) *Langevin {
	s := valid(NewLangevin(Plain(rate, temperature), Setup{Chains: len(ladder), Noise: noise}))
	s.exchange = &exchange{LadderOptions: LadderOptions{Correction: 1, SwapEvery: 1}, ladder: ladder, rand: r}
	return s
}

// frozenPlaces returns a sampler and chains that swap but do not move. A chain at position i has the energy u[i] plus noise.
func frozenPlaces(u []float64, noise float64, ladder []Rung, r *stream.Stream) (*Langevin, []posterior.Chain) {
	energy := r.Child("energy")
	var chains []posterior.Chain
	for i := range u {
		target := posterior.TargetFunc(1, func(grad, x []float32) float64 {
			grad[0] = 0
			return u[int(x[0])] + noise*energy.Normal()
		})
		chains = append(chains, posterior.NewChain(target, []float32{float32(i)}))
	}
	return exchanging(0, 2, ladder, r.Child("exchange"), slices.Repeat([]posterior.Normals{energy}, len(u))), chains
}

// acceptance returns the probability that a pair swaps. If Û_i − Û_{i+1} is normal with mean Δ and variance 2σ², log S is normal with
// mean m = d(Δ − dσ²/F) and standard deviation s = √2·d·σ:
//
//	E min(1, S) = Φ(m/s) + exp(m + s²/2)·Φ(−m/s − s)
//
// At F = 1 the probabilities of Δ and −Δ have the ratio exp(dΔ) for any noise, which is detailed balance (Ceperley and Dewing, The
// penalty method for random walks with uncertain energies, 1999).
func acceptance(delta, d, noise, correction float64) float64 {
	normal := func(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }
	m, s := d*(delta-d*noise*noise/correction), math.Sqrt2*d*noise
	if s == 0 {
		return math.Exp(min(0, m))
	}
	return normal(m/s) + math.Exp(m+s*s/2)*normal(-m/s-s)
}

// TestExchangeAcceptance compares rates of swaps with acceptance, for noise so large that the correction for its variance matters.
func TestExchangeAcceptance(t *testing.T) {
	const steps = 400_000
	const d = (1 - 1./4) / 2 // difference of the inverse temperatures in the ladder 1, 4 at τ = 2
	for _, c := range []struct{ noise, correction float64 }{{3, 1}, {3, 2}, {5, 1}} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			s, chains := frozenPlaces([]float64{0, 1}, c.noise, []Rung{{1, 1}, {1, 4}}, checktest.Stream("acceptance", c.noise, c.correction))
			s.exchange.variance, s.exchange.Correction = c.noise*c.noise, c.correction
			var visits, swaps [2]float64 // by the position of the colder chain
			for range steps {
				place, before := int(chains[0].X[0]), s.exchange.swaps
				checktest.Advance(t, s, chains, 1)
				visits[place]++
				swaps[place] += float64(s.exchange.swaps - before)
			}
			for place, delta := range []float64{-1, 1} {
				want := acceptance(delta, d, c.noise, c.correction)
				se := math.Sqrt(want * (1 - want) / visits[place]) // visits are independent
				must.That(t, 9*se <= 0.05*want, "a standard error of %g is too large to detect a fault of 5 %% in %g", se, want)
				checktest.SE(t, fmt.Sprint("rate of swaps from place ", place), swaps[place]/visits[place], want, se)
			}
			if low := visits[0] / steps; c.correction == 1 {
				checktest.Near(t, "share of the colder chain at the low place", low, 1/(1+math.Exp(-d)), 0.02)
			}
		})
	}
}

// TestExchangeEstimate checks that every EstimateEvery steps σ² moves by the share smoothing towards the sample variance of
// EstimateSamples energies at the first chain's position.
func TestExchangeEstimate(t *testing.T) {
	// Energies of the first chain: one per step, and three more in every second step, with the sample variances 4 and 9.
	script := []float64{0 /* step 1 */, 0, 1, 3, 5 /* 2 */, 0 /* 3 */, 0, 2, 2 + 3*math.Sqrt(3), 2 /* 4 */}
	first := posterior.TargetFunc(1, func(grad, x []float32) float64 {
		u := script[0]
		script = script[1:]
		return u
	})
	second := posterior.TargetFunc(1, func(grad, x []float32) float64 { return 1e9 })
	s := exchanging(0, 1, Ladder(2, 1, 2), stream.Root(1), flatNoise(2))
	s.exchange.variance, s.exchange.EstimateEvery, s.exchange.EstimateSamples, s.exchange.smoothing = 12, 2, 3, 0.25
	chains := []posterior.Chain{posterior.NewChain(first, []float32{0}), posterior.NewChain(second, []float32{0})}
	for step, want := range []float64{12, 12 + (4.-12)/4, 10, 10 + (9.-10)/4} {
		checktest.Advance(t, s, chains, 1)
		checktest.Near(t, fmt.Sprint("σ² after step ", step+1), s.exchange.variance, want, 1e-14)
	}
	must.That(t, len(script) == 0, "%d energies fewer than expected", len(script))
}

// TestExchangeEvery checks that chains with equal energies swap in every step that is a multiple of SwapEvery, and only then.
func TestExchangeEvery(t *testing.T) {
	for _, every := range []int{1, 2, 3, 5} {
		s, chains := frozenPlaces([]float64{1, 1, 1}, 0, Ladder(3, 1, 4), stream.Root(1))
		s.exchange.SwapEvery = every
		for step := 1; step <= 10; step++ {
			before, want := s.exchange.swaps, int64(0)
			if step%every == 0 {
				want = 2 // both pairs
			}
			checktest.Advance(t, s, chains, 1)
			must.Equal(t, fmt.Sprintf("every %d: swaps in step %d", every, step), s.exchange.swaps-before, want)
		}
	}
}

func TestLadder(t *testing.T) {
	ladder := Ladder(3, 4, 9)
	for i, want := range []Rung{{1, 1}, {2, 3}, {4, 9}} {
		checktest.Near(t, "rate", ladder[i].Rate, want.Rate, 1e-12)
		checktest.Near(t, "temperature", ladder[i].Temperature, want.Temperature, 1e-12)
	}
}

// TestExchangeMovesPlaces checks that the gradient moves with the position, and that the learning rate stays with the rung.
func TestExchangeMovesPlaces(t *testing.T) {
	a := posterior.TargetFunc(1, func(grad, x []float32) float64 { grad[0] = x[0]; return -float64(x[0]) })
	s := exchanging(0.5, 1e-12, []Rung{{1, 1}, {2, 2}}, checktest.Stream("exchange"), []posterior.Normals{checktest.Stream("a"), checktest.Stream("b")})
	// The energy of the second chain is far lower: they swap with certainty.
	chains := []posterior.Chain{posterior.NewChain(a, []float32{1}), posterior.NewChain(a, []float32{10})}
	checktest.Advance(t, s, chains, 1)
	checktest.Near(t, "first chain", float64(chains[0].X[0]), 10-0.5*10, 1e-5)
	checktest.Near(t, "second chain", float64(chains[1].X[0]), 1-2*0.5*1, 1e-5)
	must.Equal(t, "swaps", s.exchange.swaps, 1)
}

// TestExchangeFollowsTheSize checks that the paths of ReSGHMC stay the same if energy, temperature and the argument of
// SetSize are 16 times as large. Momenta are then four times as large, and so must be their corrections after swaps.
func TestExchangeFollowsTheSize(t *testing.T) {
	path := func(size float64) (places []float32) {
		target := posterior.TargetFunc(1, func(grad, x []float32) float64 {
			grad[0] = float32(size) * x[0]
			return size * float64(x[0]) * float64(x[0]) / 2
		})
		u := Setup{Chains: rungs, Stream: checktest.Stream("exchange")}
		var chains []posterior.Chain
		for i := range rungs {
			u.Noise = append(u.Noise, u.Stream.Child("noise", i))
			chains = append(chains, posterior.NewChain(target, []float32{float32(4 - i)}))
		}
		s := valid(ReSGHMC().New(ReSGHMC().Checked(Plain(0.25, size)), u)).(*Underdamped)
		s.SetSize(size)
		checktest.Advance(t, s, chains, 20)
		must.That(t, s.exchange.swaps > 0, "no swap, which tests nothing")
		for _, c := range chains {
			places = append(places, c.X...)
		}
		return places
	}
	checktest.Bits(t, "places", path(16), path(1))
}

// penalized is a flat energy with a prior that the energy does not include.
type penalized struct{ posterior.Target }

func (penalized) Penalty(x []float32) float64 { return 1000 * float64(x[0]*x[0]) / 2 }

// TestExchangeMindsThePrior checks that, of two positions with the same energy, the colder chain takes that with the higher prior
// density.
func TestExchangeMindsThePrior(t *testing.T) {
	for _, c := range []struct{ cold, hot, want float32 }{{3, 1, 1}, {1, 3, 1}} {
		target := penalized{posterior.TargetFunc(1, func(grad, x []float32) float64 { grad[0] = 0; return 7 })}
		s := exchanging(0, 1, []Rung{{1, 1}, {1, 2}}, checktest.Stream("exchange"), flatNoise(2))
		chains := []posterior.Chain{posterior.NewChain(target, []float32{c.cold}), posterior.NewChain(target, []float32{c.hot})}
		checktest.Advance(t, s, chains, 1)
		checktest.Bits(t, "the cold chain's place", chains[0].X, []float32{c.want})
	}
}

// flatNoise returns sources of zeros.
func flatNoise(chains int) []posterior.Normals {
	return slices.Repeat([]posterior.Normals{zeros{}}, chains)
}

type zeros struct{}

func (zeros) Normals(dst []float32) { clear(dst) }
