package neural

import "banditsim/posterior"

// EnsemblePlus is an ensemble of networks with prior functions (ensemble+: Osband, Aslanides and Cassirer, NeurIPS 2018; Osband
// et al., Epistemic neural networks, NeurIPS 2023): those of Bootstrap, to each of which β times a random network of its own
// is added, with β = prior_scale, and which learn rewards with noise of their own or, by counts, resampled ones. Where there are
// rewards the networks agree but for the noise; elsewhere they differ by the prior functions, which no reward has
// corrected. A draw is one of the networks.
//
// For a linear network, rewards with noise of the deviation ν and prior functions whose weights have the variance that the
// prior gives them, 2ν²/λ, each network is one draw of the posterior (the first source, lemma 3).
func EnsemblePlus() posterior.Kind[BootstrapOptions] {
	k := changed(Bootstrap(), "EnsemblePlus", "ensemble+: 10 networks with prior functions, each with noise of its own on the rewards", func(o *BootstrapOptions) {
		o.PriorScale, o.Counts, o.Noise = 3, "once", 1
	})
	k.Claims.Spread = false // where rewards have less noise than the networks add, they spread more among few rewards than without
	return k
}
