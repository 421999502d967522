package stats

import (
	"encoding/json"
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"banditsim/internal/words"
)

// Confidence is the level of all intervals.
const Confidence = 0.95

// Significance is the threshold for corrected p-values.
const Significance = 0.05

// An Estimate is the mean of N values, such as one per seed, with its interval of level Confidence:
// Student's t, unless another method is named. Fields are NaN, and null in JSON, where there is no
// such number: all for N = 0, the error and the interval for N = 1.
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

// Widened returns e with a standard error and an interval that are f times as wide.
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
	return e.pValue(studentsT(e.N - 1))
}

// pValue returns the p-value where the mean over its standard error has a law.
func (e Estimate) pValue(law distuv.StudentsT) float64 {
	switch {
	case e.Mean == 0:
		return 1 // also where all values are zero
	case e.StdErr == 0:
		return 0
	}
	return 2 * law.CDF(-math.Abs(e.Mean/e.StdErr))
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

// String returns the mean and half of the interval, "5,012 ± 80", or the mean alone.
func (e Estimate) String() string {
	if !e.HasInterval() {
		return words.Amount(e.Mean)
	}
	return words.PlusMinus(e.Mean, e.Half())
}

// MeanText returns the mean with as many decimals as String has.
func (e Estimate) MeanText() string {
	return words.AmountTo(e.Mean, words.DecimalsOf(e.Mean, e.Half()))
}

// Interval returns the interval as "[−40, 280]", or words.None.
func (e Estimate) Interval() string {
	if !e.HasInterval() {
		return words.None
	}
	d := words.DecimalsOf(e.Mean, e.Half())
	return "[" + words.AmountTo(e.Low, d) + ", " + words.AmountTo(e.High, d) + "]"
}

// WithError returns the mean and its standard error, "0.0185 ± 0.0012", or the mean alone.
func (e Estimate) WithError() string {
	if !words.Finite(e.StdErr) {
		return words.Amount(e.Mean)
	}
	return words.PlusMinus(e.Mean, e.StdErr)
}
