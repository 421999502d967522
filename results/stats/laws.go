package stats

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mathext"
)

// The laws that tests need, by the special functions of gonum. Package distuv has them too, and costs the build gonum's linear
// algebra.

// studentT is Student's t with so many degrees of freedom.
type studentT float64

func (f studentT) cdf(x float64) float64 {
	if x == 0 {
		return 0.5
	}
	tail := 0.5 * mathext.RegIncBeta(float64(f)/2, 0.5, float64(f)/(float64(x*x)+float64(f)))
	if x > 0 {
		return 1 - tail
	}
	return tail
}

func (f studentT) quantile(p float64) float64 {
	if p == 0.5 {
		return 0
	}
	t := mathext.InvRegIncBeta(float64(f)/2, 0.5, 2*min(p, 1-p))
	return math.Copysign(math.Sqrt(float64(f)*(1-t)/t), p-0.5)
}

// normalCDF returns the probability that a standard normal number is at most x.
func normalCDF(x float64) float64 { return 0.5 * math.Erfc(-x/math.Sqrt2) }

// normalDensity returns the density of the standard normal law.
func normalDensity(x float64) float64 {
	const logRoot2Pi = 0.91893853320467274178032973640561763986
	return math.Exp(-logRoot2Pi - float64(x*x)/2)
}

// chiSquaredSurvival returns the probability that a χ² with so many degrees of freedom is above x.
func chiSquaredSurvival(x, freedom float64) float64 { return mathext.GammaIncRegComp(freedom/2, x/2) }

// fSurvival returns the probability that a number of Fisher's F is above x.
func fSurvival(x, d1, d2 float64) float64 {
	return 1 - mathext.RegIncBeta(d1/2, d2/2, d1*x/(float64(d1*x)+d2))
}

// meanOf returns the mean of values.
func meanOf(values []float64) float64 { return floats.Sum(values) / float64(len(values)) }

// quantileOf returns the lowest of the sorted values that at least a share p of them do not exceed.
func quantileOf(p float64, sorted []float64) float64 {
	return sorted[max(int(math.Ceil(p*float64(len(sorted)))), 1)-1]
}
