package verify

import (
	"math"
	"testing"
)

// TestFigures: the words and the badness of every kind of result.
func TestFigures(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		r    Result
		want string
		bad  float64
	}{
		{Result{Verdict: Skip, Got: 1, StdErr: 1}, "", 0},
		{Result{Verdict: Note, Got: 1.5, StdErr: 0.25}, "1.5 ± 0.25", 0},
		{Result{Verdict: Note, Got: 1.5}, "1.5", 0},
		{Result{Verdict: Note, Got: 0}, "0", 0},
		{Result{Verdict: Pass, Got: 1.5, Want: 1, StdErr: 0.25, Off: 2, Limit: 6.5}, "1.5, want 1: +2.00 standard errors", 2 / 6.5},
		{Result{Verdict: Fail, Got: 3, Want: 1, StdErr: 0.25, Off: -8, Limit: 6.5}, "3, want 1: -8.00 standard errors", 8 / 6.5},
		{Result{Verdict: Pass, Got: 1.5, Want: 1, Tolerance: 2}, "1.5, want 1: off by 5.0e-01 of 2.0e+00", 0.25},
		{Result{Verdict: Fail, Got: 4, Want: 1, Tolerance: 2}, "4, want 1: off by 3.0e+00 of 2.0e+00", 1.5},
		{Result{Verdict: Fail, Got: math.NaN(), Want: 1, Tolerance: 2}, "NaN, want 1: off by NaN of 2.0e+00", inf},
		{Result{Verdict: Pass, Got: 12}, "12", 0},
		{Result{Verdict: Pass}, "", 0},
		{Result{Verdict: Fail}, "", inf},
		{Result{Verdict: Fail, Got: 1, Want: 1, StdErr: 1, Off: 0, Limit: 6.5}, "1, want 1: +0.00 standard errors", inf}, // blind
	} {
		if got := c.r.Figures(); got != c.want {
			t.Errorf("%+v: %q, want %q", c.r, got, c.want)
		}
		if got := c.r.Badness(); got != c.bad {
			t.Errorf("%+v: badness %g, want %g", c.r, got, c.bad)
		}
	}
}
