package stats

import (
	"math"
	"slices"
)

// Moments accumulates mean and variance in one pass (Welford 1962). The zero value has no values.
type Moments struct {
	Mean float64 // 0 of no values
	n    int
	m2   float64 // sum of squared deviations
}

func momentsOf(values []float64) Moments {
	var m Moments
	for _, v := range values {
		m.Add(v)
	}
	return m
}

// Add adds a value.
func (m *Moments) Add(v float64) {
	m.n++
	d := v - m.Mean
	m.Mean += d / float64(m.n)
	m.m2 += d * (v - m.Mean)
}

// Merge adds the values of o (Chan, Golub and LeVeque 1979).
func (m *Moments) Merge(o Moments) {
	if o.n == 0 {
		return
	}
	n := float64(m.n + o.n)
	d := o.Mean - m.Mean
	m.Mean += d * float64(o.n) / n
	m.m2 += o.m2 + d*d*float64(m.n)*float64(o.n)/n
	m.n += o.n
}

// StdDev returns the standard deviation of a sample, with n − 1; NaN for fewer than two values.
func (m Moments) StdDev() float64 { return math.Sqrt(m.m2 / float64(m.n-1)) }

// stdErr returns the standard error of the mean of at least two values.
func (m Moments) stdErr() float64 { return math.Sqrt(m.m2 / float64(m.n-1) / float64(m.n)) }

// Estimate returns the mean with its t-interval.
func (m Moments) Estimate() Estimate {
	e := Estimate{N: m.n, Mean: m.Mean, StdErr: math.NaN()}
	if m.n == 0 {
		e.Mean = math.NaN()
	}
	if m.n >= 2 {
		e.StdErr = m.stdErr()
	}
	e.Low, e.High = m.tInterval(1)
	return e
}

// Median returns the middle of the values, or the mean of the two in the middle.
func Median(values []float64) float64 {
	v := slices.Sorted(slices.Values(values))
	n := len(v)
	return (v[(n-1)/2] + v[n/2]) / 2
}

// Quantile returns the value below which a share p of sorted values lie, between two of them by linear
// interpolation (Hyndman and Fan 1996, type 7).
func Quantile(sorted []float64, p float64) float64 {
	at := p * float64(len(sorted)-1)
	i := min(int(at), len(sorted)-2)
	if i < 0 {
		return sorted[0]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}
