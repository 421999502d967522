package policy

import (
	"math"

	"banditsim/bandit"
	"banditsim/internal/check"
	"banditsim/internal/kernel"
	"banditsim/posterior"
)

// SquareCBOptions are the options of SquareCB over a posterior with options O.
type SquareCBOptions[O any] struct {
	Gamma    float64 `json:"gamma"`                                      // learning rate γ, per unit of reward, at least 0; the larger, the greedier
	Exponent float64 `json:"exponent"`                                   // growth of the learning rate to gamma·t^exponent in pull t, 0 to 1; 1/2 in Foster and Rakhlin 2020
	Model    Model   `json:"model,omitzero" enum:"disjoint,shared,auto"` // disjoint: one output per arm; shared: one output for (context, arm)
	Relative bool    `json:"relative,omitzero"`                          // whether gamma is per standard deviation of the learned rewards
	Covering
	Posterior O `json:"posterior"`
}

// SquareCBKind declares SquareCB over a posterior, under the posterior's name: inverse gap weighting (Foster and
// Rakhlin, ICML 2020, algorithm 1, with µ = K). Let ŷ be the mean rewards that the posterior predicts, b the arm with
// the highest of them (the first in a tie) and K the number of arms. Arm a is drawn with the probability
//
//	p(a) = 1/(K + γ(ŷ(b) − ŷ(a))) for a ≠ b,  p(b) = 1 − Σ p(a)
func SquareCBKind[O any](k posterior.Kind[O], gamma float64) Kind[SquareCBOptions[O]] {
	return Kind[SquareCBOptions[O]]{
		Name: k.Name, Doc: "inverse gap weighting over " + k.Doc + " (Foster and Rakhlin 2020)",
		Defaults: func() SquareCBOptions[O] {
			return SquareCBOptions[O]{Gamma: gamma, Exponent: 0.5, Posterior: k.Defaults()}
		},
		New: func(o SquareCBOptions[O], s Setup) (bandit.Policy, error) {
			return newSampled(s, o.Model, o.Covering, o.Relative, squareCB(o.Gamma, o.Exponent), configure(k, o.Posterior),
				check.NotNegative("gamma", o.Gamma),
				check.That(o.Exponent >= 0 && o.Exponent <= 1, "exponent: %g, want 0 to 1", o.Exponent))
		},
	}
}

// squareCB returns the rule of inverse gap weighting.
func squareCB(gamma, exponent float64) rule {
	return func(p, _ []float64, t int) {
		rate := gamma * pow(float64(t), exponent)
		best, _ := argmax(p, nil)
		top, rest := p[best], 1.0
		for i, v := range p {
			if i != best {
				p[i] = 1 / (float64(len(p)) + float64(rate*(top-v)))
				rest -= p[i]
			}
		}
		p[best] = rest
	}
}

// pow returns x**y for x ≥ 1, with the same bits on every processor.
func pow(x, y float64) float64 {
	if y == 0.5 {
		return math.Sqrt(x)
	}
	return kernel.Exp(y * kernel.Log(x))
}
