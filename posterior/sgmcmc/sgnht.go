package sgmcmc

import "banditsim/posterior"

// SGNHT is the stochastic gradient Nosé–Hoover thermostat (Ding et al., NeurIPS 2014): Underdamped with a
// thermostat, which finds the friction at which noise of the gradient does not heat the chains. Its friction
// starts at the option's.
func SGNHT() Method[SGHMCOptions] {
	m := SGHMC()
	m.Name, m.Doc = "SGNHT", "stochastic gradient Nosé–Hoover thermostat"
	m.New = func(o SGHMCOptions, u Setup) (posterior.Sampler, error) {
		s, err := newUnderdamped(o, ContourOptions{Kind: "off"}, u)
		if err == nil {
			s.Thermostat = true
		}
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
