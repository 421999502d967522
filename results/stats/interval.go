package stats

import (
	"math"
	"slices"
	"sync"

	"banditsim/internal/lists"
	"banditsim/internal/nearest"
)

// An IntervalMethod computes the interval of a mean difference, of level Confidence.
type IntervalMethod string

// The methods. TestCoverage lists their coverage for normal and skewed differences.
const (
	StudentT     IntervalMethod = "t"            // exact for normal differences
	BootstrapT   IntervalMethod = "bootstrap-t"  // for skewed differences, but wide below 10 pairs
	BCa          IntervalMethod = "bca"          // for skewed differences, from MinBCaPairs pairs on
	Simultaneous IntervalMethod = "simultaneous" // t-intervals that hold all at once with probability Confidence
)

var intervalMethods = []IntervalMethod{StudentT, BootstrapT, BCa, Simultaneous}

// ParseIntervalMethod returns the method with the given name: t, bootstrap-t, bca or simultaneous.
func ParseIntervalMethod(name string) (IntervalMethod, error) {
	return nearest.Parse("unknown interval", name, intervalMethods)
}

// Name returns a name for captions, such as "t-interval".
func (method IntervalMethod) Name() string {
	switch method {
	case StudentT:
		return "t-interval"
	case BCa:
		return "BCa interval"
	case Simultaneous:
		return "simultaneous t-interval"
	}
	return string(method) + " interval"
}

// Of returns the interval of the mean of differences; NaN if there is none. For Simultaneous, family is the number of
// intervals that hold at once. The order of differences does not matter. Negated differences negate the interval.
func (method IntervalMethod) Of(differences []float64, family int) (low, high float64) {
	m := momentsOf(differences)
	if method == Simultaneous {
		return m.tInterval(family)
	}
	if method == StudentT || m.n < 2 || m.m2 == 0 { // equal values need no resamples
		return m.tInterval(1)
	}
	if m.Mean < 0 {
		low, high = method.Of(lists.Each(differences, func(v float64) float64 { return -v }), family)
		return -high, -low
	}
	resampled := bootstrapTInterval
	if method == BCa {
		resampled = bcaInterval
	}
	return resampled(slices.Sorted(slices.Values(differences)), resamplingStream(string(method)), resamples)
}

// tInterval returns the interval of Student's t (Student 1908: The probable error of a mean), mean ± t(n−1)·s/√n, exact
// for normal values. It is widened so that family such intervals hold at once with probability at least Confidence, by
// Bonferroni's inequality (Dunn 1961: Multiple comparisons among means). If it excludes 0, the mean is significant
// after Holm's correction for as many tests; the converse is not true. The ends are NaN for fewer than two values.
func (m Moments) tInterval(family int) (low, high float64) {
	if m.n < 2 {
		return math.NaN(), math.NaN()
	}
	half := m.stdErr() * studentsTQuantile(m.n-1, 1-(1-Confidence)/float64(2*max(family, 1)))
	return m.Mean - half, m.Mean + half
}

// quantiles caches the results of studentsTQuantile, which takes 0.1 ms: all points of a curve need the same quantile.
var quantiles sync.Map

func studentsTQuantile(freedom int, p float64) float64 {
	key := [2]float64{float64(freedom), p}
	q, ok := quantiles.Load(key)
	if !ok {
		q, _ = quantiles.LoadOrStore(key, studentT(freedom).quantile(p))
	}
	return q.(float64)
}
