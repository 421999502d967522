package compare

import (
	"math"
	"strings"
	"testing"

	"banditsim/internal/resultstest"
	"banditsim/results"
)

// TestComplete: what Compare and Summarize return has its sentences, by the options of the comparison.
func TestComplete(t *testing.T) {
	set := resultstest.Set(map[string][]float64{"a": {1000, 1010, 990, 1020, 980, 1000}, "b": {1100, 1112, 1091, 1123, 1080, 1102}, "c": {1000, 1011, 989, 1020, 980, 1001}})
	best := verdict(t, set)
	if !strings.HasPrefix(best, "a has the lowest expected regret, 1,000 ± 15 over 6 seeds") {
		t.Error(best)
	}
	for _, test := range []struct {
		name   string
		change func(*Options)
		want   string
	}{
		{"the default options", func(*Options) {}, best},
		{"another metric", func(o *Options) { o.Metric = Realised() }, "Beside the realised regret of a: higher: b; no significant difference: c."},
		{"a baseline", func(o *Options) { o.Baseline = "b" }, "Beside the expected regret of b: lower: a, c."},
	} {
		o := DefaultOptions(set)
		test.change(&o)
		c, err := Compare(set, o)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Sentences; len(got) != 1 || got[0] != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
	if s := summaryOf(t, set); s.Sentences[0] != best || len(s.Ranks) != 3 {
		t.Errorf("summary: %q and %d ranks, want %q and 3", s.Sentences, len(s.Ranks), best)
	}
}

// verdict returns the first sentence on a set.
func verdict(t *testing.T, set *results.Set) string {
	t.Helper()
	c, err := Conclude(set)
	if err != nil {
		t.Fatal(err)
	}
	return c.Sentences[0]
}

func summaryOf(t *testing.T, set *results.Set) *Summary {
	t.Helper()
	s, err := Summarize(set)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestPercentOfNothing: where acting uniformly has no regret, or an unknown one, no percentage says anything.
func TestPercentOfNothing(t *testing.T) {
	for _, whole := range []float64{0, -1, math.NaN()} {
		for _, part := range []float64{-2, 0, 3} {
			if got := float64(percent(part, whole)); !math.IsNaN(got) {
				t.Errorf("%g of %g is %g %%, want NaN", part, whole, got)
			}
		}
	}
	resultstest.CloseTo(t, "3 of 12 in percent", float64(percent(3, 12)), 25, 1e-12)
}
