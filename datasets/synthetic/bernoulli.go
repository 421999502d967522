package synthetic

import (
	"banditsim/datasets"
)

// BernoulliOptions are the options of bernoulli.
type BernoulliOptions struct {
	Means []float64 `json:"means"` // probabilities of the reward 1, one for each of 2 to 1000 arms: 0 to 1
	Drift Drift     `json:"drift,omitzero"`
}

// Bernoulli declares arms without contexts whose rewards are 0 and 1. The defaults are the ten arms of
// Chapelle and Li (An empirical evaluation of Thompson sampling, NIPS 2011), the best with .5 and the
// others with .4. Acting uniformly costs max μ − mean μ: .09.
func Bernoulli() datasets.Kind[BernoulliOptions] {
	return kind("bernoulli", "no context: arms that pay 1 with fixed probabilities", func() BernoulliOptions {
		return BernoulliOptions{Means: []float64{.5, .4, .4, .4, .4, .4, .4, .4, .4, .4}}
	}, func(o BernoulliOptions) (*datasets.World, error) {
		return meanModel{o.Means, o.Drift, bernoulli}.world(0, 1)
	})
}
