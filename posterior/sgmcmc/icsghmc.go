package sgmcmc

import "banditsim/posterior"

// NewICSGHMC returns SGHMC with friction c and the setup's contour, whose histogram all chains share. It
// validates the options.
func NewICSGHMC(u Setup, friction float64) (*SGHMC, error) {
	s, err := NewSGHMC(u, friction)
	if err == nil {
		s.Contour, err = u.contour()
	}
	return s, err
}

// MethodICSGHMC is interacting contour SGHMC: the histogram, multipliers and weights of ICSGLD (Deng et
// al., ICLR 2022, algorithm 1) with the dynamics of SGHMC (Chen, Fox and Guestrin, ICML 2014, equation (15))
// and the friction of MethodSGHMC. The authors publish Langevin dynamics alone; the momentum is ours: the
// multiplier scales the gradient, and neither friction nor noise depends on it.
var MethodICSGHMC = Method{
	Name: "ICSGHMC", Doc: "interacting contour stochastic gradient Hamiltonian Monte Carlo",
	New: func(u Setup) (posterior.Sampler, error) { return NewICSGHMC(u, friction) },
	Claims: func() Claims {
		c := hamiltonianClaims()
		c.Contour = true
		return c
	}(),
}
