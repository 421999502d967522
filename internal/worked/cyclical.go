package worked

import (
	"math"

	"banditsim/posterior/sgmcmc"
)

// cyclical is a cycle and the beginning of the next under a constant gradient, with noise in
// its second step.
func cyclical() Case {
	const peak, temperature = 0.3, 0.5
	c := Case{
		Name:      "a cycle of steps under a constant gradient",
		Options:   sgmcmc.Plain(peak, temperature),
		Target:    lineTarget(func(x float64) (u, du float64) { return x, 1 }),
		Start:     [][]float64{{0}},
		Noise:     [][][]float64{{{0}}, {{1.5}}},
		Tolerance: 1e-6,
	}
	x := 0.0
	for step := range cycle + 3 {
		e := peak / 2 * (math.Cos(math.Pi*float64(step%cycle)/cycle) + 1)
		x -= e
		if step == 1 {
			x += float64(math.Sqrt(2*temperature*e) * 1.5)
		}
		c.After = append(c.After, State{X: [][]float64{{x}}})
	}
	return c
}
