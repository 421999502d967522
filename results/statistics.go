package results

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"

	"banditsim/internal/words"
)

// Confidence is the level of all intervals.
const Confidence = 0.95

// Significance is the level below which a corrected p-value tells a difference.
const Significance = 0.05

// An Estimate is a mean over N seeds with its interval of level Confidence: Student's t,
// unless another method is named. What cannot be had is NaN: all for N = 0, the error
// and the interval for N = 1.
// In JSON these are null.
type Estimate struct {
	N      int
	Mean   float64
	StdErr float64 // standard deviation / √N
	Low    float64 // of the interval
	High   float64
}

// Half returns half the width of the interval.
func (e Estimate) Half() float64 { return (e.High - e.Low) / 2 }

// HasInterval tells whether there are seeds enough for an interval.
func (e Estimate) HasInterval() bool { return words.Finite(e.Low) && words.Finite(e.High) }

// MarshalJSON writes null for what cannot be had.
func (e Estimate) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		N      int      `json:"n"`
		Mean   *float64 `json:"mean"`
		StdErr *float64 `json:"standard_error"`
		Low    *float64 `json:"low"`
		High   *float64 `json:"high"`
	}{e.N, words.OrNull(e.Mean), words.OrNull(e.StdErr), words.OrNull(e.Low), words.OrNull(e.High)})
}

// moments gather mean and variance in one pass (Welford 1962).
type moments struct {
	n        int
	mean, m2 float64 // m2 is the sum of squared deviations
}

func (m *moments) add(v float64) {
	m.n++
	d := v - m.mean
	m.mean += d / float64(m.n)
	m.m2 += d * (v - m.mean)
}

// stdErr is the standard error of the mean, of at least two values.
func (m moments) stdErr() float64 {
	n := float64(m.n)
	return math.Sqrt(m.m2 / (n - 1) / n)
}

// estimate has the t-interval.
func (m moments) estimate() Estimate {
	nan := math.NaN()
	e := Estimate{N: m.n, Mean: m.mean, StdErr: nan}
	if m.n == 0 {
		e.Mean = nan
	}
	if m.n >= 2 {
		e.StdErr = m.stdErr()
	}
	e.Low, e.High = m.tInterval()
	return e
}

// pValue is the two-sided p-value of the t-test that the mean is zero; NaN for
// fewer than two values.
func (e Estimate) pValue() float64 {
	switch {
	case e.N < 2:
		return math.NaN()
	case e.Mean == 0:
		return 1 // also where all values are zero
	case e.StdErr == 0:
		return 0
	}
	return 2 * studentsT(e.N-1).CDF(-math.Abs(e.Mean/e.StdErr))
}

// holm corrects the p-values of a family of tests (Holm 1979): the i-th smallest of
// m, from 0, times m−i, never below a smaller one's and never above 1. NaN
// stands for no test and is no part of the family.
func holm(p []float64) []float64 {
	var order []int
	corrected := slices.Clone(p)
	for i, v := range p {
		if !math.IsNaN(v) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	least := 0.0
	for rank, i := range order {
		least = max(least, min(p[i]*float64(len(order)-rank), 1))
		corrected[i] = least
	}
	return corrected
}

// median is the mean of the middle two of an even number of values.
func median(values []float64) float64 {
	v := slices.Sorted(slices.Values(values))
	n := len(v)
	return (v[(n-1)/2] + v[n/2]) / 2
}
