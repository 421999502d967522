package cli_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestNoBetterThanOneArm: on a table with 95 % of one class, whose columns tell nothing of it, no policy does better than always
// "no", and run, report, compare and the page say so, with what that costs; where the best arm is another with each seed, a dash.
func TestNoBetterThanOneArm(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	r := rand.New(rand.NewPCG(1, 2))
	var rows strings.Builder
	rows.WriteString("age,weight,ill\n")
	for i := range 400 {
		ill := "no"
		if i%20 == 7 {
			ill = "yes"
		}
		fmt.Fprintf(&rows, "%.3f,%.3f,%s\n", r.NormFloat64(), r.NormFloat64(), ill)
	}
	table, out := filepath.Join(dir, "patients.csv"), filepath.Join(dir, "out")
	if err := os.WriteFile(table, []byte(rows.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	output := func(args ...string) string {
		t.Helper()
		code, stdout, stderr := invoke(args...)
		if code != 0 {
			t.Fatalf("%v: %s", args, stderr)
		}
		return strings.Join(strings.Fields(stdout), " ")
	}
	// 600 pulls, a twentieth of them wrong; at random, half.
	const sentence = `Best constant arm: always "no" costs 30.0, 10.0 % of uniform; 0 of 3 policies cost less.`
	first := output("run", "--environment", "table", "--data", table, "--policies", "LinUCB,LinTS,Uniform", "--seeds", "1..6",
		"--set", "protocol.rounds=30", "--quiet", "--out", out)
	page := filepath.Join(dir, "page.html")
	output("report", out, "--html", page)
	html, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	plain := strings.NewReplacer("&#34;", `"`, "&#43;", "+").Replace(string(html))
	for name, text := range map[string]string{
		"run": first, "report": output("report", out), "report in Markdown": output("report", out, "-o", "md"),
		"compare": output("compare", out), "compare --wide": output("compare", out, "--wide"), "page": plain,
	} {
		if !strings.Contains(text, sentence) {
			t.Errorf("%s: want %q in\n%.3000s", name, sentence, text)
		}
	}
	for _, verb := range []string{"report", "compare"} {
		if got := output(verb, out, "-o", "json"); !strings.Contains(got, `"constant_arm": { "arm": "no", "regret": 30, "percent_of_uniform": 10 }`) {
			t.Errorf("%s -o json: want the best constant arm in\n%.3000s", verb, got)
		}
	}
	changing := output("run", "--environment", "bernoulli", "--policies", "UCB1,Uniform", "--seeds", "1..2", "--set", "protocol.rounds=5",
		"--quiet", "--out", filepath.Join(dir, "changing"))
	if !strings.Contains(changing, "Best constant arm: –, another from seed to seed") {
		t.Errorf("bernoulli: want a dash for the best constant arm in\n%s", changing)
	}
}
