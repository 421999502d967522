package neural

import "banditsim/posterior/sgmcmc"

// A LangevinSampler is a sampler with the options of sgmcmc.Langevin.
type LangevinSampler = Sampler[sgmcmc.LangevinOptions]

// PICSGLD is sgmcmc.PICSGLD over networks.
func PICSGLD() LangevinSampler {
	return Over(sgmcmc.PICSGLD()).With(": 4 chains share one energy histogram")
}

// PCSGLD is sgmcmc.PCSGLD over a network, with the steps of four chains.
func PCSGLD() LangevinSampler {
	return Over(sgmcmc.PCSGLD()).With(": 1 chain with 4 times the steps", func(o *LangevinOptions) { o.Chains, o.Steps = 1, 64 })
}

// PSGLD is sgmcmc.PSGLD over networks.
func PSGLD() LangevinSampler { return Over(sgmcmc.PSGLD()) }

// ConstSGD is sgmcmc.ConstSGD over networks. SGLD differs by the noise.
func ConstSGD() LangevinSampler { return Over(sgmcmc.ConstSGD()).With(": 4 networks") }

// CycSGLD is sgmcmc.CycSGLD over networks.
func CycSGLD() Sampler[sgmcmc.CyclicalOptions] {
	return Over(sgmcmc.CycSGLD()).With(", preconditioned: 4 chains")
}

// ReSGLD is sgmcmc.ReSGLD over networks: four chains, of which the first alone predicts.
func ReSGLD() Sampler[sgmcmc.ExchangeOptions] {
	return Over(sgmcmc.ReSGLD()).With(", preconditioned: 4 chains, of which the coldest predicts")
}

// ICSGHMC is sgmcmc.ICSGHMC over networks, whose chains share the energy histogram of PICSGLD.
func ICSGHMC() Sampler[sgmcmc.ICSGHMCOptions] {
	return Over(sgmcmc.ICSGHMC()).With(": 4 chains share one energy histogram")
}

// SVGD is sgmcmc.SVGD over networks: four particles.
func SVGD() Sampler[sgmcmc.SVGDOptions] { return Over(sgmcmc.SVGD()).With(": 4 particles") }
