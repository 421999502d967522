package verify

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"
)

// A Verdict is the outcome of one comparison.
type Verdict string

const (
	Pass Verdict = "pass"
	Fail Verdict = "fail"
	// Skip: nothing was compared, because the subject lacks what is checked, or the grade leaves it out. Detail says why.
	Skip Verdict = "skip"
	// Note: a figure that is not judged, such as a diagnostic or a known bias.
	Note Verdict = "note"
)

// A Result is the outcome of one comparison. A statistic has a standard error, and passes if it is at most Limit
// standard errors from Want and is precise enough (Detects). Another number passes if it is at most Tolerance from
// Want. The result of Promise has no numbers.
//
// If a check compares many numbers of one kind, such as the shares of all bins, the result describes the worst of them.
type Result struct {
	Check     string // the check's name
	Proves    string // what the check shows, in one line
	Statistic string // what was measured
	Got, Want float64
	StdErr    float64 // 0 if the result is not a statistic
	// Off is (Got − Want)/StdErr, converted from Student's t to the normal scale if StdErr is from few replicates.
	Off       float64
	Limit     float64 // largest |Off| that passes
	Tolerance float64 // largest |Got − Want| that passes, for a number without a standard error
	Numbers   int     // how many numbers were compared; the result describes the worst of them
	Verdict   Verdict
	Detail    string // cause of a failure, reason for a skip, or name of the worst number
}

// Limit is the number of standard errors by which a statistic may be off. The package documentation gives the reason.
const Limit = 6.5

// Blind is the least shift, in standard errors on the scale of Off, that a fault must cause in an estimate that must
// detect it. With less shift, the estimate is too imprecise: its check fails, because it could pass despite the fault.
const Blind = 9

// String returns the result in one line.
func (r Result) String() string {
	s := fmt.Sprintf("%s  %s: %s", r.Verdict, r.Check, r.Statistic)
	if f := r.Figures(); f != "" {
		s += ": " + f
	}
	if r.Detail != "" {
		s += " (" + r.Detail + ")"
	}
	return s
}

// Figures returns the numbers of the result as text, "" if there are none.
func (r Result) Figures() string {
	switch {
	case r.Verdict == Skip:
		return ""
	case r.StdErr > 0 && r.Verdict == Note:
		return fmt.Sprintf("%.5g ± %.2g", r.Got, r.StdErr)
	case r.StdErr > 0:
		return fmt.Sprintf("%.5g, want %.5g: %+.2f standard errors", r.Got, r.Want, r.Off)
	case r.Verdict == Note:
		return fmt.Sprintf("%.5g", r.Got)
	case r.Tolerance > 0:
		return fmt.Sprintf("%.7g, want %.7g: off by %.1e of %.1e", r.Got, r.Want, math.Abs(r.Got-r.Want), r.Tolerance)
	case r.Got != 0:
		return fmt.Sprintf("%.5g", r.Got)
	}
	return ""
}

// Badness returns the deviation divided by the limit or the tolerance; 0 if there is neither. That of a failure is
// above 1, and +Inf if its deviation is missing or within the limit.
func (r Result) Badness() float64 {
	bad := math.NaN()
	switch {
	case r.StdErr > 0 && r.Limit > 0:
		bad = math.Abs(r.Off) / r.Limit
	case r.Tolerance > 0:
		bad = math.Abs(r.Got-r.Want) / r.Tolerance
	}
	switch {
	case r.Verdict == Fail && !(bad > 1): // no number, or an estimate within the limit that is too imprecise (Blind)
		return math.Inf(1)
	case math.IsNaN(bad):
		return 0
	}
	return bad
}

// Failed reports whether any of the results is a failure.
func Failed(results []Result) bool {
	return slices.ContainsFunc(results, func(r Result) bool { return r.Verdict == Fail })
}

// An Estimate is a statistic with its standard error, from independent replicates.
type Estimate struct {
	Value, SE  float64
	Replicates int
}

// Off returns the difference of the estimate from want in standard errors, converted from Student's t to the scale of a
// normal distribution. It is 0 if there is no standard error.
func (e Estimate) Off(want float64) float64 {
	if !(e.SE > 0) {
		return 0
	}
	return NormalScore((e.Value-want)/e.SE, float64(e.Replicates-1))
}

// MeanOf returns the mean of independent replicates and its standard error, which is NaN for fewer than two.
func MeanOf(x []float64) Estimate {
	n := float64(len(x))
	mean := 0.0
	for _, v := range x {
		mean += v / n
	}
	squares := 0.0
	for _, v := range x {
		squares += float64((v - mean) * (v - mean))
	}
	return Estimate{mean, math.Sqrt(squares / (n - 1) / n), len(x)}
}

// RatioOf returns Σtop/Σbottom over independent replicates. Its standard error (delta method) is NaN for one replicate.
func RatioOf(top, bottom []float64) Estimate {
	n, t, b := float64(len(top)), 0.0, 0.0
	for i := range top {
		t += top[i]
		b += bottom[i]
	}
	ratio, squares := t/b, 0.0
	for i := range top {
		d := top[i] - float64(ratio*bottom[i])
		squares += float64(d * d)
	}
	return Estimate{ratio, math.Sqrt(squares*n/(n-1)) / math.Abs(b), len(top)}
}

// Minus returns e − f for independent estimates.
func (e Estimate) Minus(f Estimate) Estimate {
	return Estimate{e.Value - f.Value, math.Hypot(e.SE, f.SE), min(e.Replicates, f.Replicates)}
}

// Times returns the estimate times c.
func (e Estimate) Times(c float64) Estimate {
	return Estimate{c * e.Value, math.Abs(c) * e.SE, e.Replicates}
}

// Extrapolated returns 2·half − full: a statistic extrapolated to the step size ε = 0, with an error of O(ε²), from
// independent estimates at ε (full) and ε/2 (half).
func Extrapolated(full, half Estimate) Estimate { return half.Times(2).Minus(full) }

// NormalScore returns the standard normal quantile with the same tail probability as t has under Student's t
// distribution with df degrees of freedom, limited to ±37. If t is NaN or df is above 1e5 it returns t.
func NormalScore(t, df float64) float64 {
	if math.IsNaN(t) || df > 1e5 {
		return t
	}
	tail := mathext.RegIncBeta(df/2, 0.5, df/(df+float64(t*t))) / 2
	if !(tail > 1e-300) {
		return math.Copysign(37, t) // a float64 cannot hold much smaller tails
	}
	if tail >= 0.5 {
		return 0
	}
	return math.Copysign(-mathext.NormalQuantile(tail), t)
}
