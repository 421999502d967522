package stats

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Unpaired returns the mean of a less that of b, of values that are not paired, with the interval of Welch (1947), and the
// two-sided p-value of his test that the means are the same: the standard errors add up in squares, and the degrees of freedom
// are those of Satterthwaite. N is the smaller number of values; all is NaN but the mean if one has fewer than two.
func Unpaired(a, b Estimate) (difference Estimate, p float64) {
	e := Estimate{N: min(a.N, b.N), Mean: a.Mean - b.Mean, StdErr: math.Hypot(a.StdErr, b.StdErr)}
	if math.IsNaN(e.StdErr) {
		e.Low, e.High = math.NaN(), math.NaN()
		return e, math.NaN()
	}
	law := welch(a, b)
	half := e.StdErr * law.Quantile((1+Confidence)/2)
	e.Low, e.High = e.Mean-half, e.Mean+half
	return e, e.pValue(law)
}

// welch returns the law of the difference over its standard error.
func welch(a, b Estimate) distuv.StudentsT {
	va, vb := a.StdErr*a.StdErr, b.StdErr*b.StdErr
	freedom := (va + vb) * (va + vb) / (va*va/float64(a.N-1) + vb*vb/float64(b.N-1))
	if va+vb == 0 {
		freedom = float64(max(a.N+b.N-2, 1))
	}
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: freedom}
}
