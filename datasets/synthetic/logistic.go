package synthetic

import (
	"context"
	"math"

	"banditsim/bandit/stream"
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
	return datasets.Kind[LogisticOptions]{
		Name: "logistic", Doc: "rewards 0 and 1, log-odds linear in the context or the features of the arms",
		Defaults: func() LogisticOptions { return LogisticOptions{Scores: Scores{5, 10, "disjoint"}, Scale: 2} },
		Open: func(_ context.Context, o LogisticOptions, data string) (*datasets.World, error) {
			err := check.First(noData("logistic", data), o.Scores.validate(), check.Positive("scale", o.Scale), o.Drift.validate())
			if err == nil && o.Scale > 100 {
				err = rangeError("scale", o.Scale, "above 0 to 100")
			}
			if err != nil {
				return nil, err
			}
			return scoreModel{
				Scores: o.Scores, support: o.Dim, drift: o.Drift,
				uniformRegret: uniformRegret(o.Arms, -reached, reached, normalCDF, func(z float64) float64 {
					p := logistic(o.Scale * z)
					return o.Scale * p * (1 - p)
				}),
				mean:   func(z float64) float64 { return logistic(o.Scale * z) },
				reward: func(r *stream.Stream, reward, mean []float64, _ []float32) { bernoulli(r, reward, mean) },
			}.world(), nil
		},
	}
}

// logistic is 1/(1+e⁻ˣ).
func logistic(x float64) float64 {
	if x < 0 {
		e := kernel.Exp(x)
		return e / (1 + e)
	}
	return 1 / (1 + kernel.Exp(-math.Abs(x)))
}
