package neural

import (
	"banditsim/posterior"
	"banditsim/posterior/sgmcmc"
)

// PICSGLD is sgmcmc.PICSGLD over networks.
func PICSGLD() Sampler[sgmcmc.LangevinOptions] {
	return Over(sgmcmc.PICSGLD()).With(": 4 chains share one energy histogram")
}

// PCSGLD is sgmcmc.PCSGLD over a network, with the steps of four chains.
func PCSGLD() Sampler[sgmcmc.LangevinOptions] {
	return Over(sgmcmc.PCSGLD()).With(": 1 chain with 4 times the steps", func(o *LangevinOptions) { o.Chains, o.Steps = 1, 64 })
}

// ConstSGD is sgmcmc.ConstSGD over networks. SGLD differs by the noise.
func ConstSGD() Sampler[sgmcmc.LangevinOptions] {
	return Over(sgmcmc.ConstSGD()).With(": 4 networks")
}

// Dropout is ConstSGD with a mask on the last hidden layer.
func Dropout() posterior.Kind[LangevinOptions] {
	k := changed(ConstSGD().Kind, "Dropout", "Monte Carlo dropout after the last hidden layer: 4 networks", func(o *LangevinOptions) {
		o.Dropout.Rate = 0.5
	})
	k.Claims.Spread = false // masks spread a prediction more the larger it is, with or without data
	return k
}

// EpsGreedy is the posterior under the policy of that name.
func EpsGreedy() posterior.Kind[LangevinOptions] {
	return changed(ConstSGD().Kind, "EpsGreedy", "RMSProp with a decaying step: 4 networks", func(o *LangevinOptions) {
		o.Sampler.LearningRate, o.Sampler.Decay = 5e-7, 0.999
		o.Sampler.Preconditioner.Kind = "rmsprop"
	})
}

// Paper returns the six posteriors of the paper's mushroom experiment, in the order of its table. They are Langevin with
// different parts (docs/algorithms.md).
func Paper() []posterior.Kind[LangevinOptions] {
	return []posterior.Kind[LangevinOptions]{PICSGLD().Kind, PCSGLD().Kind, Over(sgmcmc.PSGLD()).Kind, Dropout(), ConstSGD().Kind, EpsGreedy()}
}
