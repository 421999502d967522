package compare

import (
	"math"
	"testing"

	"banditsim/results/internal/resultstest"
)

// TestAddVerdict: a comparison of any options has the verdict of its set, by the first metric.
func TestAddVerdict(t *testing.T) {
	set := resultstest.Set(map[string][]float64{"a": {1000, 1010, 990, 1020, 980, 1000}, "b": {1100, 1112, 1091, 1123, 1080, 1102}})
	want := Verdict(set)
	for name, change := range map[string]func(*Options){
		"the default options": func(*Options) {},
		"another metric":      func(o *Options) { o.Metric = Realised() },
		"a baseline":          func(o *Options) { o.Baseline = "b" },
	} {
		o := DefaultOptions(set)
		change(&o)
		c, err := Compare(set, o)
		if err != nil {
			t.Fatal(err)
		}
		if c.AddVerdict(set); c.Verdict != want || want == "" {
			t.Errorf("%s: verdict %q, want %q", name, c.Verdict, want)
		}
	}
	s := Totals(set)
	if s.AddVerdict(set); s.Verdict != want || len(s.Ranks) != 2 {
		t.Errorf("summary: verdict %q and %d ranks, want %q and 2", s.Verdict, len(s.Ranks), want)
	}
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
