package merge

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"banditsim/bandit"
	"banditsim/bandit/diagnostics"
	"banditsim/results"
)

// rewritten returns a folder with the trial of a policy and seed 1, of other rounds or failed.
func rewritten(t *testing.T, change func(*bandit.RoundRecord), failure *results.Failure) string {
	t.Helper()
	dir := shard(t, nil, "A", 1)
	paths, err := results.TrialFiles(dir)
	if err != nil {
		t.Fatal(err)
	}
	rec, err := results.ReadRecord(paths[0])
	if err != nil {
		t.Fatal(err)
	}
	n := 5
	if failure != nil {
		n = failure.Round - 1
	}
	var b strings.Builder
	err = results.Encode(&b, rec.Identity(), func(yield func(*bandit.RoundRecord, error) bool) {
		for r, err := range rounds(n, 1) {
			if change != nil {
				change(r)
			}
			if !yield(r, err) {
				return
			}
		}
	}, failure)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(paths[0], []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestMergeKeepsTheFinishedCopy: of a trial that failed on one machine and was finished on another the finished one is
// kept, in either order, packed or not, with a warning that names both.
func TestMergeKeepsTheFinishedCopy(t *testing.T) {
	finished := rewritten(t, nil, nil)
	failed := rewritten(t, nil, &results.Failure{Round: 3, Cause: "out of memory"})
	want := contents(t, finished)
	for _, pack := range []bool{false, true} {
		for _, order := range [][]string{{finished, failed}, {failed, finished}} {
			what := fmt.Sprintf("packed %t, the failed one first %t", pack, order[0] == failed)
			var warnings []string
			m := Merger{Dir: t.TempDir(), Pack: pack, Warn: func(s string) { warnings = append(warnings, s) }}
			s, err := m.Merge(order)
			if err != nil {
				t.Fatal(what, err)
			}
			replaced := 0
			if order[0] == failed {
				replaced = 1
			}
			if s.Added != 1 || s.Replaced != replaced || s.Present != 1-replaced || len(s.Failed) != 0 {
				t.Errorf("%s: %+v", what, s)
			}
			same(t, what, contents(t, m.Dir), want)
			if len(warnings) != 1 || !strings.Contains(warnings[0], "one of them failed: the other is kept") {
				t.Errorf("%s: warnings %q", what, warnings)
			}
		}
	}
	// Two that failed alike are one failed trial.
	again := rewritten(t, nil, &results.Failure{Round: 3, Cause: "out of memory"})
	m := Merger{Dir: t.TempDir()}
	if s, err := m.Merge([]string{failed, again}); err != nil || s.Added != 1 || s.Present != 1 || len(s.Failed) != 1 {
		t.Errorf("two that failed: %+v, %v", s, err)
	}
}

// TestMergeComparesAllTotals: one total that differs is enough to call a machine faulty.
func TestMergeComparesAllTotals(t *testing.T) {
	one := rewritten(t, nil, nil)
	for name, change := range map[string]func(*bandit.RoundRecord){
		"realised regret": func(r *bandit.RoundRecord) { r.Realised = 1.5 },
		"expected regret": func(r *bandit.RoundRecord) { r.Expected = 1.5 },
		"mistakes":        func(r *bandit.RoundRecord) { r.Mistakes = []bandit.Mistake{{Row: 3, Arm: 1}} },
	} {
		for _, order := range [][]string{{one, rewritten(t, change, nil)}, {rewritten(t, change, nil), one}} {
			m := Merger{Dir: t.TempDir()}
			if _, err := m.Merge(order); err == nil || !strings.Contains(err.Error(), "with other numbers") {
				t.Errorf("other %s: %v", name, err)
			}
		}
	}
	// Diagnostics alone are no difference: the copy that has more is kept.
	thin := rewritten(t, func(r *bandit.RoundRecord) { r.Diagnostics = diagnostics.Round{} }, nil)
	for _, order := range [][]string{{one, thin}, {thin, one}} {
		dir := t.TempDir()
		mustMerge(t, dir, false, order...)
		same(t, "diagnostics", contents(t, dir), contents(t, one))
	}
}
