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

// TestGroups: the result of a group is that of the worst.
func TestGroups(t *testing.T) {
	r := verdicts(func(j *Judge) error {
		j.Together("all", func() {
			j.Statistic("a", Estimate{1, 1, 1e9}, 0)
			j.Statistic("b", Estimate{-3, 1, 1e9}, 0)
			j.Statistic("c", Estimate{2, 1, 1e9}, 0)
		})
		return nil
	})
	if len(r) != 1 || r[0].Off != -3 || r[0].Numbers != 3 || r[0].Statistic != "all" || !strings.Contains(r[0].Detail, "the worst: b") {
		t.Errorf("results %+v", r)
	}
}

// TestGroupsThatFail: a failure without a number is the worst.
func TestGroupsThatFail(t *testing.T) {
	for want, last := range map[string]Estimate{"c": {20, 1, 1e9}, "d": {math.NaN(), 1, 1e9}} {
		r := verdicts(func(j *Judge) error {
			j.Together("all", func() {
				j.Statistic("a", Estimate{1, 1, 1e9}, 0)
				j.Statistic("b", Estimate{-7, 1, 1e9}, 0)
				j.Statistic("c", Estimate{20, 1, 1e9}, 0)
				j.Statistic("d", last, 0)
			})
			return nil
		})
		if len(r) != 1 || r[0].Verdict != Fail || !strings.Contains(r[0].Detail, "the worst: "+want) {
			t.Errorf("results %+v, want the worst to be %s", r, want)
		}
	}
}
