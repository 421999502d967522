package compare

import (
	"math"
	"testing"

	"banditsim/internal/resultstest"
	"banditsim/results"
)

func TestCosts(t *testing.T) {
	set := resultstest.Trials(t, []string{"a", "b", "c", "d"}, 2, 90, nil) // policies of increasing regret
	steps := func(n int64) *int64 { return &n }
	for label, s := range map[string]results.Sidecar{
		"a": {Seconds: 3, Steps: steps(30), Earlier: []results.Sidecar{{Seconds: 2}}},
		"b": {Seconds: 6, Steps: steps(10)}, // more regret and more time than a
		"c": {Seconds: 1},                   // a sidecar of an older version
	} {
		for _, rec := range set.Find(label).Records {
			if err := results.WriteSidecar(rec.Path, s); err != nil {
				t.Fatal(err)
			}
		}
	}
	set, err := results.Load(set.Dir)
	if err != nil {
		t.Fatal(err)
	}
	nan := math.NaN()
	for i, want := range []struct {
		policy         string
		steps, seconds float64
		undominated    bool
	}{{"a", 30, 5, true}, {"b", 10, 6, false}, {"c", nan, 1, true}, {"d", nan, nan, false}} {
		c := Costs(set)[i]
		same := func(got, want float64) bool { return got == want || math.IsNaN(got) && math.IsNaN(want) }
		if c.Policy != want.policy || !same(float64(c.Steps), want.steps) || !same(float64(c.Seconds), want.seconds) || c.Undominated != want.undominated {
			t.Errorf("%+v, want %+v", c, want)
		}
	}
}
