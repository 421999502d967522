package neural

import "banditsim/posterior"

// NeuralLinear is Bayesian linear regression on the last hidden layer of a network that is trained on
// (Riquelme, Tucker and Snoek, ICLR 2018, section 4). With φ the last hidden layer and a constant 1, for
// each arm,
//
//	A = λI + Σ φφᵀ,  b = Σ reward·φ,  w | rewards ~ N(A⁻¹b, noise²·A⁻¹),  value = w·φ
//
// A reward is added with its features in the network of the time. After every Refit rounds of training A
// and b are computed anew, from the rows of the replay buffer and their features in the network as it is
// then: rewards that have left the buffer are forgotten, while the source keeps all. The noise is known,
// as in exact linear regression; the source gives it an inverse gamma prior. λ = 0.25 is the source's.
//
// With skip the regressions are of what the network leaves of the rewards, and a value is the network's output plus w·φ: the features
// alone lack the linear path.
//
// Several chains are one network with their last layers side by side. With h the width of the layer, a reward and an arm of a prediction with its deviation cost a forward
// pass and O(h²), a refit a forward pass over the buffer, O(h²) a row and O(h³) an arm.
func NeuralLinear() posterior.Kind[LastLayerOptions] {
	return posterior.Kind[LastLayerOptions]{
		Name: "NeuralLinear", Doc: "Bayesian linear regression on a network's last hidden layer",
		Defaults: lastLayerDefaults,
		Small:    small((*LastLayerOptions).makeSmall),
		New:      func(o LastLayerOptions, s posterior.Setup) (posterior.Posterior, error) { return o.new(s, false) },
		// Not Spread: a context without data may have small features.
		Claims: posterior.Claims{Rounds: networkClaims.Rounds},
		Draws:  true,
	}
}
