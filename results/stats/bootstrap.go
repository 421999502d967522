package stats

import (
	"math"
	"slices"

	"banditsim/bandit/stream"
)

// resamples is the number of resamples of a bootstrap. (resamples+1)·2.5 % is an integer, and resampling
// noise moves the ends of an interval by one or two percent of its width.
const resamples = 9999

// resamplingStream returns the random stream of a method. It depends on the method alone, so that equal
// data give equal results.
func resamplingStream(method string) *stream.Stream {
	return stream.Root(0).Child("results", "compare", method)
}

// bootstrap returns the sorted statistics of resamples of d: len(d) values drawn with replacement. The
// statistic must not keep its argument, nor return NaN.
func bootstrap(d []float64, s *stream.Stream, resamples int, statistic func([]float64) float64) []float64 {
	statistics := make([]float64, resamples)
	resample := make([]float64, len(d))
	index := newIndices(s, len(d))
	for b := range statistics {
		for i, k := range index.draw() {
			resample[i] = d[k]
		}
		statistics[b] = statistic(resample)
	}
	slices.Sort(statistics)
	return statistics
}

// indices draws n numbers at a time from 0 … n−1, with replacement.
type indices struct {
	stream *stream.Stream
	words  [256]uint64
	used   uint // halves of words, the low one first
	drawn  []int
}

func newIndices(s *stream.Stream, n int) *indices {
	return &indices{stream: s, drawn: make([]int, n)}
}

// draw returns n indices, valid until the next call. Each takes 32 random bits: the relative bias is less than n·2⁻³².
func (x *indices) draw() []int {
	n, used := uint64(len(x.drawn)), x.used
	for i := range x.drawn {
		at := used / 2 % 256
		if used%512 == 0 {
			x.stream.Uint64s(x.words[:])
		}
		x.drawn[i] = int(x.words[at] >> (used % 2 * 32) & math.MaxUint32 * n >> 32)
		used++
	}
	x.used = used
	return x.drawn
}

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
