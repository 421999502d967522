package neural

import "banditsim/posterior"

// The six posteriors of the paper's mushroom experiment are Langevin with different parts
// (docs/algorithms.md): PICSGLD, PCSGLD, PSGLD, ConstSGD and these two. EpsGreedy is the posterior under
// the policy of that name.
var (
	Dropout = func() posterior.Kind[LangevinOptions] {
		k := changed(ConstSGD.Kind, "Dropout", "Monte Carlo dropout after the last hidden layer: 4 networks", func(o *LangevinOptions) {
			o.Dropout.Rate = 0.5
		})
		k.Claims.Spread = false // masks spread a prediction more the larger it is, with or without data
		return k
	}()
	EpsGreedy = changed(ConstSGD.Kind, "EpsGreedy", "RMSProp with a decaying step: 4 networks", func(o *LangevinOptions) {
		o.Sampler.LearningRate, o.Sampler.Decay = 5e-7, 0.999
		o.Sampler.Preconditioner.Kind = "rmsprop"
	})
)

// Paper lists the six in the order of the paper's table.
func Paper() []posterior.Kind[LangevinOptions] {
	return []posterior.Kind[LangevinOptions]{PICSGLD.Kind, PCSGLD.Kind, PSGLD.Kind, Dropout, ConstSGD.Kind, EpsGreedy}
}
