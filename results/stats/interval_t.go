package stats

import (
	"math"

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
	return studentsT(freedom).Quantile((1 + Confidence) / 2)
}

func studentsT(freedom int) distuv.StudentsT {
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(freedom)}
}
