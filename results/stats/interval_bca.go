package stats

import (
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"banditsim/bandit/stream"
)

// MinBCaPairs is the least number of pairs for BCa intervals. As all percentile intervals they are too short for few
// values: the 95 % interval of 10 normal values has a coverage of about 90 % (TestCoverage).
const MinBCaPairs = 40

// bcaInterval is the bias-corrected and accelerated bootstrap (Efron 1987: Better bootstrap confidence intervals;
// Efron and Tibshirani 1993, equations 14.9 to 14.15; DiCiccio and Efron 1996: Bootstrap confidence intervals,
// section 2): the quantiles of the resampled means at
//
//	Φ(z₀ + (z₀ + z)/(1 − a(z₀ + z))),  z = Φ⁻¹ of each tail,
//
// where Φ(z₀) is the share of resampled means below the mean, and a is the
// acceleration by the jackknife. d holds at least two values that are not all equal.
func bcaInterval(d []float64, s *stream.Stream, resamples int) (low, high float64) {
	mean := stat.Mean(d, nil)
	means := bootstrap(d, s, resamples, func(resample []float64) float64 { return stat.Mean(resample, nil) })
	z0, a := biasCorrection(means, mean), acceleration(d, mean)
	tail := (1 - Confidence) / 2
	end := func(tail float64) float64 { return stat.Quantile(bcaLevel(tail, z0, a), stat.Empirical, means, nil) }
	return end(tail), end(1 - tail)
}

// bcaLevel returns the bias-corrected level that replaces tail. For a mean, |a| < 1/6 and
// |z₀ + z| < 6, so that the denominator is positive.
func bcaLevel(tail, z0, a float64) float64 {
	z := z0 + distuv.UnitNormal.Quantile(tail)
	return distuv.UnitNormal.CDF(z0 + z/(1-a*z))
}

// biasCorrection returns z₀, the normal quantile of the share of resampled means below the
// mean. Equal means count half, and half a resample is added to keep the share from 0 and 1.
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
	return distuv.UnitNormal.Quantile(below / float64(len(means)+1))
}

// acceleration returns a = Σu³/(6·(Σu²)^(3/2)), where u is the decrease of the statistic when a value is left out.
// Leaving out dᵢ moves the mean by (mean − dᵢ)/(n−1), and the factor cancels.
func acceleration(d []float64, mean float64) float64 {
	var squares, cubes float64
	for _, v := range d {
		u := v - mean
		squares += u * u
		cubes += u * u * u
	}
	return cubes / (6 * math.Pow(squares, 1.5))
}
