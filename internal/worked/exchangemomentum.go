package worked

import "math"

const friction = 0.8 // of the checks

// cyclicalMomentum is a cycle and the beginning of the next under a constant gradient, with noise in its second step; in the
// last quarter of a cycle the learning rate stays.
func cyclicalMomentum() Case {
	c := cyclical()
	c.Name, c.After = "a cycle of steps with momentum under a constant gradient", nil
	peak, temperature := c.Options.LearningRate, c.Options.Temperature
	x, p := 0.0, 0.0
	for step := range cycle + 3 {
		e := peak / 2 * (math.Cos(math.Pi*float64(min(step%cycle, 15))/cycle) + 1)
		p = float64((1-float64(e*friction))*p) - e
		if step == 1 {
			p += float64(math.Sqrt(2*friction*e*temperature) * 1.5)
		}
		x += float64(e * p)
		c.After = append(c.After, State{X: [][]float64{{x}}})
	}
	return c
}

// exchangeMomentum is the step of exchange with momentum: chains 2 and 3, which swap, begin with half a step of the new
// gradient less half of the old one.
func exchangeMomentum() Case {
	c := exchange()
	eps, temperature := c.Options.LearningRate, c.Options.Temperature
	move := func(rung int, x, g, old, w float64) []float64 {
		part := float64(rung) / (rungs - 1)
		e, tau := eps*math.Pow(hottestRate, part), temperature*math.Pow(hottestTemperature, part)
		p := e / 2 * (g - old)
		p = float64((1-float64(e*friction))*p) - float64(e*g) + float64(math.Sqrt(2*friction*e*tau)*w)
		return []float64{x + float64(e*p)}
	}
	c.After = []State{{X: [][]float64{move(0, 4, 4, 4, 100), move(1, 10, 10, 1, 200), move(2, 1, 1, 10, 300)}}}
	return c
}
