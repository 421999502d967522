package stats

import (
	"math"
	"sync"

	"gonum.org/v1/gonum/stat/distuv"
)

// tInterval returns the interval of Student's t (Student 1908: The probable error of a mean), mean ± t(n−1)·s/√n, exact for
// normal values: one of a family that hold together with a probability of at least Confidence, by Bonferroni's inequality (Dunn
// 1961: Multiple comparisons among means). A difference whose interval lacks 0 is significant after Holm's correction for the
// same family; the converse need not hold. NaN for fewer than two values.
func (m Moments) tInterval(family int) (low, high float64) {
	if m.n < 2 {
		return math.NaN(), math.NaN()
	}
	half := m.stdErr() * studentsTQuantile(m.n-1, 1-(1-Confidence)/float64(2*max(family, 1)))
	return m.Mean - half, m.Mean + half
}

// quantiles has what studentsTQuantile returned: a curve asks for the same at each point, and one takes a tenth of a millisecond.
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
