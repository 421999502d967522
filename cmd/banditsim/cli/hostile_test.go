//go:build !windows

package cli_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"banditsim/internal/must"
)

// evil is a name that would change the color of a terminal, forge a line of output, and reverse the direction of text.
const evil = "e\x1b[31m\u009b1m\nbanditsim: forged\u202elive"

// harmless checks that text, which a command wrote, has no control characters of evil and no forged line.
func harmless(t *testing.T, what, text string) {
	t.Helper()
	for _, bad := range []string{"\x1b", "\u009b", "\u202e", "\nbanditsim: forged"} {
		if i := strings.Index(text, bad); i >= 0 {
			t.Errorf("%s has %q: %q", what, bad, text[max(0, i-150):min(len(text), i+80)])
			return
		}
	}
}

// hostile is a test that runs commands and checks that their output is harmless.
type hostile struct {
	*testing.T
	dir string
	env map[string]string
}

// do runs a command in the test's folder.
func (h *hostile) do(args ...string) (code int) {
	h.Helper()
	code, stdout, stderr := run(h.dir, h.getenv, args)
	name := fmt.Sprintf("%q", args)
	harmless(h.T, name+": stdout", stdout)
	harmless(h.T, name+": stderr", stderr)
	must.That(h, stdout+stderr != "", "%s says nothing", name)
	return code
}

// must is do for a command that must succeed.
func (h *hostile) must(args ...string) {
	h.Helper()
	if code := h.do(args...); code != 0 {
		_, _, stderr := run(h.dir, h.getenv, args)
		h.Errorf("%q: exit code %d: %q", args, code, stderr)
	}
}

// shows checks that a figure or a page is harmless.
func (h *hostile) shows(file string) {
	h.Helper()
	b := must.Get(os.ReadFile(filepath.Join(h.dir, file)))(h)
	harmless(h.T, fmt.Sprintf("%q", file), strings.ReplaceAll(string(b), "\n", " ")) // newlines do no harm here
	for _, escape := range []string{`&#x1b;`, `&#27;`, `&#8238;`, `&#x202e;`} {
		if i := strings.Index(strings.ToLower(string(b)), escape); i >= 0 {
			h.Errorf("%q has %s: %q", file, escape, b[max(0, i-100):i+40])
		}
	}
	if _, data, ok := strings.Cut(string(b), `id="data">`); ok { // a page
		data, _, _ = strings.Cut(data, "</script>")
		var v any
		must.OK(h, json.Unmarshal([]byte(data), &v))
		harmless(h.T, fmt.Sprintf("the data of %q", file), strings.ReplaceAll(fmt.Sprint(v), "\n", " "))
	}
}

func (h *hostile) write(path, text string) {
	h.Helper()
	path = filepath.Join(h.dir, path)
	must.OK(h, os.MkdirAll(filepath.Dir(path), 0o777))
	must.OK(h, os.WriteFile(path, []byte(text), 0o666))
}

func newHostile(t *testing.T) *hostile {
	t.Parallel()
	return &hostile{T: t, dir: t.TempDir(), env: map[string]string{}}
}

func (h *hostile) getenv(name string) string { return h.env[name] }

// run makes a folder of results.
func (h *hostile) run(out string, more ...string) {
	h.Helper()
	h.must(append([]string{"run", "quick", "--quiet", "--policies", "Uniform,Always", "--seeds", "1..2", "--set", "protocol.rounds=3", "--record", "pulls", "--out", out}, more...)...)
}

// TestHostilePaths checks hostile names of files and folders on the command line.
func TestHostilePaths(t *testing.T) {
	h := newHostile(t)
	h.run(evil)
	h.run(evil) // again
	h.must("report", evil)
	h.must("report", evil, "--html", evil+".html")
	h.shows(evil + ".html")
	h.must("compare", evil)
	h.must("compare", evil, evil)
	h.must("plot", evil)
	h.must("plot", evil, "--term")
	h.must("plot", evil, "--out", evil+".svg")
	h.shows(evil + ".svg")
	for _, ending := range []string{".csv", ".csv.gz"} {
		h.must("export", evil, "--out", evil+ending)
	}
	h.must("export", evil, "--pulls", "--out", evil+"/u.csv")
	h.must("merge", evil+"2", evil)
	h.must("report", evil+"2")
	h.must("missing", evil, "quick", "--policies", "Uniform,Always", "--seeds", "1..2", "--set", "protocol.rounds=3")
	h.must("submit", "slurm", "quick", "--shards", "2", "--out", evil+"3")
	h.must("submit", "k8s", "quick", "--shards", "2", "--out", evil+"3")
	h.write(evil+"3/submit/array.sh", "#!/bin/bash\n"+evil)
	h.must("submit", "slurm", "quick", "--shards", "2", "--out", evil+"3")
	h.must("init", evil+".yaml")
	h.must("run", evil+".yaml", "--dry-run")
	for _, args := range [][]string{
		{"report", evil + "none"}, {"compare", evil + "none"}, {"plot", evil, "--out", evil + ".txt"}, {"plot", evil, "--out", "none/" + evil + ".svg"}, {"plot", evil, "--style", evil},
		{"export", evil, "--out", evil}, {"export", evil, "--out", "none/" + evil + ".csv"}, {"export", evil, "--out", evil + "/trials"}, {"report", evil, "--html", evil + ".x"}, {"report", evil, "--policies", evil}, {"report", evil, "--environment", evil},
		{"merge", "x", evil + "none"}, {"merge", evil + "/trials", evil}, {"merge", "x", evil + "none"}, {"merge", "x", evil + ".csv"}, {"run", evil}, {"run", evil + ".txt"}, {"run", evil + "none.yaml"}, {"run", "quick", "--data", evil}, {"run", "quick", "--data", evil + ".csv"},
		{"run", "quick", "--set", evil + "=1"}, {"run", "quick", "--set", "all.hidden=" + evil}, {"run", "quick", "--seeds", evil}, {"run", "quick", "--policies", evil}, {"run", "quick", "--environment", evil}, {"run", "quick", "--out", evil + ".csv"},
		{"run", "quick", "--" + evil}, {evil}, {"report", evil, "-o", evil}, {"init", evil}, {"submit", evil, "quick", "--shards", "2", "--out", evil}, {"submit", "k8s", "quick", "--shards", "2", "--out", "../" + evil}, {"list", evil}, {"data", "describe", "--data", evil}, {"data", evil}, {"sampler", evil}, {"missing", evil + "none", "quick"},
		{"tune", evil + "none.yaml"}, {"tune", evil + ".yaml", "--write", evil}, {"help", evil}, {"run", "quick", "--shard", evil}, {"run", "quick", "--trial", evil}, {"run", "quick", "--record", evil}, {"score", evil}, {"compare", evil, "--baseline", evil}, {"compare", evil, "--metric", evil},
	} {
		must.That(h, h.do(args...) != 0 || args[0] == "missing" || args[0] == "help", "%q succeeds", args)
	}
	h.env["BANDITSIM_DATA"] = evil
	must.That(h, h.do("run", "--environment", "table", "--policies", "Uniform", "--out", "x") != 0, "data that are not there")
}

// TestHostileNamesOfFiles checks hostile names of files in a folder of trials.
func TestHostileNamesOfFiles(t *testing.T) {
	h := newHostile(t)
	h.run("o")
	for _, ending := range []string{".jsonl", ".meta.json", ".pulls.csv.gz"} {
		h.write("o/trials/pack-"+evil+ending, "x")
		h.write("o/trials/"+evil+"-seed1-1234567890ab"+ending, "x")
	}
	h.write("o/trials/."+evil+".jsonl.partial", "x")
	h.write("o/trials/."+evil+".jsonl.checkpoint", "x")
	h.write("o/.lock", evil)
	missing := []string{"missing", "o", "quick", "--policies", "Uniform,Always", "--seeds", "1..2", "--set", "protocol.rounds=3"}
	for _, args := range [][]string{{"report", "o"}, {"report", "o", "-o", "json"}, {"report", "o", "--html", "p.html"}, {"compare", "o"}, {"plot", "o"}, {"export", "o", "--out", "r.csv"}, {"merge", "m", "o"}} {
		code := h.do(args...)
		must.That(h, code == 3, "%q: exit code %d, want 3", args, code)
	}
	h.do(missing...)
	h.shows("p.html")
	h.do("run", "quick", "--quiet", "--policies", "Uniform,Always", "--seeds", "1..3", "--set", "protocol.rounds=3", "--out", "o")
}

// TestHostileContents checks hostile names in trials, sidecars, experiment files and tables.
func TestHostileContents(t *testing.T) {
	h := newHostile(t)
	quoted := fmt.Sprintf("%q", evil)
	table := "x," + "\"col" + evil + "\",class\n"
	for i := range 40 {
		table += fmt.Sprintf("%d,v%d,\"c%d%s\"\n", i, i%3, i%2, evil)
	}
	h.write("t.csv", table)
	h.must("data", "describe", "--environment", "table", "--data", "t.csv")
	h.must("run", "quick", "--environment", "table", "--data", "t.csv", "--dry-run")
	h.must("run", "quick", "--quiet", "--environment", "table", "--data", "t.csv", "--policies", "Uniform,Always,LinTS", "--seeds", "1..2", "--record", "pulls", "--set", "protocol.rounds=3", "--out", "table")
	h.write("e.yaml", "extends: quick\nname: hostile\ntitle: "+quoted+"\nnotes: "+quoted+"\nenvironments:\n  - {environment: bernoulli, name: "+quoted+"}\n  - {environment: linear, name: b"+evil[1:1]+"}\npolicies:\n  - {policy: Uniform, label: "+quoted+"}\n  - EpsGreedyLike\n  - EpsGreedy\nseeds: 1..2\nprotocol: {rounds: 3, pulls: 2, burn_in: 2}\nset: {all.hidden: 4}\n")
	h.do("run", "e.yaml", "--dry-run")
	h.write("e.yaml", "extends: quick\nname: hostile\ntitle: "+quoted+"\nnotes: "+quoted+"\nenvironment: bernoulli\npolicies: [Uniform, {policy: UCB1, label: "+quoted+"}]\nseeds: 1..2\nprotocol: {rounds: 3, pulls: 2, burn_in: 2}\nthresholds: ["+fmt.Sprintf("%q", "regret("+evil+") < 1")+"]\n")
	h.do("run", "e.yaml", "--quiet", "--out", "labels")
	h.write("e.yaml", "extends: quick\nname: hostile\ntitle: "+quoted+"\nnotes: "+quoted+"\nenvironment: bernoulli\npolicies: [Uniform, UCB1]\nseeds: 1..2\nprotocol: {rounds: 3, pulls: 2, burn_in: 2}\n")
	h.must("run", "e.yaml", "--quiet", "--record", "pulls", "--out", "titles")
	h.do("run", "e.yaml", "--quiet", "--set", quoted+".x=1")
	h.must("run", "quick", "--quiet", "--policies", "Uniform", "--seeds", "1", "--set", "protocol.rounds=3", "--record", "pulls", "--out", "o[1]")
	h.must("evaluate", "o[1]")
	for _, out := range []string{"table", "titles"} {
		for _, args := range [][]string{{"report", out}, {"report", out, "-o", "md"}, {"report", out, "-o", "csv"}, {"report", out, "-o", "json"}, {"report", out, "--mistakes"}, {"report", out, "--cost"}, {"report", out, "--html", "p.html"}, {"compare", out}, {"compare", out, "-o", "csv"}, {"plot", out, "--term"}, {"plot", out, "--out", "p.svg"}, {"export", out, "--out", "r.csv"}, {"export", out, "--pulls", "--out", "u.csv"}, {"merge", out + "-m", out}, {"report", out + "-m"}} {
			h.must(args...)
		}
		h.shows("p.html")
		h.shows("p.svg")
	}
	if !regexp.MustCompile(`c0e\?`).MatchString(readText(t, filepath.Join(h.dir, "p.html"))) && !strings.Contains(readText(t, filepath.Join(h.dir, "p.html")), "e?[31m") {
		t.Error("the names are gone from the page")
	}
}
