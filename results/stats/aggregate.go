package stats

import (
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/floats"

	"banditsim/internal/lists"
)

// StratifiedResamples is the number of resamples of the stratified bootstrap. The ends of an interval are the 50th
// lowest and the 50th highest of their results.
const StratifiedResamples = 1999

// The functions of this file are those of Agarwal, Schwarzer, Castro, Courville and Bellemare (NeurIPS 2021: Deep
// Reinforcement Learning at the Edge of the Statistical Precipice) and of their library rliable. Scores are indexed by
// environment and run; higher is better. Environments have equal weight, even if their numbers of runs differ.
//
// The interval of an Estimate is the percentile interval of the stratified bootstrap, which resamples the runs within
// each environment. It holds for new runs in these environments, not for other environments. Like every percentile
// interval it is too short for few runs. StdErr is the standard deviation over the resamples, N the number of scores.
// If any environment has a single run, Low, High and StdErr are NaN; without environments, Mean is NaN too.

// InterquartileMean returns the mean of the middle half of n scores: without the ⌊n/4⌋ lowest and the ⌊n/4⌋ highest. If
// environments differ in their number of runs, scores differ in weight. Then the share ⌊n/4⌋/n of the total weight is
// left out at the low end, and as much at the high end.
func InterquartileMean(scores [][]float64) Estimate {
	return pooled(scores, 1, func(values, weights, dst []float64) {
		cut := float64(len(values)/4) / float64(len(values))
		sum, below := 0.0, 0.0
		for i, v := range values {
			above := below + weights[i]
			sum += float64(v * max(min(above, 1-cut)-max(below, cut), 0))
			below = above
		}
		dst[0] = sum / (1 - 2*cut)
	})[0]
}

// OptimalityGap returns 1 − mean(min(score, 1)), the mean amount by which scores fall short of 1.
func OptimalityGap(scores [][]float64) Estimate {
	return pooled(scores, 1, func(values, weights, dst []float64) {
		dst[0] = 0
		for i, v := range values {
			dst[0] += float64(weights[i] * max(1-v, 0))
		}
	})[0]
}

// PerformanceProfile returns the share of scores above each of the thresholds, which must ascend. An interval holds for
// its threshold alone.
func PerformanceProfile(scores [][]float64, thresholds []float64) []Estimate {
	return pooled(scores, len(thresholds), func(values, weights, dst []float64) {
		above, i := 0.0, len(values)
		for k := len(dst) - 1; k >= 0; k-- {
			for ; i > 0 && values[i-1] > thresholds[k]; i-- {
				above += weights[i-1]
			}
			dst[k] = above
		}
	})
}

// pooled returns k statistics of all scores with their intervals. The function statistics stores the k numbers in dst,
// given the scores in ascending order and their weights, whose sum is 1. Resamples differ only in the weights.
func pooled(scores [][]float64, k int, statistics func(values, weights, dst []float64)) []Estimate {
	values := slices.Concat(scores...)
	order, place := make([]int, len(values)), make([]int, len(values))
	floats.ArgsortStable(values, order) // sorts values too
	for at, i := range order {
		place[i] = at
	}
	weights := make([]float64, len(values))
	return stratified(runs(scores), k, func(draws [][]int, dst []float64) {
		clear(weights)
		first := 0
		for _, drawn := range draws {
			each := 1 / float64(len(drawn)*len(draws))
			for _, i := range drawn {
				weights[place[first+i]] += each
			}
			first += len(drawn)
		}
		statistics(values, weights, dst)
	})
}

// ProbabilityOfImprovement returns the probability that a score of x is higher than one of y in the same environment,
// where ties count half, averaged over the environments. In each environment it is the statistic of Mann and Whitney
// (1947), divided by the number of pairs. Runs of x and y are resampled independently of each other.
func ProbabilityOfImprovement(x, y [][]float64) Estimate {
	// for each score of x, the numbers of scores of y that are below it, and that are not above it
	below, until := make([][]int, len(x)), make([][]int, len(x))
	for e, other := range y {
		other = slices.Sorted(slices.Values(other))
		for _, v := range x[e] {
			below[e] = append(below[e], sort.SearchFloat64s(other, v))
			until[e] = append(until[e], sort.SearchFloat64s(other, math.Nextafter(v, math.Inf(1))))
		}
	}
	var counts []int // counts[k] is the number of draws among the k lowest scores of y
	return stratified(append(runs(x), runs(y)...), 1, func(draws [][]int, dst []float64) {
		dst[0] = 0
		for e := range x {
			mine, others := draws[e], draws[len(x)+e]
			counts = append(counts[:0], make([]int, len(y[e])+1)...)
			for _, j := range others {
				counts[j+1]++
			}
			for j := range others {
				counts[j+1] += counts[j]
			}
			twice := 0
			for _, i := range mine {
				twice += counts[below[e][i]] + counts[until[e][i]]
			}
			dst[0] += float64(twice) / float64(2*len(mine)*len(others)) / float64(len(x))
		}
	})[0]
}

func runs(scores [][]float64) []int {
	return lists.Each(scores, func(s []float64) int { return len(s) })
}

// stratified returns k statistics of strata of the given sizes, with their intervals. The function statistics stores
// the k numbers in dst, given the indices drawn in each stratum. Mean is the result if every index is drawn once.
func stratified(sizes []int, k int, statistics func(draws [][]int, dst []float64)) []Estimate {
	estimates, n, few := make([]Estimate, k), 0, false
	nan := math.NaN()
	point, draws, draw := slices.Repeat([]float64{nan}, k), make([][]int, len(sizes)), make([]func() []int, len(sizes))
	s := resamplingStream("stratified-bootstrap")
	for e, size := range sizes {
		n, few = n+size, few || size < 2
		draw[e] = indices(s, size)
		for i := range size {
			draws[e] = append(draws[e], i)
		}
	}
	if n > 0 {
		statistics(draws, point)
	}
	for i, v := range point {
		estimates[i] = Estimate{n, v, nan, nan, nan}
	}
	if few || n == 0 {
		return estimates
	}
	resampled := make([][]float64, k)
	for range StratifiedResamples {
		for e := range draw {
			draws[e] = draw[e]()
		}
		statistics(draws, point)
		for i, v := range point {
			resampled[i] = append(resampled[i], v)
		}
	}
	for i, values := range resampled {
		slices.Sort(values)
		e := &estimates[i]
		e.StdErr = momentsOf(values).StdDev()
		e.Low, e.High = quantileOf((1-Confidence)/2, values), quantileOf((1+Confidence)/2, values)
	}
	return estimates
}
