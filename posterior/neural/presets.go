package neural

import (
	"banditsim/posterior"
	"banditsim/posterior/sgmcmc"
)

// The six posteriors of the paper's mushroom experiment are Langevin with different parts
// (docs/algorithms.md). EpsGreedy is the posterior under the policy of that name.
var (
	PICSGLD = preset(sgmcmc.MethodPICSGLD.Name, sgmcmc.MethodPICSGLD.Doc+": 4 chains share one energy histogram", 3e-7, 0.3, func(o *LangevinOptions) {
		o.Preconditioner.Kind = "rmsprop"
		o.Contour.Kind, o.Contour.Omega = "paper", 0.03
	})
	PCSGLD = preset(sgmcmc.MethodPCSGLD.Name, sgmcmc.MethodPCSGLD.Doc+": 1 chain with 4 times the steps", 5e-8, 0.3, func(o *LangevinOptions) {
		o.Chains, o.Steps = 1, 64
		o.Preconditioner.Kind = "rmsprop"
		o.Contour.Kind, o.Contour.Omega = "paper", 0.006
	})
	PSGLD = preset(sgmcmc.MethodPSGLD.Name, sgmcmc.MethodPSGLD.Doc+": 4 chains", 3e-7, 0.3, func(o *LangevinOptions) {
		o.Preconditioner.Kind = "rmsprop"
	})
	Dropout = func() posterior.Kind[LangevinOptions] {
		k := preset("Dropout", "Monte Carlo dropout after the last hidden layer: 4 networks", 1e-6, 0, func(o *LangevinOptions) {
			o.Dropout.Rate = 0.5
		})
		k.Claims.Spread = false // masks spread a prediction more the larger it is, with or without data
		return k
	}()
	ConstSGD  = preset(sgmcmc.MethodConstSGD.Name, sgmcmc.MethodConstSGD.Doc+": 4 networks", 1e-6, 0, func(*LangevinOptions) {})
	EpsGreedy = preset("EpsGreedy", "RMSProp with a decaying step: 4 networks", 5e-7, 0, func(o *LangevinOptions) {
		o.Decay = 0.999
		o.Preconditioner.Kind = "rmsprop"
	})
)

// Paper lists the six in the order of the paper's table.
func Paper() []posterior.Kind[LangevinOptions] {
	return []posterior.Kind[LangevinOptions]{PICSGLD, PCSGLD, PSGLD, Dropout, ConstSGD, EpsGreedy}
}

func preset(name, doc string, rate, temperature float64, set func(*LangevinOptions)) posterior.Kind[LangevinOptions] {
	return posterior.Kind[LangevinOptions]{
		Name: name, Doc: doc,
		Defaults: func() LangevinOptions {
			o := LangevinOptions{paperNetwork(), sgmcmc.Plain(rate, temperature)}
			set(&o)
			return o
		},
		New:    LangevinOptions.New,
		Claims: networkClaims,
	}
}
