package stats

import (
	"math"

	"gonum.org/v1/gonum/stat"

	"banditsim/bandit/stream"
	"banditsim/internal/words"
)

// bootstrapTInterval is the studentised bootstrap (Efron and Tibshirani 1993: An
// Introduction to the Bootstrap, section 12.5): the t-interval, but with the quantiles
// of t* = (mean* − mean)/(s*/√n) over resamples in place of Student's, each on its
// own side, so that it leans with skewed values (Hesterberg 2015: What Teachers
// Should Know About the Bootstrap, section 5.3).
//
// d holds at least two values that are not all equal. A resample of one value over
// and over has no spread, and t* is infinite; where these are more than the tails
// hold, as with two or three values, there is no interval, and both ends are NaN.
func bootstrapTInterval(d []float64, s *stream.Stream, resamples int) (low, high float64) {
	m := momentsOf(d)
	n := float64(len(d))
	centered := make([]float64, len(d)) // so that sums of squares lose no digits
	for i, v := range d {
		centered[i] = v - m.mean
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
			return 0 // also without spread
		case spread <= 1e-12*squares: // of rounding alone
			return math.Inf(int(math.Copysign(1, sum)))
		}
		return sum / math.Sqrt(n*spread/(n-1)) // (mean* − mean)/(s*/√n), both times n
	})
	tail := (1 - Confidence) / 2
	low = m.mean - m.stdErr()*stat.Quantile(1-tail, stat.Empirical, t, nil)
	high = m.mean - m.stdErr()*stat.Quantile(tail, stat.Empirical, t, nil)
	if !words.Finite(low) || !words.Finite(high) {
		return math.NaN(), math.NaN()
	}
	return low, high
}
