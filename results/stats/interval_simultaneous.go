package stats

import "math"

// SimultaneousInterval returns the t-interval of the mean of differences that is one of a family: with
// a probability of at least Confidence all of them hold at once. Each has the level 1 − (1 −
// Confidence)/family (Bonferroni's inequality; Dunn 1961: Multiple comparisons among means), whatever
// the dependence between the differences, which share the baseline's luck, and whatever seeds each
// has. A difference whose interval lacks 0 is significant after Holm's correction for the same family;
// the converse need not hold, as Holm's later steps ask for less. NaN for fewer than two differences.
func SimultaneousInterval(differences []float64, family int) (low, high float64) {
	m := momentsOf(differences)
	if m.n < 2 {
		return math.NaN(), math.NaN()
	}
	half := m.stdErr() * studentsT(m.n-1).Quantile(1-(1-Confidence)/float64(2*max(family, 1)))
	return m.mean - half, m.mean + half
}
