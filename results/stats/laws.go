package stats

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mathext"
)

// The probability distributions of the tests, from gonum's special functions. gonum's package distuv has them too, but
// links gonum's linear algebra into the program.

// studentT is Student's t distribution. The number is the degrees of freedom.
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

func normalDensity(x float64) float64 {
	const logRoot2Pi = 0.91893853320467274178032973640561763986
	return math.Exp(-logRoot2Pi - float64(x*x)/2)
}

// chiSquaredSurvival returns the probability that χ² with the given degrees of freedom is above x.
func chiSquaredSurvival(x, freedom float64) float64 { return mathext.GammaIncRegComp(freedom/2, x/2) }

// fSurvival returns the probability that Fisher's F with d1 and d2 degrees of freedom is above x.
func fSurvival(x, d1, d2 float64) float64 {
	return 1 - mathext.RegIncBeta(d1/2, d2/2, d1*x/(float64(d1*x)+d2))
}

func meanOf(values []float64) float64 { return floats.Sum(values) / float64(len(values)) }

// quantileOf returns the smallest of the sorted values v such that at least a share p of the values is at most v.
func quantileOf(p float64, sorted []float64) float64 {
	return sorted[max(int(math.Ceil(p*float64(len(sorted)))), 1)-1]
}
