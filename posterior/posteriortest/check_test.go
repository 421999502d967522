package posteriortest

import (
	"errors"
	"math"
	"strings"
	"testing"

	"banditsim/posterior"
)

// verdicts runs a check on nothing.
func verdicts(f func(j *judge) error) []Result {
	return Check{Name: "check", Proves: "a thing", run: f}.Run(Options{Quick, 1})
}

// TestChecksFailOnWhatIsNoNumber: nothing passes for want of a number, and every check
// ends with a result.
func TestChecksFailOnWhatIsNoNumber(t *testing.T) {
	nan := math.NaN()
	for name, f := range map[string]func(j *judge) error{
		"NaN":               func(j *judge) error { j.statistic("x", estimate{nan, 1, 100}, 0); return nil },
		"a wanted NaN":      func(j *judge) error { j.statistic("x", estimate{1, 1, 100}, nan); return nil },
		"an error of NaN":   func(j *judge) error { j.statistic("x", estimate{0, nan, 100}, 0); return nil },
		"an error of 0":     func(j *judge) error { j.statistic("x", estimate{0, 0, 100}, 0); return nil },
		"an infinite error": func(j *judge) error { j.statistic("x", estimate{0, math.Inf(1), 100}, 0); return nil },
		"too far off":       func(j *judge) error { j.statistic("x", estimate{1, 0.15, 1e9}, 0); return nil },
		"few replicates":    func(j *judge) error { j.sharp("x", estimate{1, 0.01, 100}, 1.07); return nil },
		"blind":             func(j *judge) error { j.sharp("x", estimate{1, 0.01, 100}, 1); return nil },
		"a NaN near":        func(j *judge) error { j.near("x", nan, 0, 1); return nil },
		"a broken promise":  func(j *judge) error { j.promise("x", false, "no"); return nil },
		"other bits": func(j *judge) error {
			j.sameBits("x", []float32{0}, []float32{float32(math.Copysign(0, -1))})
			return nil
		},
		"fewer bits": func(j *judge) error { j.sameBits("x", nil, []float32{0}); return nil },
		"the worst of a group": func(j *judge) error {
			j.together("x", func() { j.near("a", 0, 0, 1); j.near("b", nan, 0, 1); j.near("c", 0, 0, 1) })
			return nil
		},
		"an error":           func(j *judge) error { return errors.New("no") },
		"a panic":            func(j *judge) error { panic("no") },
		"a panic in a group": func(j *judge) error { j.together("x", func() { panic("no") }); return nil },
		"nothing to look at": func(j *judge) error { return nil },
		"nothing in a group": func(j *judge) error { j.together("x", func() {}); return nil },
	} {
		if r := verdicts(f); !Failed(r) {
			t.Errorf("%s: %v", name, r)
		}
	}
	for name, f := range map[string]func(j *judge) error{
		"near enough":   func(j *judge) error { j.statistic("x", estimate{1, 0.16, 1e9}, 0); return nil },
		"sharp enough":  func(j *judge) error { j.sharp("x", estimate{1.03, 0.0055, 1e9}, 1); return nil },
		"a note of NaN": func(j *judge) error { j.note("x", estimate{value: nan}, ""); return nil },
		"a skip":        func(j *judge) error { j.skip("x", "not offered"); return nil },
	} {
		if r := verdicts(f); Failed(r) {
			t.Errorf("%s: %v", name, r)
		}
	}
}

// TestGroups: the worst of a group stands for all.
func TestGroups(t *testing.T) {
	r := verdicts(func(j *judge) error {
		j.together("all", func() {
			j.statistic("a", estimate{1, 1, 1e9}, 0)
			j.statistic("b", estimate{-3, 1, 1e9}, 0)
			j.statistic("c", estimate{2, 1, 1e9}, 0)
		})
		return nil
	})
	if len(r) != 1 || r[0].Off != -3 || r[0].Numbers != 3 || r[0].Statistic != "all" || !strings.Contains(r[0].Detail, "the worst: b") {
		t.Errorf("results %+v", r)
	}
}

// TestGroupsThatFail: of failures the worst stands for all, and one without a number is the worst.
func TestGroupsThatFail(t *testing.T) {
	for want, last := range map[string]estimate{"c": {20, 1, 1e9}, "d": {math.NaN(), 1, 1e9}} {
		r := verdicts(func(j *judge) error {
			j.together("all", func() {
				j.statistic("a", estimate{1, 1, 1e9}, 0)
				j.statistic("b", estimate{-7, 1, 1e9}, 0)
				j.statistic("c", estimate{20, 1, 1e9}, 0)
				j.statistic("d", last, 0)
			})
			return nil
		})
		if len(r) != 1 || r[0].Verdict != Fail || !strings.Contains(r[0].Detail, "the worst: "+want) {
			t.Errorf("results %+v, want the worst to be %s", r, want)
		}
	}
}

// TestClaimsThatLack: a subject whose claims are of no use fails, and tells why.
func TestClaimsThatLack(t *testing.T) {
	s := subject(t, "SGLD")
	s.Claims.Memory = nil
	r := Verify(s, Options{Quick, 1})
	if len(r) != 1 || r[0].Verdict != Fail || !strings.Contains(r[0].Detail, "Memory is nil") {
		t.Errorf("results %v", r)
	}
}

// TestWithoutAClosedForm: a sampler that claims no variance of its own is held to the limit
// of small steps, and a wrong noise is seen there too.
func TestWithoutAClosedForm(t *testing.T) {
	if testing.Short() {
		t.Skip("long statistics")
	}
	t.Parallel()
	s := subject(t, "pSGLD")
	s.Claims.Variance, s.Claims.Autocorrelation = nil, nil
	build := s.New
	for _, factor := range []float64{1, 1.05} {
		s.New = func(u Setup) (posterior.Sampler, error) {
			u.Temperature *= factor
			return build(u)
		}
		for _, c := range s.Checks() {
			if c.Name != "variance" && (c.Name != "linear regression" || factor != 1) {
				continue
			}
			r := c.Run(Options{Quick, 1})
			if Failed(r) != (factor != 1) {
				t.Errorf("noise variance times %g, %s: %v", factor, c.Name, r)
			}
		}
	}
}
