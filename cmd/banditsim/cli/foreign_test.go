package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"banditsim/bandit/experiment"
	"banditsim/internal/must"
	"banditsim/results"
)

// TestOtherBuilds: trials of another build of a program with code of one's own are told of; those of this build, of trials that are
// not there, and of this project's own program are not.
func TestOtherBuilds(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	must.OK(t, os.Mkdir(filepath.Join(dir, results.TrialsDir), 0o777))
	plan := &experiment.Plan{}
	for seed, build := range []string{"old", "new", "none"} {
		c := experiment.Cell{Identity: results.Identity{Policy: results.Policy{Name: "Own", Options: []byte("{}")}, Seed: uint64(seed + 1)}, Label: "Own"}
		c.Environment.Options = []byte("{}")
		plan.Cells = append(plan.Cells, c)
		if build != "none" {
			must.OK(t, results.WriteSidecar(filepath.Join(dir, results.TrialsDir, c.FileName()), results.Sidecar{Build: build}))
		}
	}
	if got := otherBuilds(plan, dir, "new"); !strings.HasPrefix(got, "1 trial in ") || !strings.Contains(got, "delete them or name another folder with --out") {
		t.Errorf("warning %q", got)
	}
	if got := otherBuilds(plan, dir, "newer"); !strings.HasPrefix(got, "2 trials in ") {
		t.Errorf("warning %q", got)
	}
	must.Equal(t, "warning about this project's program", otherBuilds(plan, dir, ""), "")
	if build, err := foreignBuild(); build != "" || err != nil { // the test is of this module
		t.Errorf("build %q, error %v", build, err)
	}
}
