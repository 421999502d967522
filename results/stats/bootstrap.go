package stats

import (
	"slices"

	"banditsim/bandit/stream"
)

// Resamples is the number of resamples of a bootstrap. (Resamples+1)·2.5 % is an integer, and resampling
// noise moves the ends of an interval by one or two percent of its width.
const Resamples = 9999

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

// together is the number of resamples whose sums are formed side by side, as each addition waits for the one before.
const together = 4

// bootstrapSums is bootstrap for a statistic of the sum of a resample and of its squares, several times as fast.
func bootstrapSums(d []float64, s *stream.Stream, resamples int, statistic func(sum, squares float64) float64) []float64 {
	statistics := make([]float64, 0, resamples+together)
	n := len(d)
	words := make([]uint64, together*n/2) // two halves each
	pick := func(half int) float64 {
		return d[uint64(uint32(words[half/2]>>(32*(half%2))))*uint64(n)>>32]
	}
	for len(statistics) < resamples {
		s.Uint64s(words)
		var sum, squares [together]float64
		for i := range n {
			a, b, c, e := pick(i), pick(n+i), pick(2*n+i), pick(3*n+i)
			sum[0] += a
			squares[0] += a * a
			sum[1] += b
			squares[1] += b * b
			sum[2] += c
			squares[2] += c * c
			sum[3] += e
			squares[3] += e * e
		}
		for k := range sum {
			statistics = append(statistics, statistic(sum[k], squares[k]))
		}
	}
	statistics = statistics[:resamples]
	slices.Sort(statistics)
	return statistics
}

// indices draws n numbers at a time from 0 … n−1, with replacement.
type indices struct {
	stream *stream.Stream
	words  [256]uint64
	halves [512]uint32 // halves of words, the low one first
	used   int         // halves
	drawn  []int
}

func newIndices(s *stream.Stream, n int) *indices {
	x := &indices{stream: s, drawn: make([]int, n)}
	x.used = len(x.halves)
	return x
}

// draw returns n indices, valid until the next call. Each takes 32 random bits: the relative bias, less
// than n·2⁻³², is far below the noise of resampling.
func (x *indices) draw() []int {
	n := uint64(len(x.drawn))
	for left := x.drawn; len(left) > 0; {
		if x.used == len(x.halves) {
			x.refill()
		}
		halves := x.halves[x.used:]
		halves = halves[:min(len(halves), len(left))]
		for i, half := range halves {
			left[i] = int(uint64(half) * n >> 32)
		}
		left = left[len(halves):]
		x.used += len(halves)
	}
	return x.drawn
}

func (x *indices) refill() {
	x.stream.Uint64s(x.words[:])
	for i, word := range x.words {
		x.halves[2*i], x.halves[2*i+1] = uint32(word), uint32(word>>32)
	}
	x.used = 0
}
