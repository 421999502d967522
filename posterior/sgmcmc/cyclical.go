package sgmcmc

import (
	"fmt"
	"math"

	"banditsim/posterior"
)

// CyclicalOptions are the options of CycSGLD. LearningRate is the peak ε₀.
type CyclicalOptions struct {
	LangevinOptions
	Cycle int `json:"cycle"` // gradient steps in a cycle, C
}

// CycSGLD is cyclical SGLD, preconditioned: Langevin with a learning rate in cycles. By default there are
// ten cycles in the 1,949 training rounds of the paper's protocol, with pSGLD's learning rate on average.
func CycSGLD() Method[CyclicalOptions] {
	return Method[CyclicalOptions]{
		Name: "cycSGLD", Doc: "cyclical SGLD",
		Defaults: func() CyclicalOptions {
			o := CyclicalOptions{PSGLD().Defaults(), 3118}
			o.LearningRate = 6e-7
			return o
		},
		Small: func(o CyclicalOptions) CyclicalOptions { // cycles of four rounds
			o = CyclicalOptions{o.LangevinOptions.Small(), 4 * SmallSteps}
			o.LearningRate *= 2
			return o
		},
		New: func(o CyclicalOptions, u Setup) (posterior.Sampler, error) {
			if err := checkCycle(o.Cycle); err != nil {
				return nil, fmt.Errorf("sgmcmc: %w", err)
			}
			s, err := NewLangevin(o.LangevinOptions, u)
			if err == nil {
				s.setCycle(o.Cycle, 0)
			}
			return s, err
		},
		Checked: func(o LangevinOptions) CyclicalOptions { return CyclicalOptions{o, cycle} },
		Claims:  cyclicalClaims(),
	}
}

const cycle = 20 // C in the checks

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
				variance = float64((1-float64(e*k))*(1-float64(e*k))*variance) + float64(2*e*temperature) + float64(e*e*v)
				mean += variance / cycle
			}
		}
		return mean
	}
	c.Memory = func(k, eps float64) float64 { // steps for which Π(1 − ε_i·k) is 1/e
		log := 0.0
		for step := range cycle {
			log -= math.Log(math.Abs(1 - float64(cyclicalRate(eps, step)*k)))
		}
		return cycle / log
	}
	return c
}
