// Package stats has the statistics of comparisons, on plain numbers: means with intervals ([Estimate],
// [IntervalMethod]), aggregates over environments, the sign-flip test, Holm's correction, outliers and the number of
// seeds that a difference needs. Random resamples come from fixed streams, so that equal numbers give equal results.
package stats

import (
	"encoding/json"
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"

	"banditsim/internal/words"
)

// Confidence is the level of all intervals.
const Confidence = 0.95

// Significance is the threshold for corrected p-values.
const Significance = 0.05

// An Estimate is the mean of N values, such as one per seed, with its interval of level Confidence: Student's t unless
// stated otherwise. Mean is NaN if N is 0; StdErr and the interval are NaN if N is below 2. NaN becomes null in JSON.
type Estimate struct {
	N      int
	Mean   float64
	StdErr float64 // standard deviation / √N
	Low    float64 // lower end of the interval
	High   float64
}

// NewEstimate returns the mean of values with its t-interval.
func NewEstimate(values []float64) Estimate { return momentsOf(values).Estimate() }

// Half returns half the width of the interval.
func (e Estimate) Half() float64 { return (e.High - e.Low) / 2 }

// Widened returns e with a standard error that is f times as large and an interval that is f times as wide.
func (e Estimate) Widened(f float64) Estimate {
	e.StdErr *= f
	e.Low, e.High = e.Mean-f*(e.Mean-e.Low), e.Mean+f*(e.High-e.Mean)
	return e
}

// HasInterval reports whether the interval is finite.
func (e Estimate) HasInterval() bool { return words.Finite(e.Low) && words.Finite(e.High) }

// PValue returns the two-sided p-value of the t-test that the mean is zero; NaN for fewer than two values.
func (e Estimate) PValue() float64 {
	if e.N < 2 {
		return math.NaN()
	}
	return e.pValue(studentT(e.N - 1))
}

// pValue returns the two-sided p-value for mean zero. law is the distribution of Mean/StdErr if the true mean is zero.
func (e Estimate) pValue(law studentT) float64 {
	switch {
	case e.Mean == 0:
		return 1 // even if all values are zero
	case e.StdErr == 0:
		return 0
	}
	return 2 * law.cdf(-math.Abs(e.Mean/e.StdErr))
}

// MarshalJSON writes null for NaN and the infinities.
func (e Estimate) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		N      int         `json:"n"`
		Mean   words.Float `json:"mean"`
		StdErr words.Float `json:"standard_error"`
		Low    words.Float `json:"low"`
		High   words.Float `json:"high"`
	}{e.N, words.Float(e.Mean), words.Float(e.StdErr), words.Float(e.Low), words.Float(e.High)})
}

// String returns the mean and half the width of the interval, as "5,012 ± 80", or only the mean if there is none.
func (e Estimate) String() string {
	if !e.HasInterval() {
		return words.Amount(e.Mean)
	}
	return words.PlusMinus(e.Mean, e.Half())
}

// MeanText returns the mean with the same number of decimals as String.
func (e Estimate) MeanText() string {
	return words.Beside(e.Mean, e.Half(), words.DecimalsOf(e.Mean, e.Half()))
}

// Interval returns the interval, as "[−40, 280]", or words.None if there is none.
func (e Estimate) Interval() string {
	if !e.HasInterval() {
		return words.None
	}
	d, half := words.DecimalsOf(e.Mean, e.Half()), e.Half()
	return "[" + words.Beside(e.Low, half, d) + ", " + words.Beside(e.High, half, d) + "]"
}

// WithInterval returns the mean and the interval, as "120 [−40, 280]", or only the mean if there is no interval.
func (e Estimate) WithInterval() string {
	if !e.HasInterval() {
		return e.MeanText()
	}
	return e.MeanText() + " " + e.Interval()
}

// WithError returns the mean and its standard error, as "0.0185 ± 0.0012", or only the mean if that error is NaN.
func (e Estimate) WithError() string {
	if !words.Finite(e.StdErr) {
		return words.Amount(e.Mean)
	}
	return words.PlusMinus(e.Mean, e.StdErr)
}

// Unpaired returns the mean of a minus the mean of b, for values that are not paired, and the two-sided p-value for
// equal means. Interval and p-value are those of Welch's t-test (1947) with Satterthwaite's degrees of freedom. The N
// of the difference is the smaller one of a and b; if it is below two, everything but N and Mean is NaN.
func Unpaired(a, b Estimate) (difference Estimate, p float64) {
	e := Estimate{N: min(a.N, b.N), Mean: a.Mean - b.Mean, StdErr: math.Hypot(a.StdErr, b.StdErr)}
	if math.IsNaN(e.StdErr) {
		e.Low, e.High = math.NaN(), math.NaN()
		return e, math.NaN()
	}
	law := welch(a, b)
	half := e.StdErr * law.quantile((1+Confidence)/2)
	e.Low, e.High = e.Mean-half, e.Mean+half
	return e, e.pValue(law)
}

// welch returns Student's t with Satterthwaite's degrees of freedom.
func welch(a, b Estimate) studentT {
	va, vb := a.StdErr*a.StdErr, b.StdErr*b.StdErr
	freedom := (va + vb) * (va + vb) / (va*va/float64(a.N-1) + vb*vb/float64(b.N-1))
	if va+vb == 0 {
		freedom = float64(max(a.N+b.N-2, 1))
	}
	return studentT(freedom)
}

// Power is the probability that a test with SeedsNeeded seeds finds the difference significant.
const Power = 0.8

// MaxSeedsNeeded bounds SeedsNeeded: differences that need more are practically zero.
const MaxSeedsNeeded = 1_000_000

// SeedsNeeded returns the number of seeds with which a single two-sided paired t-test at the level Significance finds a
// difference of the observed mean and standard deviation s with probability Power. It is the smallest n with
//
//	√n·|mean|/s ≥ t(1 − Significance/2; n−1) + t(Power; n−1),
//
// where t(p; f) is the quantile of Student's t with f degrees of freedom (Cohen 1988: Statistical Power Analysis for
// the Behavioral Sciences, section 2.4; the noncentral t would change n by at most one). The result is 0 for fewer than
// two observed seeds, a mean of 0, or n above MaxSeedsNeeded. It is as uncertain as the observed difference.
func (e Estimate) SeedsNeeded() int {
	if e.N < 2 || e.Mean == 0 {
		return 0
	}
	effect := math.Abs(e.Mean) / (e.StdErr * math.Sqrt(float64(e.N))) // +Inf if s is 0
	// Normal quantiles are below those of t, so that the search starts at or below the result.
	z := mathext.NormalQuantile(1-Significance/2) + mathext.NormalQuantile(Power)
	least := math.Pow(z/effect, 2)
	if !(least <= MaxSeedsNeeded) {
		return 0
	}
	for n := max(2, int(math.Ceil(least))); n <= MaxSeedsNeeded; n++ {
		t := studentT(n - 1)
		if math.Sqrt(float64(n))*effect >= t.quantile(1-Significance/2)+t.quantile(Power) {
			return n
		}
	}
	return 0
}

// Moments accumulates mean and variance in one pass (Welford 1962). The zero value has no values.
//
// The mean is the sum divided by n, so that whole numbers with equal sums have equal means; in Welford's recurrence,
// its rounding errors depend on the order of the values. The mean is kept in [low, high], to be exact for equal values.
type Moments struct {
	Mean           float64 // 0 if there are no values
	n              int
	m2             float64 // sum of squared deviations
	sum, low, high float64 // sum, minimum and maximum of the values
}

func momentsOf(values []float64) Moments {
	var m Moments
	for _, v := range values {
		m.Add(v)
	}
	return m
}

// Add adds a value.
func (m *Moments) Add(v float64) { m.Merge(Moments{v, 1, 0, v, v, v}) }

// Merge adds the values of o (Chan, Golub and LeVeque 1979).
func (m *Moments) Merge(o Moments) {
	if m.n == 0 || o.n == 0 {
		if o.n > 0 {
			*m = o
		}
		return
	}
	n := float64(m.n + o.n)
	d := o.Mean - m.Mean
	m.m2 += o.m2 + d*d*float64(m.n)*float64(o.n)/n
	m.n, m.sum, m.low, m.high = m.n+o.n, m.sum+o.sum, min(m.low, o.low), max(m.high, o.high)
	m.Mean = min(max(m.sum/n, m.low), m.high)
}

// Divided returns the moments of the values divided by k > 0.
func (m Moments) Divided(k float64) Moments {
	return Moments{m.Mean / k, m.n, m.m2 / (k * k), m.sum / k, m.low / k, m.high / k}
}

// StdDev returns the sample standard deviation, with divisor n − 1; NaN for fewer than two values.
func (m Moments) StdDev() float64 { return math.Sqrt(m.m2 / float64(max(m.n-1, 0))) }

// stdErr returns the standard error of the mean; NaN for fewer than two values.
func (m Moments) stdErr() float64 { return math.Sqrt(m.m2 / float64(m.n-1) / float64(m.n)) }

// Estimate returns the mean with its t-interval.
func (m Moments) Estimate() Estimate {
	e := Estimate{N: m.n, Mean: m.Mean, StdErr: m.stdErr()}
	if m.n == 0 {
		e.Mean = math.NaN()
	}
	e.Low, e.High = m.tInterval(1)
	return e
}

// Median returns the middle value, or the mean of the two middle values, of at least one value.
func Median(values []float64) float64 {
	v := slices.Sorted(slices.Values(values))
	n := len(v)
	return (v[(n-1)/2] + v[n/2]) / 2
}

// Quantile returns the p-quantile of at least one sorted value, by linear interpolation (Hyndman and Fan 1996, type 7).
func Quantile(sorted []float64, p float64) float64 {
	at := p * float64(len(sorted)-1)
	i := min(int(at), len(sorted)-2)
	if i < 0 {
		return sorted[0]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}
