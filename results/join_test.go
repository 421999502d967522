package results_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"banditsim/internal/lists"
	"banditsim/internal/must"
	"banditsim/internal/resultstest"
	"banditsim/results"
)

// TestJoin checks that trials with the same conditions are in one set, and that a trial in two folders counts once.
func TestJoin(t *testing.T) {
	a, b, c := t.TempDir(), t.TempDir(), t.TempDir()
	variant := resultstest.Identity("p", 1, 60)
	variant.Policy.Options = json.RawMessage(`{"learning_rate":1,"chains":4}`)
	for seed := uint64(1); seed <= 2; seed++ {
		resultstest.WriteTrial(t, a, resultstest.Identity("p", seed, 60), 12, 0)
		resultstest.WriteTrial(t, a, resultstest.Identity("q", seed, 60), 12, 55*int(seed-1)) // seed 2 fails
	}
	resultstest.WriteTrial(t, b, variant, 13, 0)
	resultstest.WriteTrial(t, b, resultstest.Identity("p", 3, 60), 12, 0)
	resultstest.WriteTrial(t, c, resultstest.Identity("p", 1, 61), 12, 0)
	for _, name := range []string{resultstest.Identity("p", 2, 60).FileName(), resultstest.Identity("q", 2, 60).FileName()} { // in a and b
		copied := resultstest.ReadFile(t, filepath.Join(a, results.TrialsDir, name))
		must.OK(t, os.WriteFile(filepath.Join(b, results.TrialsDir, name), copied, 0o666))
	}
	load := func(dirs ...string) []*results.Set {
		var all []*results.Set
		for _, dir := range dirs {
			sets := must.Get(results.LoadMixed(dir))(t)
			all = append(all, sets...)
		}
		return results.Join(all)
	}
	sets := load(a, b, c)
	names := lists.Each(sets, func(s *results.Set) string { return s.Label })
	must.Equal(t, "sets", names, []string{"mushroom protocol.rounds 60", "mushroom protocol.rounds 61"})
	set := sets[0]
	must.Equal(t, "labels", results.Labels(sets[:1]), []string{"p learning_rate=1", "p learning_rate=3e-7", "q"})
	var seeds [][]uint64
	for _, p := range set.Policies {
		seeds = append(seeds, lists.Each(p.Records, func(rec results.Record) uint64 { return rec.Seed }))
	}
	must.That(t, slices.EqualFunc(seeds, [][]uint64{{1}, {1, 2, 3}, {1, 2}}, slices.Equal) && len(set.Damaged) == 0 &&
		set.Dir == a, "seeds %v, damaged %v, folder %s", seeds, set.Damaged, set.Dir)
	rec := set.FindPolicy(resultstest.Identity("p", 2, 60).Policy).Records[1]
	must.That(t, filepath.Dir(filepath.Dir(rec.Path)) == a, "of equal copies %s is kept, not that of the first folder", rec.Path)
	// A trial whose two files have different totals is damaged.
	resultstest.WriteTrial(t, c, resultstest.Identity("p", 2, 60), 30, 0)
	must.Equal(t, "damaged files", len(load(a, c)[0].Damaged), 1)
}

// TestSelectLabelFirst checks that a label selects only its policy, even if it is the registered name of others, and that
// another name selects all policies with that registered name.
func TestSelectLabelFirst(t *testing.T) {
	set := &results.Set{Policies: []results.PolicyRecords{
		{Label: "p", Policy: results.Policy{Name: "p"}},
		{Label: "hot", Policy: results.Policy{Name: "p"}},
		{Label: "a", Policy: results.Policy{Name: "q"}},
		{Label: "b", Policy: results.Policy{Name: "q"}},
	}}
	for name, want := range map[string][]string{"p": {"p"}, "hot": {"hot"}, "q": {"a", "b"}} {
		chosen := must.Get(results.Select([]*results.Set{set}, []string{name}))(t)
		got := lists.Each(chosen[0].Policies, func(p results.PolicyRecords) string { return p.Label })
		must.Equal(t, name, got, want)
	}
}
