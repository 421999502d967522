package policy

import (
	"math"

	"banditsim/bandit"
	"banditsim/internal/check"
)

// GaussianTSOptions are the options of GaussianTS.
type GaussianTSOptions struct {
	Noise float64      `json:"noise"` // standard deviation of a reward that is scaled to [0, 1] by the range; 1 as in Agrawal and Goyal 2013
	Range RangeOptions `json:"range"`
	Exploring
}

// GaussianTSKind declares GaussianTS.
//
// GaussianTS draws the mean of each arm from
//
//	N(sₐ/(nₐ+1), noise²/(nₐ+1))
//
// and pulls the arm with the highest draw, where sₐ is the sum of the arm's nₐ rewards, scaled to [0, 1] by the range
// (Agrawal and Goyal, AISTATS 2013, algorithm 2).
func GaussianTSKind() Kind[GaussianTSOptions] {
	return Kind[GaussianTSOptions]{
		Name: "GaussianTS", Doc: "Thompson sampling of Gaussian means, without context (Agrawal and Goyal 2013)",
		Defaults: func() GaussianTSOptions { return GaussianTSOptions{Noise: 1, Range: seenRange()} },
		New: func(o GaussianTSOptions, s Setup) (bandit.Policy, error) {
			draws, normals := s.Stream.Child("draw"), make([]float32, len(s.Spec.Arms))
			return newTally(o.Range, s, draws, func(index []float64, c *tally) {
				draws.Normals(normals)
				for arm, z := range normals {
					n := c.rewards[arm].N
					index[arm] = float64(c.scaled(arm)*n)/(n+1) + float64(o.Noise*float64(z))/math.Sqrt(n+1)
				}
			}, check.NotNegative("noise", o.Noise))
		},
	}
}
