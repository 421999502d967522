//go:build !windows

package cli_test

import (
	"path/filepath"
	"strings"
	"testing"
)

// Runs record what they had not: trials are run again for their pulls or scores, to the same bytes.
func TestRecordLater(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	out := filepath.Join(dir, "o")
	run := []string{"run", "quick", "--quiet", "--policies", "Uniform,pSGLD", "--seeds", "1..2", "--score-contexts", "20", "--score-draws", "5",
		"--set", "all.hidden=4", "--set", "all.batch=8", "--set", "all.steps=1", "--set", "all.chains=1", "--set", "all.train_after=40", "--set", "protocol.rounds=4", "--set", "protocol.burn_in=20", "--out", out}
	do := func(args ...string) string {
		t.Helper()
		code, stdout, stderr := invoke(args...)
		if code != 0 {
			t.Fatalf("%q: exit code %d\n%s", args, code, stderr)
		}
		return stdout
	}
	do(run...)
	do("export", out, "--out", filepath.Join(dir, "before.csv"))
	for _, record := range []string{"pulls", "scores"} {
		want := map[string]string{"pulls": "(4 run now", "scores": "(2 run now"}[record] // Uniform has nothing to score
		if stdout := do(append(run, "--record", record)...); !strings.Contains(stdout, want) {
			t.Errorf("--record %s: %s", record, stdout)
		}
		if stdout := do(append(run, "--record", record)...); !strings.Contains(stdout, "(0 run now") {
			t.Errorf("--record %s, again: %s", record, stdout)
		}
	}
	do("export", out, "--pulls", "--out", filepath.Join(dir, "u.csv"))
	if n := strings.Count(readText(t, filepath.Join(dir, "u.csv")), "\n"); n != 1+4*4*20 {
		t.Errorf("%d lines of pulls", n)
	}
	do("report", out, "--mistakes")
	if stdout := do("report", out, "--scores"); !strings.Contains(stdout, "pSGLD") {
		t.Error(stdout)
	}
	do("export", out, "--out", filepath.Join(dir, "after.csv"))
	if readText(t, filepath.Join(dir, "before.csv")) != readText(t, filepath.Join(dir, "after.csv")) {
		t.Error("the rounds differ")
	}
}
