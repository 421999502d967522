package sgmcmc

import (
	"fmt"
	"math"

	"banditsim/internal/check"
	"banditsim/posterior"
)

// NewCyclical returns the Langevin of a setup with cycles, whose peak is the setup's learning rate. It
// validates the options.
func NewCyclical(u Setup, cycle int) (*Langevin, error) {
	if err := check.Within("cycle", cycle, 1, maxCycle); err != nil {
		return nil, fmt.Errorf("sgmcmc: %w", err)
	}
	s, err := NewLangevin(u)
	if err == nil {
		s.Schedule = Cycles(u.LearningRate, u.Decay, cycle)
	}
	return s, err
}

// MethodCycSGLD is Langevin with cycles of 20 steps.
var MethodCycSGLD = Method{
	Name: "cycSGLD", Doc: "cyclical SGLD",
	New:    func(u Setup) (posterior.Sampler, error) { return NewCyclical(u, cycle) },
	Claims: cyclicalClaims(),
}

const cycle = 20 // C of MethodCycSGLD

// cyclicalRate is equation (1) of Zhang et al., ICLR 2020.
func cyclicalRate(peak float64, step int) float64 {
	return peak / 2 * (math.Cos(math.Pi*float64(step)/cycle) + 1)
}

// cyclicalClaims: the variance follows the cycle, v ← (1−εk)²v + 2εT + ε²·(the gradient's
// variance). The claim is its average over a cycle.
func cyclicalClaims() Claims {
	c := langevinClaims(true)
	c.Period, c.FineRate, c.Autocorrelation = cycle, 0.016, nil
	c.Variance = func(k, v, eps, temperature float64) float64 {
		variance, mean := temperature/k, 0.0
		for range 400 { // cycles, after which the start no longer matters
			mean = 0
			for step := range cycle {
				e := cyclicalRate(eps, step)
				variance = (1-e*k)*(1-e*k)*variance + 2*e*temperature + e*e*v
				mean += variance / cycle
			}
		}
		return mean
	}
	c.Memory = func(k, eps float64) float64 { // steps for which Π(1 − ε_i·k) is 1/e
		log := 0.0
		for step := range cycle {
			log -= math.Log(math.Abs(1 - cyclicalRate(eps, step)*k))
		}
		return cycle / log
	}
	return c
}
