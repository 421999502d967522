package neural

import "banditsim/posterior"

// Ensemble is a deep ensemble (Lakshminarayanan, Pritzel and Blundell, NeurIPS 2017): networks that start
// from different parameters and draw their batches by themselves, trained without noise. A draw is one of
// them.
func Ensemble() posterior.Kind[LangevinOptions] {
	k := changed(EpsGreedy(), "Ensemble", "deep ensemble: 10 networks from different starts", func(o *LangevinOptions) {
		o.Chains, o.Sampler.Decay = 10, 1
	})
	k.Draws = true
	return k
}
