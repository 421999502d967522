package synthetic

import (
	"banditsim/datasets"
	"banditsim/internal/check"
)

// QuadraticOptions are the options of quadratic.
type QuadraticOptions struct {
	Scores
	Scale float64 `json:"scale"` // mean of an arm's mean reward: above 0
	Noise Noise   `json:"noise"`
	Drift Drift   `json:"drift,omitzero"`
}

// Quadratic declares quadratic rewards, after h₁ of Zhou, Li and Gu (Neural contextual bandits with
// UCB-based exploration, ICML 2020), with normal contexts in place of those on a sphere: the mean of arm a
// is scale·z_a² with a score z_a (Scores). With G = 2Φ − 1, the distribution function of |z|, the regret of
// acting uniformly is scale·∫ (G − Gᴷ)·2z dz from 0 on: 1.77375 for 5 arms and scale 1.
func Quadratic() datasets.Kind[QuadraticOptions] {
	return kind("quadratic", "means quadratic in the context, or in the features of the arms", func() QuadraticOptions {
		return QuadraticOptions{Scores: Scores{5, 10, "disjoint"}, Scale: 1, Noise: gaussian(0.5)}
	}, func(o QuadraticOptions) (*datasets.World, error) {
		abs := func(z float64) float64 { return 2*normalCDF(z) - 1 }
		return scoreModel{
			Scores: o.Scores, support: o.Dim, drift: o.Drift,
			uniformRegret: func() float64 {
				return digits(o.Scale * uniformRegret(o.Arms, 0, reached, abs, func(z float64) float64 { return 2 * z }))
			},
			mean:   func(z float64) float64 { return o.Scale * z * z },
			reward: o.Noise.add,
		}.world(check.Positive("scale", o.Scale), o.Noise.validate())
	})
}
