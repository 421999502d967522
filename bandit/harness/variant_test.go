package harness

import (
	"testing"

	"banditsim/bandit/experiment"
	"banditsim/bandit/internal/toytest"
	"banditsim/internal/must"
	"banditsim/results"
	"banditsim/results/compare"
)

// TestVariantsShareAFolder checks that results have the names of variants, that a selection or a longer sweep extends the folder, and
// that a name with another meaning is an error.
func TestVariantsShareAFolder(t *testing.T) {
	c := toytest.Catalog(t)
	dir := t.TempDir()
	file := func(policies string) *experiment.Plan {
		t.Helper()
		e := must.Get(parse(t, c, "name: x\nextends: toy\npolicies: ["+policies+"]"))(t)
		return toytest.Resolve(t, e, c)
	}
	mustRun(t, dir, 2, file("{policy: Small, sweep: {chains: [1, 3]}}, {policy: Sulker, name: sour}"))
	labels := results.Labels([]*results.Set{must.Get(results.Load(dir))(t)})
	must.Equal(t, "labels", labels, []string{"Small chains=1", "Small chains=3", "sour"})
	s := mustRun(t, dir, 2, file("{policy: Sulker, name: sour}"))
	must.That(t, s.Run == 0 && s.Skipped == 2 && len(s.Failed) == 2 && s.Failed[0].Policy == "sour", "a selection: %+v", s)
	more := file("{policy: Small, sweep: {chains: [3, 4]}}, Small")
	must.Equal(t, "a longer sweep and a plain policy", mustRun(t, dir, 2, more), Summary{Run: 4, Skipped: 2})
	must.Refuse(runIn(t, dir, 2, file("{policy: Small, name: Small chains=1, set: {chains: 5}}")))(t, "chains is 1 there and 5 here")
}

// TestPlanJudges checks that policies are found by name and options, not by label.
func TestPlanJudges(t *testing.T) {
	c := toytest.Catalog(t)
	e := must.Get(parse(t, c, `name: x
extends: toy
policies: [Uniform, {policy: Small, name: hot, set: {temperature: 1}}, {policy: Small, sweep: {chains: [1]}}, Sulker]
thresholds: [regret(Uniform) < 1000, regret(hot) - regret(Small) < -1000, regret(Sulker) < 1000]
`))(t)
	plan := toytest.Resolve(t, e, c)
	dir := t.TempDir()
	mustRun(t, dir, 2, plan)
	set := must.Get(results.Load(dir))(t)
	for i := range set.Policies {
		set.Policies[i].Label = "renamed"
	}
	js := plan.Judge([]*results.Set{set})
	must.Hold(t, len(js) == 3, "%d judgments, want 3", len(js))
	for i, want := range []struct {
		met bool
		why string
	}{{true, ""}, {false, ""}, {false, "Sulker: 2 failed: seeds 1, 2"}} {
		if j := js[i]; j.Met != want.met || j.Why != want.why || want.why == "" && j.Estimate.N != 2 {
			t.Errorf("%s: N = %d, want met %v, why %q", j, j.Estimate.N, want.met, want.why)
		}
	}
	e.Thresholds = nil
	for text, want := range map[string]string{
		"regret(Smal) < 1":                "--threshold: this experiment has no policy \"Smal\" (did you mean Small chains=1?)",
		"post_burn_in_regret(hot) < 1":    "",
		"regret(Small chains=1) < 1":      "",
		`regret("Small chains=1") < 1`:    "",
		"regret(hot) - regret(Never) < 1": "this experiment has no policy \"Never\"",
	} {
		threshold := must.Get(compare.ParseThreshold(text))(t)
		e := e
		e.Thresholds = []compare.Threshold{threshold}
		_, err := e.Resolve(t.Context(), c)
		must.Want(t, text, err, want)
	}
}

// parse reads an experiment file.
func parse(t *testing.T, c *experiment.Catalog, text string) (experiment.Experiment, error) {
	t.Helper()
	path := must.File(t, "f.yaml", text)
	return c.ReadFile(path)
}
