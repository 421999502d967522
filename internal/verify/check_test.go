package verify

import (
	"errors"
	"math"
	"strings"
	"testing"
)

// verdicts returns the results of a check.
func verdicts(f func(j *Judge) error) []Result {
	return Check{Name: "check", Proves: "a thing", Do: func(j *Judge) { Must(f(j)) }}.Run(Options{Grade: Quick, Seed: 1})
}

// TestChecksFailOnWhatIsNoNumber: a check without a number does not pass, and every check ends with
// a result.
func TestChecksFailOnWhatIsNoNumber(t *testing.T) {
	nan := math.NaN()
	for name, f := range map[string]func(j *Judge) error{
		"NaN":               func(j *Judge) error { j.Statistic("x", Estimate{nan, 1, 100}, 0); return nil },
		"a wanted NaN":      func(j *Judge) error { j.Statistic("x", Estimate{1, 1, 100}, nan); return nil },
		"an error of NaN":   func(j *Judge) error { j.Statistic("x", Estimate{0, nan, 100}, 0); return nil },
		"an error of 0":     func(j *Judge) error { j.Statistic("x", Estimate{0, 0, 100}, 0); return nil },
		"an infinite error": func(j *Judge) error { j.Statistic("x", Estimate{0, math.Inf(1), 100}, 0); return nil },
		"too far off":       func(j *Judge) error { j.Statistic("x", Estimate{1, 0.15, 1e9}, 0); return nil },
		"few replicates":    func(j *Judge) error { j.Sharp("x", Estimate{1, 0.01, 100}, 1.07); return nil },
		"blind":             func(j *Judge) error { j.Sharp("x", Estimate{1, 0.01, 100}, 1); return nil },
		"a NaN near":        func(j *Judge) error { j.Near("x", nan, 0, 1); return nil },
		"a broken promise":  func(j *Judge) error { j.Promise("x", false, "no"); return nil },
		"other bits": func(j *Judge) error {
			j.SameBits("x", []float32{0}, []float32{float32(math.Copysign(0, -1))})
			return nil
		},
		"fewer bits": func(j *Judge) error { j.SameBits("x", nil, []float32{0}); return nil },
		"the worst of a group": func(j *Judge) error {
			j.Together("x", func() { j.Near("a", 0, 0, 1); j.Near("b", nan, 0, 1); j.Near("c", 0, 0, 1) })
			return nil
		},
		"an error":           func(j *Judge) error { return errors.New("no") },
		"a panic":            func(j *Judge) error { panic("no") },
		"a panic in a group": func(j *Judge) error { j.Together("x", func() { panic("no") }); return nil },
		"nothing to look at": func(j *Judge) error { return nil },
		"nothing in a group": func(j *Judge) error { j.Together("x", func() {}); return nil },
	} {
		if r := verdicts(f); !Failed(r) {
			t.Errorf("%s: %v", name, r)
		}
	}
	for name, f := range map[string]func(j *Judge) error{
		"near enough":   func(j *Judge) error { j.Statistic("x", Estimate{1, 0.16, 1e9}, 0); return nil },
		"sharp enough":  func(j *Judge) error { j.Sharp("x", Estimate{1.03, 0.0055, 1e9}, 1); return nil },
		"a note of NaN": func(j *Judge) error { j.Note("x", Estimate{Value: nan}, ""); return nil },
		"a skip":        func(j *Judge) error { j.Skip("x", "not offered"); return nil },
	} {
		if r := verdicts(f); Failed(r) {
			t.Errorf("%s: %v", name, r)
		}
	}
}

// TestGroups: the result of a group is that of the worst; a failure without a number is worse than any.
func TestGroups(t *testing.T) {
	for _, c := range []struct {
		values []float64 // estimates of 0 with a standard error of 1
		worst  string
		off    float64
		want   Verdict
	}{{[]float64{1, -3, 2}, "b", -3, Pass}, {[]float64{1, -7, 20, 19}, "c", 20, Fail}, {[]float64{1, -7, 20, math.NaN()}, "d", math.NaN(), Fail}} {
		r := verdicts(func(j *Judge) error {
			j.Together("all", func() {
				for i, v := range c.values {
					j.Statistic(string(rune('a'+i)), Estimate{v, 1, 1e9}, 0)
				}
			})
			return nil
		})
		if len(r) != 1 || r[0].Off != c.off && !math.IsNaN(c.off) || r[0].Numbers != len(c.values) || r[0].Statistic != "all" ||
			r[0].Verdict != c.want || !strings.Contains(r[0].Detail, "the worst: "+c.worst) {
			t.Errorf("%v: %+v, want the worst to be %s", c.values, r, c.worst)
		}
	}
}

// TestNormalScore compares the tails with tables of Student's t: the two-sided points of .05 are
// 12.7062, 2.0423 and 1.9840 at 1, 30 and 100 degrees of freedom.
func TestNormalScore(t *testing.T) {
	for _, c := range []struct{ t, df, want float64 }{
		{12.7062, 1, 1.95996}, {-2.0423, 30, -1.95996}, {1.9840, 100, 1.95996},
		{0, 5, 0}, {6.5, 1e9, 6.5},
		{3.6460, 30, 3.29053}, // two-sided .001
	} {
		if got := NormalScore(c.t, c.df); !(math.Abs(got-c.want) < 2e-4) {
			t.Errorf("t = %g with %g degrees of freedom is %g normal ones, want %g", c.t, c.df, got, c.want)
		}
	}
	if got := NormalScore(1e200, 50); !(got > 30) {
		t.Errorf("t = 1e200 is %g normal ones", got)
	}
	if got := NormalScore(math.NaN(), 50); !math.IsNaN(got) {
		t.Errorf("NaN is %g", got)
	}
}

func TestEstimates(t *testing.T) {
	// By hand: mean 2, variance 2.5 of five: √(2.5/5).
	e := MeanOf([]float64{0, 1, 2, 3, 4})
	if e.Value != 2 || !(math.Abs(e.SE-math.Sqrt(0.5)) < 1e-15) || e.Replicates != 5 {
		t.Errorf("mean %+v", e)
	}
	// Ratio 2; residuals −1, 1: √(2·2/1)/3.
	r := RatioOf([]float64{1, 5}, []float64{1, 2})
	if r.Value != 2 || !(math.Abs(r.SE-2./3) < 1e-15) {
		t.Errorf("ratio %+v", r)
	}
	x := Extrapolated(Estimate{1.1, 0.3, 9}, Estimate{1.05, 0.2, 7})
	if !(math.Abs(x.Value-1) < 1e-15) || !(math.Abs(x.SE-0.5) < 1e-15) || x.Replicates != 7 {
		t.Errorf("extrapolated %+v", x)
	}
}

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
