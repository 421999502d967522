package neural

import "banditsim/posterior"

// LastLayerLaplace is Laplace's approximation of the last layer's weights (Daxberger et al., NeurIPS 2021,
// section 3; Kristiadi, Hein and Hennig, ICML 2020): a Gaussian about those of the trained network, whose
// precision is the Hessian of half the squared errors over noise², and of the prior,
//
//	value ~ N(f(context)[arm], noise²·φᵀA⁻¹φ),  A = λI + Σ φφᵀ
//
// with f the network's output and φ and A as in NeuralLinear, from which it differs by its mean alone.
func LastLayerLaplace() posterior.Kind[LastLayerOptions] {
	return posterior.Kind[LastLayerOptions]{
		Name: "LastLayerLaplace", Doc: "a network with Laplace's approximation of its last layer",
		Defaults: lastLayerDefaults,
		Small:    small((*LastLayerOptions).makeSmall),
		New:      func(o LastLayerOptions, s posterior.Setup) (posterior.Posterior, error) { return o.new(s, true) },
		// Not Spread: a context without data may have small features.
		Claims: posterior.Claims{Rounds: networkClaims.Rounds},
		Draws:  true,
	}
}
