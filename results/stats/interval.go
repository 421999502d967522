package stats

import (
	"fmt"
	"slices"
	"strings"

	"banditsim/internal/nearest"
)

// An IntervalMethod makes the interval of a mean difference, of level Confidence.
type IntervalMethod string

// How often the methods hold the true difference, measured for normal and for skewed
// differences, is in TestCoverage.
const (
	StudentT   IntervalMethod = "t"           // exact for normal differences
	BootstrapT IntervalMethod = "bootstrap-t" // follows skewed ones, but is wide below 10 pairs
	BCa        IntervalMethod = "bca"         // from MinBCaPairs on
)

var intervalMethods = []string{string(StudentT), string(BootstrapT), string(BCa)}

// ParseIntervalMethod returns the method of that name: t, bootstrap-t or bca.
func ParseIntervalMethod(name string) (IntervalMethod, error) {
	if slices.Contains(intervalMethods, name) {
		return IntervalMethod(name), nil
	}
	return "", fmt.Errorf("stats: unknown interval %q%s, want one of %s", name, nearest.DidYouMean(name, intervalMethods), strings.Join(intervalMethods, ", "))
}

// Name is "t-interval".
func (method IntervalMethod) Name() string {
	switch method {
	case StudentT:
		return "t-interval"
	case BCa:
		return "BCa interval"
	}
	return string(method) + " interval"
}

// Of returns the interval of the mean of differences. NaN
// stands for an interval that cannot be had. The order of the differences has no influence,
// and that of −differences is the mirror image.
func (method IntervalMethod) Of(differences []float64) (low, high float64) {
	m := momentsOf(differences)
	if method == StudentT || m.n < 2 || m.m2 == 0 { // without spread there is nothing to resample
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
		low, high = resampled(d, resamplingStream(string(method)), Resamples)
		return -high, -low
	}
	slices.Sort(d)
	return resampled(d, resamplingStream(string(method)), Resamples)
}
