package synthetic

import (
	"math"

	"banditsim/datasets"
	"banditsim/internal/check"
	"banditsim/internal/kernel"
)

// LogisticOptions are the options of logistic.
type LogisticOptions struct {
	Scores
	Scale float64 `json:"scale"` // standard deviation of the log-odds: above 0 to 100
	Drift Drift   `json:"drift,omitzero"`
}

// Logistic declares rewards of 0 and 1 (Filippi, Cappé, Garivier and Szepesvári: Parametric bandits, the
// generalized linear case, NIPS 2010): arm a pays 1 with probability σ(scale·z_a), where σ is the logistic
// function and z_a a score (Scores). By symmetry E σ = ½, and the regret of acting uniformly is
// ∫ (Φ − Φᴷ)·scale·σ′(scale·z) dz: 0.35824 for 5 arms and scale 2.
func Logistic() datasets.Kind[LogisticOptions] {
	return kind("logistic", "rewards 0 and 1, log-odds linear in the context or the features of the arms", func() LogisticOptions {
		return LogisticOptions{Scores: Scores{5, 10, "disjoint"}, Scale: 2}
	}, func(o LogisticOptions) (*datasets.World, error) {
		return scoreModel{
			Scores: o.Scores, support: o.Dim, drift: o.Drift,
			uniformRegret: func() float64 {
				return uniformRegret(o.Arms, -reached, reached, normalCDF, func(z float64) float64 {
					p := logistic(o.Scale * z)
					return o.Scale * p * (1 - p)
				})
			},
			mean:   func(z float64) float64 { return logistic(o.Scale * z) },
			reward: bernoulli,
		}.world(check.Positive("scale", o.Scale), check.That(o.Scale <= 100, "scale: %g, want above 0 to 100", o.Scale))
	})
}

func logistic(x float64) float64 {
	if x < 0 {
		e := kernel.Exp(x)
		return e / (1 + e)
	}
	return 1 / (1 + kernel.Exp(-math.Abs(x)))
}
