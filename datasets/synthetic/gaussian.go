package synthetic

import (
	"banditsim/datasets"
)

// GaussianOptions are the options of gaussian.
type GaussianOptions struct {
	Means []float64 `json:"means"` // one for each of 2 to 1000 arms: −1e9 to 1e9
	Noise Noise     `json:"noise"`
	Drift Drift     `json:"drift,omitzero"`
}

// Gaussian declares arms without contexts with normal rewards (Lattimore and Szepesvári: Bandit
// Algorithms, Cambridge 2020, chapter 7). Acting uniformly costs max μ − mean μ: .45 with the default
// means .1, .2 … 1.
func Gaussian() datasets.Kind[GaussianOptions] {
	return kind("gaussian", "no context: arms with fixed means and normal noise", func() GaussianOptions {
		return GaussianOptions{Means: []float64{.1, .2, .3, .4, .5, .6, .7, .8, .9, 1}, Noise: gaussian(1)}
	}, func(o GaussianOptions) (*datasets.World, error) {
		if err := o.Noise.validate(); err != nil {
			return nil, err
		}
		return meanModel{o.Means, o.Drift, o.Noise.add}.world(-1e9, 1e9)
	})
}
