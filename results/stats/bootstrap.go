package stats

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"

	"banditsim/bandit/stream"
	"banditsim/internal/lists"
	"banditsim/internal/words"
)

// resamples is the number of resamples of a bootstrap. With it, the 2.5 % and 97.5 % quantiles are the 250th lowest and
// the 250th highest. Resampling noise moves the ends of an interval by one or two percent of its width.
const resamples = 9999

// resamplingStream returns a random stream that depends only on method, so that equal data give equal results.
func resamplingStream(method string) *stream.Stream {
	return stream.Root(0).Child("results", "compare", method)
}

// bootstrap returns the sorted results of statistic for resamples of d, each of len(d) values drawn with replacement.
// The function statistic must not keep its argument, and must not return NaN.
func bootstrap(d []float64, s *stream.Stream, resamples int, statistic func([]float64) float64) []float64 {
	statistics := make([]float64, resamples)
	resample := make([]float64, len(d))
	draw := indices(s, len(d))
	for b := range statistics {
		for i, k := range draw() {
			resample[i] = d[k]
		}
		statistics[b] = statistic(resample)
	}
	slices.Sort(statistics)
	return statistics
}

// indices returns a function that draws n numbers from 0 … n−1 with replacement, valid until its next call. Each number
// takes 32 random bits, the low half of a word before its high half. Probabilities have a relative bias below n·2⁻³².
func indices(s *stream.Stream, n int) func() []int {
	var words [256]uint64
	used, drawn := uint(0), make([]int, n) // used counts halves of words
	return func() []int {
		for i := range drawn {
			if used%512 == 0 {
				s.Uint64s(words[:])
			}
			drawn[i] = int(words[used/2%256] >> (used % 2 * 32) & math.MaxUint32 * uint64(n) >> 32)
			used++
		}
		return drawn
	}
}

// ProbabilityBest returns, for each policy, the share of resamples in which it has the lowest sum of regret. The
// argument regret is indexed by seed and policy. Whole seeds are resampled, so that policies stay paired. If k policies
// tie for the lowest sum, the resample counts 1/k for each. There must be at least one seed; with only one, the results
// are NaN. Like every bootstrap of few values this is overconfident: with n seeds, means of resamples have a standard
// deviation that is too small by the factor √((n−1)/n).
func ProbabilityBest(regret [][]float64) []float64 {
	share := make([]float64, len(regret[0]))
	if len(regret) < 2 {
		return slices.Repeat([]float64{math.NaN()}, len(share))
	}
	draw := indices(resamplingStream("probability-best"), len(regret))
	sum := make([]float64, len(share))
	for range resamples {
		clear(sum)
		for _, i := range draw() {
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

// MinBCaPairs is the smallest number of pairs for BCa intervals. Like all percentile intervals they are too short for
// few values: the 95 % interval of 10 normal values has a coverage of about 90 % (TestCoverage).
const MinBCaPairs = 40

// bcaInterval is the bias-corrected and accelerated bootstrap (Efron 1987: Better bootstrap confidence intervals;
// Efron and Tibshirani 1993, equations 14.9 to 14.15; DiCiccio and Efron 1996: Bootstrap confidence intervals,
// section 2). Its ends are the quantiles of the resampled means at the levels
//
//	Φ(z₀ + (z₀ + z)/(1 − a(z₀ + z))),  z = Φ⁻¹(tail) and z = Φ⁻¹(1 − tail),
//
// where tail is (1 − Confidence)/2, Φ is the normal distribution function, Φ(z₀) is the share of resampled means below
// the mean, and a is the jackknife estimate of the acceleration. d has at least two values that are not all equal.
func bcaInterval(d []float64, s *stream.Stream, resamples int) (low, high float64) {
	mean := meanOf(d)
	means := bootstrap(d, s, resamples, meanOf)
	z0, a := biasCorrection(means, mean), acceleration(d, mean)
	tail := (1 - Confidence) / 2
	end := func(tail float64) float64 { return quantileOf(bcaLevel(tail, z0, a), means) }
	return end(tail), end(1 - tail)
}

// bcaLevel returns the level that replaces tail, by the formula of bcaInterval. The divisor 1 − a(z₀ + z) is positive,
// as |a| < 1/6 for a mean and |z₀ + z| < 6.
func bcaLevel(tail, z0, a float64) float64 {
	z := z0 + mathext.NormalQuantile(tail)
	return normalCDF(z0 + z/(1-a*z))
}

// biasCorrection returns z₀, the normal quantile of the share of resampled means below the mean. A resampled mean that
// equals the mean counts half. So that the share is never 0 or 1, one such mean is added to the resampled ones.
func biasCorrection(means []float64, mean float64) float64 {
	below := 0.5
	for _, v := range means {
		switch {
		case v < mean:
			below++
		case v == mean:
			below += 0.5
		}
	}
	return mathext.NormalQuantile(below / float64(len(means)+1))
}

// acceleration returns a = Σuᵢ³/(6·(Σuᵢ²)^(3/2)), where uᵢ = (dᵢ − mean)/(n−1) is the decrease of the mean without dᵢ.
// The factor 1/(n−1) cancels.
func acceleration(d []float64, mean float64) float64 {
	var squares, cubes float64
	for _, v := range d {
		u := v - mean
		squares += u * u
		cubes += u * u * u
	}
	return cubes / (6 * math.Pow(squares, 1.5))
}

// bootstrapTInterval is the studentized bootstrap (Efron and Tibshirani 1993: An Introduction to the Bootstrap,
// section 12.5): a t-interval in which the quantiles of t* = (mean* − mean)/(s*/√n) over resamples replace those of
// Student's t, where * marks the mean and the standard deviation of a resample. Each end has its own quantile: skewed
// values have an asymmetric interval (Hesterberg 2015: What Teachers Should Know About the Bootstrap, section 5.3).
//
// d has at least two values that are not all equal. t* is infinite in a resample whose values all equal one number
// other than the mean. If the share of such resamples exceeds a tail, as for two or three values, both ends are NaN.
func bootstrapTInterval(d []float64, s *stream.Stream, resamples int) (low, high float64) {
	m := momentsOf(d)
	n := float64(len(d))
	centered := lists.Each(d, func(v float64) float64 { return v - m.Mean }) // avoids cancellation in sums of squares
	t := bootstrap(centered, s, resamples, func(resample []float64) float64 {
		var sum, squares float64
		for _, v := range resample {
			sum += v
			squares += v * v
		}
		spread := squares - sum*sum/n
		switch {
		case sum == 0:
			return 0 // also if all values equal the mean: 0/0
		case spread <= 1e-12*squares: // zero up to rounding errors
			return math.Inf(int(math.Copysign(1, sum)))
		}
		return sum / math.Sqrt(n*spread/(n-1)) // (mean* − mean)/(s*/√n), numerator and denominator times n
	})
	tail := (1 - Confidence) / 2
	low = m.Mean - m.stdErr()*quantileOf(1-tail, t)
	high = m.Mean - m.stdErr()*quantileOf(tail, t)
	if !words.Finite(low) || !words.Finite(high) {
		return math.NaN(), math.NaN()
	}
	return low, high
}
