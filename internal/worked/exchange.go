package worked

import (
	"math"

	"banditsim/posterior"
	"banditsim/posterior/sgmcmc"
)

// exchange has energies so far apart that neighbors swap for certain, or for certain do not.
// The gradient moves with the position; temperature and step stay with the rung.
func exchange() Case {
	const eps, temperature = 0.5, 1e-6
	rate := func(rung int) float64 { return eps * math.Pow(hottestRate, float64(rung)/(rungs-1)) }
	heat := func(rung int) float64 { return temperature * math.Pow(hottestTemperature, float64(rung)/(rungs-1)) }
	move := func(rung int, x, g, w float64) []float64 {
		return []float64{x - float64(rate(rung)*g) + float64(math.Sqrt(2*rate(rung)*heat(rung))*w)}
	}
	return Case{
		Name:    "a step in which one of two neighbors swap",
		Options: sgmcmc.Plain(eps, temperature),
		// U = −x, g = x: the third chain's energy is lowest, then the first's.
		Target: func(int) posterior.Target {
			return posterior.TargetFunc(1, func(grad, x []float32) float64 {
				grad[0] = x[0]
				return -float64(x[0])
			})
		},
		Start: [][]float64{{4}, {1}, {10}},
		Noise: [][][]float64{{{100}, {200}, {300}}},
		// Pairs in turn: (4, 1) stays; (1, 10) swaps: 4, 10, 1.
		After:     []State{{X: [][]float64{move(0, 4, 4, 100), move(1, 10, 10, 200), move(2, 1, 1, 300)}}},
		Tolerance: 1e-5,
	}
}

// noisyExchange: a swap of the two colder chains that is certain by their energies, Δ apart, is
// certainly refused once σ² is known to be so large that dσ² = 1.5·Δ: certain it stays with half of it.
func noisyExchange() Case {
	const eps, temperature, apart = 0.5, 1e-6, 3.
	d := (1 - 1/math.Sqrt(hottestTemperature)) / temperature
	spread := math.Sqrt(1.5 * apart / d / smoothing * 2) // between two energies, so that σ² becomes 1.5·Δ/d
	c := Case{
		Name:      "no swap where the noise may have caused it",
		Options:   sgmcmc.Plain(eps, temperature),
		Start:     [][]float64{{1}, {2}, {3}},
		After:     make([]State, estimateEvery),
		Tolerance: 1e-5,
	}
	c.Target = func(chain int) posterior.Target {
		calls := 0
		return posterior.TargetFunc(1, func(grad, x []float32) float64 {
			grad[0] = 0
			calls++
			switch { // the place of the second chain becomes better at the step of the estimate
			case chain == 0 && calls == estimateEvery+1:
				return spread
			case chain == 1 && calls >= estimateEvery:
				return -apart
			}
			return float64(chain) * 1e6
		})
	}
	c.After[estimateEvery-1] = State{X: [][]float64{{1}, {2}, {3}}}
	return c
}
