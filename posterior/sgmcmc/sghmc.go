package sgmcmc

import (
	"math"

	"banditsim/posterior"
)

// SGHMCOptions are the options of SGHMC and SGNHT.
type SGHMCOptions struct {
	LearningRate float64 `json:"learning_rate"`       // step size, ε
	Decay        float64 `json:"learning_rate_decay"` // factor of the learning rate before each training round
	Friction     float64 `json:"friction"`            // friction, c
	Temperature  float64 `json:"temperature"`         // temperature, τ
}

// SGHMC is stochastic gradient Hamiltonian Monte Carlo: Underdamped without its parts. By default εc is
// 0.09, and ε/c that of ConstSGD.
func SGHMC() Method[SGHMCOptions] {
	return Method[SGHMCOptions]{
		Name: "SGHMC", Doc: "stochastic gradient Hamiltonian Monte Carlo",
		Defaults: func() SGHMCOptions {
			return SGHMCOptions{LearningRate: 3e-4, Decay: 1, Friction: 300, Temperature: 0.3}
		},
		Small: SGHMCOptions.Small,
		New: func(o SGHMCOptions, u Setup) (posterior.Sampler, error) {
			return newUnderdamped(o, ContourOptions{Kind: "off"}, u)
		},
		Checked: hamiltonianOptions,
		Claims:  hamiltonianClaims(),
	}
}

// Small returns the options with a step and a friction for the small network.
func (o SGHMCOptions) Small() SGHMCOptions {
	o.LearningRate, o.Friction = 1e-2, 50
	return o
}

// hamiltonianOptions returns the options of a check.
func hamiltonianOptions(o LangevinOptions) SGHMCOptions {
	return SGHMCOptions{LearningRate: o.LearningRate, Decay: o.Decay, Friction: friction, Temperature: o.Temperature}
}

const friction = 0.8 // c in the checks

// hamiltonianClaims: a gradient noise of variance v adds ε²v to the variance 2cεT of a step's
// noise, that is εv/2c to the temperature.
func hamiltonianClaims() Claims {
	momentum := func(k, v, eps, temperature float64) float64 {
		return (temperature + eps*v/(2*friction)) / (1 - eps*friction/2 - eps*eps*k/4)
	}
	return Claims{
		Density: true, ZeroTemperature: true, Bounded: true, Decay: true, Period: 1, FineRate: 0.1,
		Variance: func(k, v, eps, temperature float64) float64 {
			return momentum(k, v, eps, temperature) / k * (1 - eps*friction/2)
		},
		MomentumVariance: momentum,
		// The larger eigenvalue of the step (x, p).
		Memory: func(k, eps float64) float64 {
			trace, det := 2-float64(eps*friction)-float64(eps*eps*k), 1-float64(eps*friction)
			root := math.Sqrt(math.Abs(det))
			if d := trace*trace/4 - det; d > 0 {
				root = math.Abs(trace)/2 + math.Sqrt(d)
			}
			return -1 / math.Log(root)
		},
	}
}
