package stats

import (
	"math"
	"sync"

	"gonum.org/v1/gonum/stat/distuv"
)

// tInterval returns the interval of Student's t (Student 1908: The probable error of a
// mean), mean ± t(n−1)·s/√n: exact for normal values. NaN for fewer than two values.
func (m Moments) tInterval() (low, high float64) {
	if m.n < 2 {
		return math.NaN(), math.NaN()
	}
	half := m.stdErr() * tQuantile(m.n-1)
	return m.mean - half, m.mean + half
}

// tQuantile returns the two-sided quantile of Student's t of level Confidence.
func tQuantile(freedom int) float64 {
	return studentsTQuantile(freedom, (1+Confidence)/2)
}

// quantiles has what studentsTQuantile returned: a curve asks for the same at each of its points, and one takes a tenth of
// a millisecond.
var quantiles sync.Map

// studentsTQuantile returns the quantile of Student's t at p.
func studentsTQuantile(freedom int, p float64) float64 {
	type key struct {
		freedom int
		p       float64
	}
	if q, ok := quantiles.Load(key{freedom, p}); ok {
		return q.(float64)
	}
	q := studentsT(freedom).Quantile(p)
	quantiles.Store(key{freedom, p}, q)
	return q
}

func studentsT(freedom int) distuv.StudentsT {
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(freedom)}
}
