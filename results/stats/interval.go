package stats

import (
	"slices"

	"banditsim/internal/nearest"
)

// An IntervalMethod computes the interval of a mean difference, of level Confidence.
type IntervalMethod string

// The methods. TestCoverage has their coverage for normal and for skewed differences.
const (
	StudentT     IntervalMethod = "t"            // exact for normal differences
	BootstrapT   IntervalMethod = "bootstrap-t"  // follows skewed ones, but is wide below 10 pairs
	BCa          IntervalMethod = "bca"          // from MinBCaPairs on
	Simultaneous IntervalMethod = "simultaneous" // t-intervals of a comparison that hold together
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

// Of returns the interval of the mean of differences, one of a family of so many, on which Simultaneous alone depends; NaN if
// there is none. It does not depend on the order of the differences, and that of −differences is the mirror image.
func (method IntervalMethod) Of(differences []float64, family int) (low, high float64) {
	m := momentsOf(differences)
	if method == Simultaneous {
		return m.tInterval(family)
	}
	if method == StudentT || m.n < 2 || m.m2 == 0 { // equal values need no resamples
		return m.tInterval(1)
	}
	resampled := bootstrapTInterval
	if method == BCa {
		resampled = bcaInterval
	}
	d, mirror := slices.Clone(differences), m.Mean < 0
	for i := range d {
		if mirror {
			d[i] = -d[i]
		}
	}
	slices.Sort(d)
	low, high = resampled(d, resamplingStream(string(method)), resamples)
	if mirror {
		return -high, -low
	}
	return low, high
}
