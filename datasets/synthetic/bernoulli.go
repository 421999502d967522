package synthetic

import (
	"context"

	"banditsim/bandit/stream"
	"banditsim/datasets"
	"banditsim/internal/check"
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
	return datasets.Kind[BernoulliOptions]{
		Name: "bernoulli", Doc: "no context: arms that pay 1 with fixed probabilities",
		Defaults: func() BernoulliOptions {
			return BernoulliOptions{Means: []float64{.5, .4, .4, .4, .4, .4, .4, .4, .4, .4}}
		},
		Open: func(_ context.Context, o BernoulliOptions, data string) (*datasets.World, error) {
			m := meanModel{o.Means, o.Drift, func(r *stream.Stream, reward, mean []float64, _ []float32) { bernoulli(r, reward, mean) }}
			if err := check.First(noData("bernoulli", data), m.validate(0, 1)); err != nil {
				return nil, err
			}
			return m.world(), nil
		},
	}
}
