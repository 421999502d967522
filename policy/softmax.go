package policy

import (
	"slices"

	"banditsim/bandit"
	"banditsim/internal/check"
	"banditsim/internal/kernel"
	"banditsim/posterior"
)

// SoftmaxOptions are the options of softmax over a posterior with options O.
type SoftmaxOptions[O any] struct {
	Scale    float64 `json:"scale"`                                      // divides the predicted rewards, in units of reward, above 0; the smaller, the greedier
	Model    Model   `json:"model,omitzero" enum:"disjoint,shared,auto"` // disjoint: one output per arm; shared: one output for (context, arm)
	Relative bool    `json:"relative,omitzero"`                          // whether scale is in standard deviations of the learned rewards
	Covering
	Posterior O `json:"posterior"`
}

// SoftmaxKind declares softmax over a posterior, under the posterior's name: arm a is pulled with a probability
// proportional to exp(value(a)/scale), where value(a) is the mean reward that the posterior predicts (Boltzmann
// exploration; Sutton and Barto, Reinforcement Learning, 2018, section 2.8).
func SoftmaxKind[O any](k posterior.Kind[O], scale float64) Kind[SoftmaxOptions[O]] {
	return Kind[SoftmaxOptions[O]]{
		Name: k.Name, Doc: "Boltzmann exploration over " + k.Doc + " (Sutton and Barto 2018)",
		Defaults: func() SoftmaxOptions[O] { return SoftmaxOptions[O]{Scale: scale, Posterior: k.Defaults()} },
		New: func(o SoftmaxOptions[O], s Setup) (bandit.Policy, error) {
			return newSampled(s, o.Model, o.Covering, o.Relative, softmax(o.Scale), configure(k, o.Posterior),
				check.Positive("scale", o.Scale))
		},
	}
}

// softmax returns the rule of Boltzmann exploration.
func softmax(scale float64) rule {
	return func(p, _ []float64, _ int) {
		top, sum := slices.Max(p), 0.0
		for i, v := range p {
			p[i] = kernel.Exp((v - top) / scale)
			sum += p[i]
		}
		for i := range p {
			p[i] /= sum
		}
	}
}
