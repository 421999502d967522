package stats

import (
	"math"

	"gonum.org/v1/gonum/stat"

	"banditsim/bandit/stream"
	"banditsim/internal/words"
)

// bootstrapTInterval is the studentized bootstrap (Efron and Tibshirani 1993: An Introduction to the Bootstrap,
// section 12.5): the t-interval, but with the quantiles of t* = (mean* − mean)/(s*/√n) over resamples in place of
// Student's, each on its own side, so that it leans with skewed values (Hesterberg 2015: What Teachers Should Know
// About the Bootstrap, section 5.3).
//
// d has at least two values that are not all equal. In a resample of equal values t* is infinite; if these are more
// than the tails, as for two or three values, there is no interval, and both ends are NaN.
func bootstrapTInterval(d []float64, s *stream.Stream, resamples int) (low, high float64) {
	m := momentsOf(d)
	n := float64(len(d))
	centered := make([]float64, len(d)) // keeps the digits of sums of squares
	for i, v := range d {
		centered[i] = v - m.Mean
	}
	t := bootstrap(centered, s, resamples, func(resample []float64) float64 {
		var sum, squares float64
		for _, v := range resample {
			sum += v
			squares += v * v
		}
		spread := squares - sum*sum/n
		switch {
		case sum == 0:
			return 0 // also of equal values
		case spread <= 1e-12*squares: // rounding error
			return math.Inf(int(math.Copysign(1, sum)))
		}
		return sum / math.Sqrt(n*spread/(n-1)) // (mean* − mean)/(s*/√n), both times n
	})
	tail := (1 - Confidence) / 2
	low = m.Mean - m.stdErr()*stat.Quantile(1-tail, stat.Empirical, t, nil)
	high = m.Mean - m.stdErr()*stat.Quantile(tail, stat.Empirical, t, nil)
	if !words.Finite(low) || !words.Finite(high) {
		return math.NaN(), math.NaN()
	}
	return low, high
}
