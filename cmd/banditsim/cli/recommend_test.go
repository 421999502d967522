package cli_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"banditsim/internal/exit"
	"banditsim/internal/must"
)

// writeTable writes a table of two numbers and a class, which a line in the plane of the numbers separates.
func writeTable(t *testing.T, path string, rows int) {
	t.Helper()
	rng := rand.New(rand.NewPCG(3, 4))
	text := strings.Builder{}
	text.WriteString("height,width,kind\n")
	for range rows {
		x, y := rng.NormFloat64(), rng.NormFloat64()
		kind := "small"
		if x+y > 0.5 {
			kind = "large one"
		}
		fmt.Fprintf(&text, "%.3f,%.3f,%s\n", x, y, kind)
	}
	must.OK(t, os.WriteFile(path, []byte(text.String()), 0o666))
}

// printedCommand returns the arguments of the command that stdout has after a label.
func printedCommand(t *testing.T, dir, stdout, label string) []string {
	t.Helper()
	found := regexp.MustCompile(`(?m)^` + label + `: +\S+ (.*)$`).FindStringSubmatch(stdout)
	must.Hold(t, found != nil, "no %s in\n%s", label, stdout)
	return arguments(dir, found[1])
}

// TestRecommend checks that, on a table with linearly separable classes, the linear policy is named best and settled, the
// policy without context is dropped, and both printed commands work: one adds seeds to the folder, the other makes an agent.
func TestRecommend(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeTable(t, filepath.Join(dir, "my things.csv"), 240)
	code, stdout, stderr := run(dir, os.Getenv, []string{"recommend", "my things.csv", "--minutes", "3", "--quiet", "--policies", "LinUCB,KLUCB"})
	if code != exit.OK {
		t.Fatal(code, stderr)
	}
	must.Contain(t, stdout, "data     my things.csv, 240 rows", "arms     2, the values of column kind; best in", "(large one)",
		"columns  2 of numbers, 0 of categories", "policies LinUCB, KLUCB, Uniform", "trials of 240 pulls",
		"KLUCB was dropped after 8 seeds: worse than LinUCB", "LinUCB has the lowest expected regret", "anytime interval for 3 pairs together: settled",
		`Best constant arm: always "small"`)
	trials := func() int {
		return len(must.Get(filepath.Glob(filepath.Join(dir, "out", "*-recommend", "trials", "*.jsonl")))(t))
	}
	before := trials()
	must.That(t, before == 3*8, "%d trials, want 24", before)
	if code, _, stderr := run(dir, os.Getenv, append(printedCommand(t, dir, stdout, "More seeds"), "--policies", "LinTS")); code != exit.OK || trials() <= before {
		t.Errorf("exit code %d, %d trials after %d\n%s", code, trials(), before, stderr)
	}
	// What is in the folder counts, also without time.
	_, again, _ := run(dir, os.Getenv, []string{"recommend", "my things.csv", "--minutes", "0.00001", "--quiet", "--policies", "LinUCB,KLUCB,LinTS"})
	must.Contain(t, again, "KLUCB was dropped after 8 seeds: worse than", "t-interval over 18 seeds (1–18)")
	if code, _, stderr := run(dir, os.Getenv, printedCommand(t, dir, stdout, "An agent")); code != exit.OK {
		t.Fatal(stderr)
	}
	agent := glob(t, 1, dir, "out", "*-agent", "trials", "*.agent")[0]
	code, answer, stderr := run(dir, os.Getenv, []string{"act", agent}, strings.NewReader(`{"context": {"height": 2, "width": 2}}`+"\n"))
	must.That(t, code == exit.OK && strings.Contains(answer, `"arm":"large one"`), "%v %v %v", code, answer, stderr)
}

// TestRecommendBudget checks that a table that is too long for the budget is used in part, with a message, that the command
// ends in time, and that the same command continues in its folder with trials of the same length.
func TestRecommendBudget(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeTable(t, filepath.Join(dir, "long.csv"), 6000)
	args := []string{"recommend", "long.csv", "--minutes", "0.1", "--workers", "1", "--quiet", "--out", "o", "--policies", "pICSGLD,LinUCB"}
	begin := time.Now()
	code, stdout, stderr := run(dir, os.Getenv, args)
	if took := time.Since(begin); took > time.Minute { // 6 s; other tests have the processors, too
		t.Errorf("it took %v", took)
	}
	if code == exit.CodeIncomplete && strings.Contains(stderr, "the budget is spent before all policies finished a seed") {
		t.Skip("the processors are busy")
	}
	if code != exit.OK {
		t.Fatal(code, stderr)
	}
	busy := strings.NewReplacer("shorter ones would tell too little; 12 seeds may not fit", "so that 12 seeds fit") // so it is where processors are busy
	must.Contain(t, busy.Replace(stdout), "each seed on other rows (so that 12 seeds fit)", "Trials had a part of the rows", "--set protocol.rounds=")
	pulls := regexp.MustCompile(`trials of \S+ pulls`).FindString(stdout)
	code, again, stderr := run(dir, os.Getenv, append(args[:3:3], append([]string{"0.05"}, args[4:]...)...))
	must.That(t, code == exit.OK && strings.Contains(again, pulls), "exit code %d, not %s in\n%s%s", code, pulls, again, stderr)
	if code, _, stderr = run(dir, os.Getenv, []string{"recommend", "long.csv", "--minutes", "0.00001", "--quiet", "--out", "none"}); code != exit.CodeIncomplete {
		t.Errorf("without time: exit code %d, %s", code, stderr)
	}
	for wrong, args := range map[string][]string{
		"--minutes 0":               {"long.csv", "--minutes", "0"},
		"no such file":              {"none.csv"},
		`known are environment`:     {"long.csv", "--set", "LinUCB.alpha=2"},
		`there is no column "clas"`: {"long.csv", "--set", "environment.target=clas"},
		"did you mean LinUCB?":      {"long.csv", "--policies", "LinUBC"},
		"the rows do not end":       {"long.csv", "--set", "environment.replacement=true"},
		"0 arguments, want 1":       {},
		"want 2 to 1000 classes":    {"long.csv", "--set", "environment.target=width"},
	} {
		if code, _, stderr := run(dir, os.Getenv, append([]string{"recommend"}, args...)); code == exit.OK || !strings.Contains(stderr, wrong) {
			t.Errorf("%q: exit code %d: %s\nwant %q", args, code, stderr, wrong)
		}
	}
}
