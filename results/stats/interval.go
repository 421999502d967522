package stats

import (
	"slices"

	"banditsim/internal/nearest"
)

// An IntervalMethod computes the interval of a mean difference, of level Confidence.
type IntervalMethod string

// The methods. TestCoverage has their coverage for normal and for skewed differences.
const (
	StudentT   IntervalMethod = "t"           // exact for normal differences
	BootstrapT IntervalMethod = "bootstrap-t" // follows skewed ones, but is wide below 10 pairs
	BCa        IntervalMethod = "bca"         // from MinBCaPairs on
	// Simultaneous is SimultaneousInterval: all intervals of a comparison hold together.
	Simultaneous IntervalMethod = "simultaneous"
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

// Of returns the interval of the mean of differences, one of a family of so many; NaN if there is none.
// Simultaneous alone depends on the family. It does not depend on the
// order of the differences, and that of −differences is the mirror image.
func (method IntervalMethod) Of(differences []float64, family int) (low, high float64) {
	if method == Simultaneous {
		return SimultaneousInterval(differences, family)
	}
	return method.with(differences, Resamples)
}

// BootstrapTWith is BootstrapT.Of with another number of resamples, for studies of its coverage: (resamples+1)·2.5 % must be an integer, and the
// fewer there are the more the ends of an interval vary.
func BootstrapTWith(values []float64, resamples int) (low, high float64) {
	return BootstrapT.with(values, resamples)
}

func (method IntervalMethod) with(differences []float64, resamples int) (low, high float64) {
	m := momentsOf(differences)
	if method == StudentT || m.n < 2 || m.m2 == 0 { // equal values need no resamples
		return m.tInterval()
	}
	resampled := bootstrapTInterval
	if method == BCa {
		resampled = bcaInterval
	}
	d := slices.Clone(differences)
	if mirror := m.mean < 0; mirror {
		for i := range d {
			d[i] = -d[i]
		}
		slices.Sort(d)
		low, high = resampled(d, resamplingStream(string(method)), resamples)
		return -high, -low
	}
	slices.Sort(d)
	return resampled(d, resamplingStream(string(method)), resamples)
}
