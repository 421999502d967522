package compare

import (
	"math"
	"testing"

	"banditsim/internal/must"
	"banditsim/internal/resultstest"
	"banditsim/results"
)

// TestProcessorCosts checks that costs use processor time if all sidecars have it, and average it over environments.
func TestProcessorCosts(t *testing.T) {
	var sets []*results.Set
	for e := range 2 {
		set := resultstest.Trials(t, []string{"a", "b", "c"}, 3, 90, nil) // policies of increasing regret
		for i, p := range set.Policies {
			for _, rec := range p.Records {
				seconds := []float64{4, 2, 3}[i] * float64(1+e) // c has more regret and more time than b
				must.OK(t, results.WriteSidecar(rec.Path, results.Sidecar{Seconds: 100, ProcessorSeconds: &seconds}))
			}
		}
		set = must.Get(results.Load(set.Dir))(t)
		set.Label = []string{"one", "two"}[e]
		sets = append(sets, set)
	}
	check := func(list []Cost, scale float64) {
		t.Helper()
		for i, c := range list {
			if want := []float64{4, 2, 3}[i] * scale; !c.Processor || float64(c.Seconds) != want || c.Undominated != (c.Policy != "c") {
				t.Errorf("%+v, want %g s", c, want)
			}
		}
	}
	check(Costs(sets[0], Primary()), 1)
	check(Costs(sets[1], Primary()), 2)
	across := must.Get(CompareAcross(sets, Primary(), ""))(t)
	list := CostsAcross(across, sets)
	check(list, 1.5)
	for _, c := range list {
		for _, p := range across.Policies {
			if p.Policy == c.Policy && math.Abs(float64(p.OfUniform)-c.Regret.Mean) > 1e-9 || !c.Regret.HasInterval() {
				t.Errorf("%+v, want %g %%", c, p.OfUniform)
			}
		}
	}
	must.OK(t, results.WriteSidecar(sets[0].Policies[0].Records[0].Path, results.Sidecar{Seconds: 100}))
	sets[0] = must.Get(results.Load(sets[0].Dir))(t)
	c := Costs(sets[0], Primary())[1]
	must.That(t, !c.Processor && c.Seconds == 100, "one sidecar has no processor time: %+v", c)
}
