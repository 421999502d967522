package stats

import (
	"math"
	"slices"
)

// ProbabilityBest returns for each policy the share of resamples of the seeds in which the sum of its
// regret, regret[seed][policy], is the lowest; ties share. Whole seeds are resampled, so that policies
// stay paired. It is NaN for fewer than two seeds. As all bootstraps of few values, it is overconfident:
// the means of resamples of n seeds spread √((n−1)/n) times as much as they should.
func ProbabilityBest(regret [][]float64) []float64 {
	share := make([]float64, len(regret[0]))
	if len(regret) < 2 {
		return slices.Repeat([]float64{math.NaN()}, len(share))
	}
	index := newIndices(resamplingStream("probability-best"), len(regret))
	sum := make([]float64, len(share))
	for range resamples {
		clear(sum)
		for _, i := range index.draw() {
			for k, v := range regret[i] {
				sum[k] += v
			}
		}
		best, ties := slices.Min(sum), 0.0
		for _, v := range sum {
			if v == best {
				ties++
			}
		}
		for k, v := range sum {
			if v == best {
				share[k] += 1 / ties
			}
		}
	}
	for k := range share {
		share[k] /= resamples
	}
	return share
}
