package verify

import (
	"fmt"
	"math"
)

// A Verdict is what a check says of one thing that it looked at.
type Verdict string

const (
	Pass Verdict = "pass"
	Fail Verdict = "fail"
	// Skip is said where there is nothing to look at: the subject does not offer it,
	// or the grade leaves it out. Detail tells which.
	Skip Verdict = "skip"
	// Note tells a figure that is not judged: a diagnostic, or a bias that is known.
	Note Verdict = "note"
)

// A Result is one thing that a check looked at. There are two kinds. A statistic
// has a standard error, and passes if it is at most Limit of them off. A promise
// that holds or does not (bits that are equal, a hand-computed number) has none,
// and passes if it is at most Tolerance off.
//
// Where a check compares many numbers of one kind, such as the shares of all bins,
// the result is that of the worst, and Numbers tells how many there were.
type Result struct {
	Check     string // the check's name
	Proves    string // what the check proves, in a line
	Statistic string // what was measured
	Got, Want float64
	StdErr    float64 // 0: not a statistic
	// Off is (Got − Want)/StdErr, brought to the scale of a normal distribution where
	// the standard error is itself estimated from few replicates (Student's t).
	Off       float64
	Limit     float64 // largest |Off| that passes
	Tolerance float64 // largest |Got − Want| that passes without a standard error
	Numbers   int     // numbers compared, of which this is the worst
	Verdict   Verdict
	Detail    string // what went wrong, why it was skipped, where the worst number was
}

// Limit is the number of standard errors by which a statistic may be off.
// See the package's documentation for the arithmetic.
const Limit = 6.5

// Blind is how many standard errors out, on the scale of Off, a statistic that is 5 % off must
// lie where a check claims to see that. A check that is not as sharp fails, rather than pass for
// want of data.
const Blind = 9

// String is the result in a line.
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

// Figures is what was found, in words: empty where there is no number to tell.
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
	}
	if r.Got != 0 {
		return fmt.Sprintf("%.5g", r.Got)
	}
	return ""
}

// Badness is by how much of what is allowed the result is off: above 1 for a failure,
// infinite for one without a number, and 0 for a promise that holds.
func (r Result) Badness() float64 {
	bad := math.NaN()
	switch {
	case r.StdErr > 0 && r.Limit > 0:
		bad = math.Abs(r.Off) / r.Limit
	case r.Tolerance > 0:
		bad = math.Abs(r.Got-r.Want) / r.Tolerance
	}
	switch {
	case r.Verdict == Fail && !(bad > 1): // no number, or one that is right but not sharp
		return math.Inf(1)
	case math.IsNaN(bad):
		return 0
	}
	return bad
}

// Failed tells whether any of the results is a failure.
func Failed(results []Result) bool {
	for _, r := range results {
		if r.Verdict == Fail {
			return true
		}
	}
	return false
}
