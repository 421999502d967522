package sgmcmc

import "banditsim/posterior"

// NewSGNHT returns SGHMC with a thermostat, whose friction starts at c. It validates the options.
func NewSGNHT(u Setup, friction float64) (*SGHMC, error) {
	s, err := NewSGHMC(u, friction)
	if err == nil {
		s.Thermostat = true
	}
	return s, err
}

// MethodSGNHT is the stochastic gradient Nosé–Hoover thermostat, with the friction of MethodSGHMC.
var MethodSGNHT = Method{
	Name: "SGNHT", Doc: "stochastic gradient Nosé–Hoover thermostat",
	New:    func(u Setup) (posterior.Sampler, error) { return NewSGNHT(u, friction) },
	Claims: thermostatClaims(),
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
