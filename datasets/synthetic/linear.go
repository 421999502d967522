package synthetic

import (
	"banditsim/datasets"
	"banditsim/internal/check"
)

// LinearOptions are the options of linear.
type LinearOptions struct {
	Scores
	Scale float64 `json:"scale"` // standard deviation of the arms' means, in units of reward: above 0
	Noise Noise   `json:"noise"`
	Drift Drift   `json:"drift,omitzero"`
}

// Linear declares linear rewards (Auer: Using confidence bounds for exploitation-exploration trade-offs,
// JMLR 3, 2002; Chu, Li, Reyzin and Schapire: Contextual bandits with linear payoff functions, AISTATS
// 2011): the mean of arm a is scale·z_a with a score z_a (Scores). Scores are independent standard
// normals, so the regret of acting uniformly is scale·E max(z_1 … z_K) = scale·∫ (Φ − Φᴷ) dz: 1.16296
// for 5 arms and scale 1.
func Linear() datasets.Kind[LinearOptions] {
	return kind("linear", "means linear in the context, or in the features of the arms", func() LinearOptions {
		return LinearOptions{Scores: Scores{5, 10, "disjoint"}, Scale: 1, Noise: gaussian(0.5)}
	}, func(o LinearOptions) (*datasets.World, error) { return openLinear(o, o.Dim) })
}

// openLinear opens an environment of linear rewards whose parameters have so many elements other than 0.
func openLinear(o LinearOptions, support int) (*datasets.World, error) {
	return scoreModel{
		Scores: o.Scores, support: support, drift: o.Drift,
		uniformRegret: func() float64 {
			return digits(o.Scale * uniformRegret(o.Arms, -reached, reached, normalCDF, func(float64) float64 { return 1 }))
		},
		mean:   func(z float64) float64 { return o.Scale * z },
		reward: o.Noise.add,
	}.world(check.Positive("scale", o.Scale), o.Noise.validate())
}

// reached is the |z| beyond which normal scores add nothing to the first 10 digits of an integral.
const reached = 10
