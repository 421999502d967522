package neural

import "banditsim/posterior/sgmcmc"

// The samplers of package sgmcmc as posteriors, with what differs from what Over makes of them.
var (
	PICSGLD = Over(sgmcmc.PICSGLD()).With(": 4 chains share one energy histogram")
	PCSGLD  = Over(sgmcmc.PCSGLD()).With(": 1 chain with 4 times the steps", func(o *LangevinOptions) { o.Chains, o.Steps = 1, 64 })
	PSGLD   = Over(sgmcmc.PSGLD())
	// ConstSGD and SGLD differ by the noise.
	ConstSGD = Over(sgmcmc.ConstSGD()).With(": 4 networks")
	SGLD     = Over(sgmcmc.SGLD())
	CycSGLD  = Over(sgmcmc.CycSGLD()).With(", preconditioned: 4 chains")
	// ReSGLD has four chains, of which the first alone predicts.
	ReSGLD = Over(sgmcmc.ReSGLD()).With(", preconditioned: 4 chains, of which the coldest predicts")
	SGHMC  = Over(sgmcmc.SGHMC())
	SGNHT  = Over(sgmcmc.SGNHT())
	// ICSGHMC is SGHMC whose chains share the energy histogram of PICSGLD.
	ICSGHMC = Over(sgmcmc.ICSGHMC()).With(": 4 chains share one energy histogram")
	// SVGD has four particles.
	SVGD = Over(sgmcmc.SVGD()).With(": 4 particles")
)
