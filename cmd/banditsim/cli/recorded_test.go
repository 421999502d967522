//go:build !windows

package cli_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"banditsim/cmd/banditsim/cli"
)

// What a stamp hides from Load, a verb that reads the rounds finds: it warns of the trial, leaves it out and goes on, with exit code 3.
func TestDamageUnderAStamp(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	out := filepath.Join(dir, "o")
	if code, _, stderr := invoke("run", "quick", "--quiet", "--policies", "Uniform,Always,Never", "--seeds", "1..3", "--record", "pulls", "--set", "protocol.rounds=4", "--set", "protocol.burn_in=20", "--out", out); code != 0 {
		t.Fatal(stderr)
	}
	trials := filepath.Join(out, "trials")
	trial := glob(t, filepath.Join(trials, "Uniform-seed2-*.jsonl"))[0]
	info, err := os.Stat(trial)
	if err != nil {
		t.Fatal(err)
	}
	if !writeStamp(t, trials) {
		t.Skip("no inodes")
	}
	b := []byte(readText(t, trial))
	at := bytes.Index(b, []byte(`"realised":`)) + len(`"realised":`)
	if b[at] == '-' {
		at++
	}
	b[at] = '1' + (b[at]-'0')%9
	if err := os.WriteFile(trial, b, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(trial, info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := invoke("report", out); code != 0 { // the documented limit: totals are of the last lines
		t.Errorf("report: exit code %d: %s", code, stderr)
	}
	for _, verb := range [][]string{{"report", out, "--html", filepath.Join(dir, "p.html")}, {"compare", out, "--from-round", "2"}, {"plot", out, "--out", filepath.Join(dir, "p.svg")}, {"plot", out, "--term"}, {"report", out, "--mistakes"},
		{"export", out, "--out", filepath.Join(dir, "r.csv")}, {"export", out, "--out", filepath.Join(dir, "r.tar.gz")}, {"export", out, "--pulls", "--out", filepath.Join(dir, "u.csv")}, {"export", out, "--out", "-", "--format", "csv"}, {"merge", filepath.Join(dir, "m"), out}} {
		code, stdout, stderr := invoke(verb...)
		if code != cli.ExitIncomplete || !strings.Contains(stderr, "left out: ") || !strings.Contains(stderr, strings.TrimSuffix(trial, ".jsonl")) || stdout == "" {
			t.Errorf("%q: exit code %d\n%s\n%s", verb, code, stderr, stdout)
		}
	}
	for name, want := range map[string]int{"r.csv": 1 + 8*4, "u.csv": 1 + 8*4*20} {
		if n := strings.Count(readText(t, filepath.Join(dir, name)), "\n"); n != want {
			t.Errorf("%s has %d lines, want %d", name, n, want)
		}
	}
}

// After packing, runs record what they had not: pulls are done again, to the same trials, and packed with the next merge.
func TestRecordAfterPacking(t *testing.T) {
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
	do("merge", out, "--pack")
	for _, record := range []string{"pulls", "scores"} {
		want := map[string]string{"pulls": "(4 run now", "scores": "(2 run now"}[record] // Uniform has nothing to score
		if stdout := do(append(run, "--record", record)...); !strings.Contains(stdout, want) {
			t.Errorf("--record %s: %s", record, stdout)
		}
		if record == "scores" { // before they are packed, pulls are in the pack, and beside it what was unpacked
			do("export", out, "--pulls", "--out", filepath.Join(dir, "u.csv"))
		}
		do("merge", out, "--pack")
		if left := glob(t, filepath.Join(out, "trials", "*")); len(left) != 1 {
			t.Errorf("--record %s: left %v", record, left)
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
