package sgmcmc

import "banditsim/posterior"

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
		Small:    func(o ICSGHMCOptions) ICSGHMCOptions { return ICSGHMCOptions{o.SGHMCOptions.Small(), o.Contour} },
		New: func(o ICSGHMCOptions, u Setup) (posterior.Sampler, error) {
			return newUnderdamped(o.SGHMCOptions, o.Contour, u)
		},
		Checked: func(o LangevinOptions) ICSGHMCOptions { return ICSGHMCOptions{hamiltonianOptions(o), o.Contour} },
		Claims:  c,
	}
}
