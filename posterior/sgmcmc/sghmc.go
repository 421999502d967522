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
		Small: SGHMCOptions.small,
		New: func(o SGHMCOptions, u Setup) (posterior.Sampler, error) {
			return newUnderdamped(o, off, u)
		},
		Checked: hamiltonianOptions,
		Claims:  hamiltonianClaims(),
	}
}

// small returns the options with a step and a friction for the small network.
func (o SGHMCOptions) small() SGHMCOptions {
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

// SGNHT is the stochastic gradient Nosé–Hoover thermostat (Ding et al., NeurIPS 2014): Underdamped with a
// thermostat, which finds the friction at which noise of the gradient does not heat the chains. Its friction
// starts at the option's.
func SGNHT() Method[SGHMCOptions] {
	m := SGHMC()
	m.Name, m.Doc = "SGNHT", "stochastic gradient Nosé–Hoover thermostat"
	m.New = func(o SGHMCOptions, u Setup) (posterior.Sampler, error) {
		s, err := newUnderdamped(o, off, u)
		s.thermostat = true
		return s, err
	}
	m.Claims = thermostatClaims()
	return m
}

// thermostatClaims: the coordinates of a vector share ξ, and the stationary law at a finite ε has no
// closed form. The memory is that of SGHMC, and of ξ, which is as long. The check of a decaying rate begins
// with a step at rest, in which ξ moves by −ετ; SGHMC, which is the same code, claims it.
func thermostatClaims() Claims {
	c := hamiltonianClaims()
	memory := c.Memory
	c.Variance, c.MomentumVariance, c.ZeroTemperature, c.Decay = nil, nil, false, false
	c.Thermostat, c.Coupled, c.Chains, c.FineRate = true, true, 1, 0.02
	c.Memory = func(k, eps float64) float64 { return 1.5 * memory(k, eps) }
	return c
}

// ICSGHMCOptions are the options of ICSGHMC.
type ICSGHMCOptions struct {
	SGHMCOptions
	Contour ContourOptions `json:"contour"`
}

// ICSGHMC is interacting contour SGHMC: the histogram, multipliers and weights of ICSGLD (Deng et
// al., ICLR 2022, algorithm 1) with the dynamics of SGHMC (Chen, Fox and Guestrin, ICML 2014, equation
// (15)). The authors publish Langevin dynamics alone; the momentum is ours: the multiplier scales the
// gradient, and neither friction nor noise depends on it.
func ICSGHMC() Method[ICSGHMCOptions] {
	c := hamiltonianClaims()
	c.Contour = true
	return Method[ICSGHMCOptions]{
		Name: "ICSGHMC", Doc: "interacting contour stochastic gradient Hamiltonian Monte Carlo",
		Defaults: func() ICSGHMCOptions { return ICSGHMCOptions{SGHMC().Defaults(), PICSGLD().Defaults().Contour} },
		Small:    func(o ICSGHMCOptions) ICSGHMCOptions { return ICSGHMCOptions{o.SGHMCOptions.small(), o.Contour} },
		New: func(o ICSGHMCOptions, u Setup) (posterior.Sampler, error) {
			return newUnderdamped(o.SGHMCOptions, o.Contour, u)
		},
		Checked: func(o LangevinOptions) ICSGHMCOptions { return ICSGHMCOptions{hamiltonianOptions(o), o.Contour} },
		Claims:  c,
	}
}
