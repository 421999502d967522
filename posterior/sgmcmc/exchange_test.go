package sgmcmc

import (
	"math"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/internal/checktest"
	"banditsim/posterior"
)

// frozenPlaces returns chains that do not move, but swap.
func frozenPlaces(u []float64, noise float64, ladder []Rung, r *stream.Stream) (*Langevin, []posterior.Chain) {
	buffer := stream.NewBuffered(r.Child("energy"))
	w := make([]float32, 1)
	s := &Langevin{Schedule: Constant(0), Temperature: 2, exchange: &exchange{ladder: ladder, correction: 1, every: 1, rand: r.Child("exchange")}}
	var chains []posterior.Chain
	for i := range u {
		target := posterior.TargetFunc(1, func(grad, x []float32) float64 {
			grad[0] = 0
			buffer.Normals(w)
			return u[int(x[0])] + noise*float64(w[0])
		})

		chains = append(chains, posterior.NewChain(target, []float32{float32(i)}))
		s.Noise = append(s.Noise, buffer)
	}
	return s, chains
}

// TestExchangeKeepsTheLaw: two chains that only swap positions of energies 0 and 1 are in the two
// orders in the ratio exp(d·(U_1 − U_2)), d = 1/τ_1 − 1/τ_2 (detailed balance), also where the
// energies are noisy and their variance is known: see acceptance.
func TestExchangeKeepsTheLaw(t *testing.T) {
	const steps = 400_000
	for _, c := range []struct {
		name     string
		noise, d float64
	}{{"exact energies", 0, 0}, {"noisy energies", 0.3, 0}} {
		t.Run(c.name, func(t *testing.T) {
			s, chains := frozenPlaces([]float64{0, 1}, c.noise, []Rung{{1, 1}, {1, 4}}, checktest.Stream("exchange", c.name))
			s.exchange.variance = c.noise * c.noise
			cold := 0
			for range steps {
				checktest.Advance(t, s, chains, 1)
				if chains[0].X[0] == 0 {
					cold++
				}
			}
			d := (1 - 1.0/4) / 2
			p := 1 / (1 + math.Exp(-d))
			// The two orders are a Markov chain that leaves each with a probability of its own: its
			// correlation at lag 1 is λ = 1 − their sum, and the variance of the share
			// p(1−p)/n·(1+λ)/(1−λ).
			lambda := 1 - acceptance(-1, d, c.noise, 1) - acceptance(1, d, c.noise, 1)
			se := math.Sqrt(p * (1 - p) / steps * (1 + lambda) / (1 - lambda))
			checktest.SE(t, "share of the cold chain at the low place", float64(cold)/steps, p, se)
		})
	}
}

// TestExchangeLearnsTheVariance: the estimate moves towards the variance of the noise.
func TestExchangeLearnsTheVariance(t *testing.T) {
	s, chains := frozenPlaces([]float64{0, 1}, 0.5, []Rung{{1, 1}, {1, 4}}, checktest.Stream("variance"))
	e := s.exchange
	e.variance, e.estimateEvery, e.samples, e.smoothing = 30, 1, 10, 0.02
	checktest.Advance(t, s, chains, 20_000)
	// An average of estimates of variance 2σ⁴/9 with weights of square sum .02/1.98.
	checktest.SE(t, "σ²", e.variance, 0.25, 0.25*math.Sqrt(2.0/9*0.02/1.98))
}

func TestLadder(t *testing.T) {
	ladder := Ladder(3, 4, 9)
	for i, want := range []Rung{{1, 1}, {2, 3}, {4, 9}} {
		checktest.Near(t, "rate", ladder[i].Rate, want.Rate, 1e-12)
		checktest.Near(t, "temperature", ladder[i].Temperature, want.Temperature, 1e-12)
	}
}

// TestExchangeMovesPlaces: gradient and energy move with the position; preconditioner and
// temperature stay with the rung.
func TestExchangeMovesPlaces(t *testing.T) {
	a := posterior.TargetFunc(1, func(grad, x []float32) float64 { grad[0] = x[0]; return -float64(x[0]) })
	s := &Langevin{
		Schedule: Constant(0.5), Temperature: 1e-12, Noise: []posterior.Normals{checktest.Stream("a"), checktest.Stream("b")},
		exchange: &exchange{ladder: []Rung{{1, 1}, {2, 2}}, correction: 1, every: 1, rand: checktest.Stream("exchange")},
	}
	// The second chain's energy is far lower: they swap for certain.
	chains := []posterior.Chain{posterior.NewChain(a, []float32{1}), posterior.NewChain(a, []float32{10})}
	checktest.Advance(t, s, chains, 1)
	checktest.Near(t, "first chain", float64(chains[0].X[0]), 10-0.5*10, 1e-5)
	checktest.Near(t, "second chain", float64(chains[1].X[0]), 1-2*0.5*1, 1e-5)
	if s.exchange.swaps != 1 {
		t.Errorf("%d swaps, want 1", s.exchange.swaps)
	}
}

// penalized is a flat energy with a prior that the energy does not include.
type penalized struct{ posterior.Target }

func (penalized) Penalty(x []float32) float64 { return 1000 * float64(x[0]*x[0]) / 2 }

// TestExchangeMindsThePrior: of two positions with the same energy the colder chain takes the one
// with the higher prior density.
func TestExchangeMindsThePrior(t *testing.T) {
	for _, c := range []struct{ cold, hot, want float32 }{{3, 1, 1}, {1, 3, 1}} {
		target := penalized{posterior.TargetFunc(1, func(grad, x []float32) float64 { grad[0] = 0; return 7 })}
		s := &Langevin{
			Temperature: 1, Noise: []posterior.Normals{checktest.Stream("a"), checktest.Stream("b")},
			exchange: &exchange{ladder: []Rung{{1, 1}, {1, 2}}, correction: 1, every: 1, rand: checktest.Stream("exchange")},
		}
		chains := []posterior.Chain{posterior.NewChain(target, []float32{c.cold}), posterior.NewChain(target, []float32{c.hot})}
		checktest.Advance(t, s, chains, 1)
		checktest.Bits(t, "the cold chain's place", chains[0].X, []float32{c.want})
	}
}
