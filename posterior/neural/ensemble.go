package neural

import "banditsim/posterior"

// Ensemble is a deep ensemble (Lakshminarayanan, Pritzel and Blundell, NeurIPS 2017): networks that start
// from different parameters and draw their batches by themselves, trained without noise. A draw is one of
// them.
var Ensemble = func() posterior.Kind[LangevinOptions] {
	k := preset("Ensemble", "deep ensemble: 10 networks from different starts", 5e-7, 0, func(o *LangevinOptions) {
		o.Chains = 10
		o.Preconditioner.Kind = "rmsprop"
	})
	k.Draws = true
	return k
}()
