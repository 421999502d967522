package synthetic

import (
	"banditsim/datasets"
	"banditsim/internal/check"
)

// SparseLinearOptions are the options of sparse-linear.
type SparseLinearOptions struct {
	LinearOptions
	Support int `json:"support"` // elements of a parameter vector that are not zero: 1 to dim, and to dim/arms with disjoint parameters
}

// SparseLinear declares linear rewards whose parameters have few elements other than zero (Bastani and
// Bayati: Online decision making with high-dimensional covariates, Operations Research 68, 2020). The
// elements are drawn once a trial; disjoint parameters share none. Means and the regret of acting
// uniformly are those of Linear.
func SparseLinear() datasets.Kind[SparseLinearOptions] {
	return kind("sparse-linear", "linear in a few elements of a long context", func() SparseLinearOptions {
		return SparseLinearOptions{LinearOptions{Scores: Scores{5, 100, "disjoint"}, Scale: 1, Noise: gaussian(0.5)}, 5}
	}, func(o SparseLinearOptions) (*datasets.World, error) {
		err := o.Scores.validate()
		if err == nil {
			err = check.Within("support", o.Support, 1, o.Dim/o.vectors())
		}
		if err != nil {
			return nil, err
		}
		return openLinear(o.LinearOptions, o.Support)
	})
}
