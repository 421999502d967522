package stats

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"banditsim/internal/lists"
)

// StratifiedResamples is the number of resamples of the stratified bootstrap. (StratifiedResamples+1)·2.5 % is an
// integer.
const StratifiedResamples = 1999

// The functions of this file are those of Agarwal, Schwarzer, Castro, Courville and Bellemare (NeurIPS 2021: Deep
// Reinforcement Learning at the Edge of the Statistical Precipice) and of their library rliable. Scores, by environment
// and run, are better the higher they are. Every environment has the same weight, also if the numbers of runs differ.
// The interval of an Estimate is the percentile interval of the stratified bootstrap: the runs of each environment are
// resampled by themselves, and the environments are fixed. So it says how much other runs in these environments would
// change the number, not what to expect in another environment; like every percentile interval of few values it is too
// short for few runs. StdErr is the standard deviation over the resamples, N the number of scores. Interval and StdErr
// are NaN if an environment has a single run, and everything is NaN without environments.

// InterquartileMean returns the mean of the middle half of all scores: with n scores, ⌊n/4⌋ are left out at either end.
// If numbers of runs differ, so much weight is left out.
func InterquartileMean(scores [][]float64) Estimate {
	return pooled(scores, 1, func(values, weights, to []float64) {
		cut := float64(len(values)/4) / float64(len(values))
		sum, below := 0.0, 0.0
		for i, v := range values {
			above := below + weights[i]
			sum += float64(v * max(min(above, 1-cut)-max(below, cut), 0))
			below = above
		}
		to[0] = sum / (1 - 2*cut)
	})[0]
}

// OptimalityGap returns 1 − mean(min(score, 1)): by how much scores fall short of 1 on average.
func OptimalityGap(scores [][]float64) Estimate {
	return pooled(scores, 1, func(values, weights, to []float64) {
		to[0] = 0
		for i, v := range values {
			to[0] += float64(weights[i] * max(1-v, 0))
		}
	})[0]
}

// PerformanceProfile returns the share of scores above each threshold. Thresholds must be in ascending order. Each
// interval holds for its threshold alone.
func PerformanceProfile(scores [][]float64, thresholds []float64) []Estimate {
	return pooled(scores, len(thresholds), func(values, weights, to []float64) {
		above, i := 0.0, len(values)
		for k := len(to) - 1; k >= 0; k-- {
			for ; i > 0 && values[i-1] > thresholds[k]; i-- {
				above += weights[i-1]
			}
			to[k] = above
		}
	})
}

// pooled returns k statistics of all scores. statistics sets the k elements of to from the values in ascending order
// and their weights, whose sum is 1; in a resample the weights differ.
func pooled(scores [][]float64, k int, statistics func(values, weights, to []float64)) []Estimate {
	values := slices.Concat(scores...)
	order, place := make([]int, len(values)), make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	for at, i := range order {
		place[i] = at
	}
	slices.Sort(values)
	weights := make([]float64, len(values))
	return stratified(runs(scores), k, func(draws [][]int, to []float64) {
		clear(weights)
		first := 0
		for _, drawn := range draws {
			each := 1 / float64(len(drawn)*len(draws))
			for _, i := range drawn {
				weights[place[first+i]] += each
			}
			first += len(drawn)
		}
		statistics(values, weights, to)
	})
}

// ProbabilityOfImprovement returns the probability that a score of x is higher than one of y in the same environment,
// where equal scores count half, as a mean over the environments. In each it is the statistic of Mann and Whitney
// (1947), divided by the number of pairs. Runs of x and y are resampled independently of each other.
func ProbabilityOfImprovement(x, y [][]float64) Estimate {
	below, until := make([][]int, len(x)), make([][]int, len(x)) // numbers of scores of y below a score of x, and not above it
	for e, other := range y {
		other = slices.Sorted(slices.Values(other))
		for _, v := range x[e] {
			below[e] = append(below[e], sort.SearchFloat64s(other, v))
			until[e] = append(until[e], sort.SearchFloat64s(other, math.Nextafter(v, math.Inf(1))))
		}
	}
	var counts []int // how many of the lowest scores of y were drawn, times each
	of := stratified(append(runs(x), runs(y)...), 1, func(draws [][]int, to []float64) {
		to[0] = 0
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
			to[0] += float64(twice) / float64(2*len(mine)*len(others)) / float64(len(x))
		}
	})
	return of[0]
}

func runs(scores [][]float64) []int {
	return lists.Each(scores, func(s []float64) int { return len(s) })
}

// stratified returns k statistics of strata of the given sizes, with their intervals. statistics sets the k elements of
// to from the indices drawn in each stratum; the estimate is that of all indices, each once.
func stratified(sizes []int, k int, statistics func(draws [][]int, to []float64)) []Estimate {
	estimates, n, few := make([]Estimate, k), 0, false
	nan := math.NaN()
	point, draws, draw := make([]float64, k), make([][]int, len(sizes)), make([]func() []int, len(sizes))
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
	} else {
		point = slices.Repeat([]float64{nan}, k)
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
