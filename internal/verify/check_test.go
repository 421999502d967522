package verify

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"banditsim/internal/must"
)

// verdicts returns the results of a check that calls f.
func verdicts(f func(j *Judge)) []Result {
	return Check{Name: "check", Proves: "a thing", Do: f}.Run(Options{Grade: Quick, Seed: 1})
}

// TestChecksFailOnWhatIsNoNumber checks that numbers too far off, imprecise or not finite, broken promises, errors,
// panics and checks that examine nothing end in a failure, and that numbers near enough, notes and skips do not.
func TestChecksFailOnWhatIsNoNumber(t *testing.T) {
	nan := math.NaN()
	for name, f := range map[string]func(j *Judge){
		"NaN":               func(j *Judge) { j.Statistic("x", Estimate{nan, 1, 100}, 0) },
		"a wanted NaN":      func(j *Judge) { j.Statistic("x", Estimate{1, 1, 100}, nan) },
		"an error of NaN":   func(j *Judge) { j.Statistic("x", Estimate{0, nan, 100}, 0) },
		"an error of 0":     func(j *Judge) { j.Statistic("x", Estimate{0, 0, 100}, 0) },
		"an infinite error": func(j *Judge) { j.Statistic("x", Estimate{0, math.Inf(1), 100}, 0) },
		"too far off":       func(j *Judge) { j.Statistic("x", Estimate{1, 0.15, 1e9}, 0) },
		"few replicates":    func(j *Judge) { j.Sharp("x", Estimate{1, 0.01, 100}, 1.07) },
		"blind":             func(j *Judge) { j.Sharp("x", Estimate{1, 0.01, 100}, 1) },
		"a NaN near":        func(j *Judge) { j.Near("x", nan, 0, 1) },
		"a broken promise":  func(j *Judge) { j.Promise("x", false, "no") },
		"other bits":        func(j *Judge) { j.SameBits("x", []float32{0}, []float32{float32(math.Copysign(0, -1))}) },
		"fewer bits":        func(j *Judge) { j.SameBits("x", nil, []float32{0}) },
		"the worst of a group": func(j *Judge) {
			j.Together("x", func() { j.Near("a", 0, 0, 1); j.Near("b", nan, 0, 1); j.Near("c", 0, 0, 1) })
		},
		"an error":           func(j *Judge) { Must(errors.New("no")) },
		"a panic":            func(j *Judge) { panic("no") },
		"a panic in a group": func(j *Judge) { j.Together("x", func() { panic("no") }) },
		"nothing to look at": func(*Judge) {},
		"nothing in a group": func(j *Judge) { j.Together("x", func() {}) },
	} {
		must.That(t, Failed(verdicts(f)), "%s does not fail", name)
	}
	for name, f := range map[string]func(j *Judge){
		"near enough":   func(j *Judge) { j.Statistic("x", Estimate{1, 0.16, 1e9}, 0) },
		"sharp enough":  func(j *Judge) { j.Sharp("x", Estimate{1.03, 0.0055, 1e9}, 1) },
		"a note of NaN": func(j *Judge) { j.Note("x", Estimate{Value: nan}, "") },
		"a skip":        func(j *Judge) { j.Skip("x", "not offered") },
	} {
		must.That(t, !Failed(verdicts(f)), "%s fails: %v", name, verdicts(f))
	}
}

// TestGroups checks that a group has the result of its worst number, and that NaN is the worst of all.
func TestGroups(t *testing.T) {
	for _, c := range []struct {
		values []float64 // estimates of 0 with a standard error of 1
		worst  string
		off    float64
		want   Verdict
	}{{[]float64{1, -3, 2}, "b", -3, Pass}, {[]float64{1, -7, 20, 19}, "c", 20, Fail}, {[]float64{1, -7, 20, math.NaN()}, "d", math.NaN(), Fail}} {
		r := verdicts(func(j *Judge) {
			j.Together("all", func() {
				for i, v := range c.values {
					j.Statistic(string(rune('a'+i)), Estimate{v, 1, 1e9}, 0)
				}
			})
		})
		if len(r) != 1 || r[0].Off != c.off && !math.IsNaN(c.off) || r[0].Numbers != len(c.values) || r[0].Statistic != "all" ||
			r[0].Verdict != c.want || !strings.Contains(r[0].Detail, "the worst: "+c.worst) {
			t.Errorf("%v: %+v, want the worst to be %s", c.values, r, c.worst)
		}
	}
}

// TestNormalScore compares with tables of Student's t: the two-sided critical values at level .05 are
// 12.7062, 2.0423 and 1.9840 for 1, 30 and 100 degrees of freedom.
func TestNormalScore(t *testing.T) {
	for _, c := range []struct{ t, df, want float64 }{
		{12.7062, 1, 1.95996}, {-2.0423, 30, -1.95996}, {1.9840, 100, 1.95996},
		{0, 5, 0}, {6.5, 1e9, 6.5},
		{3.6460, 30, 3.29053}, // level .001, two-sided
	} {
		must.Near(t, fmt.Sprintf("t = %g with %g degrees of freedom", c.t, c.df), NormalScore(c.t, c.df), c.want, 2e-4)
	}
	must.That(t, NormalScore(1e200, 50) > 30, "t = 1e200 is %g normal ones", NormalScore(1e200, 50))
	must.That(t, math.IsNaN(NormalScore(math.NaN(), 50)), "NaN is %g", NormalScore(math.NaN(), 50))
}

func TestEstimates(t *testing.T) {
	// By hand: mean 2 and, for five values with variance 2.5, standard error √(2.5/5).
	e := MeanOf([]float64{0, 1, 2, 3, 4})
	must.That(t, e.Value == 2 && math.Abs(e.SE-math.Sqrt(0.5)) < 1e-15 && e.Replicates == 5, "mean %+v", e)
	// By hand: ratio 2 and, for two residuals −1 and 1, standard error √(2·2/1)/3.
	r := RatioOf([]float64{1, 5}, []float64{1, 2})
	must.That(t, r.Value == 2 && math.Abs(r.SE-2./3) < 1e-15, "ratio %+v", r)
	x := Extrapolated(Estimate{1.1, 0.3, 9}, Estimate{1.05, 0.2, 7})
	must.That(t, math.Abs(x.Value-1) < 1e-15 && math.Abs(x.SE-0.5) < 1e-15 && x.Replicates == 7, "extrapolated %+v", x)
}

// TestFigures checks Figures and Badness for every kind of result.
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
		must.Equal(t, fmt.Sprintf("%+v", c.r), c.r.Figures(), c.want)
		must.Equal(t, fmt.Sprintf("%+v: badness", c.r), c.r.Badness(), c.bad)
	}
}
