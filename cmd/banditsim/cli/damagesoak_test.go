//go:build !windows

package cli_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"banditsim/internal/exit"
	"banditsim/internal/must"
)

// damageEnv sets for how long TestDamageSoak runs, such as 1h, or as FROM,N that it does N damages from number FROM on.
// The random numbers of a damage depend on its number alone.
const damageEnv = "BANDITSIM_DAMAGE"

// damageBudget is the time of the soak in the long grade.
const damageBudget = 10 * time.Minute

// TestDamageSoak damages trials, sidecars and pulls at random, and checks that each verb that reads them either prints and
// writes the same as for the sound files, or warns of the damaged file, has exit code 3, and uses only sound files: it
// exports and merges nothing that is not in the sound folder.
func TestDamageSoak(t *testing.T) {
	t.Parallel()
	from, n, until := 0, 12, time.Time{}
	kinds, count := []string{"plain", "environments"}, 4 // count is the number of verbs to run after each damage
	switch part := os.Getenv(damageEnv); {
	case part == "" && os.Getenv(longEnv) == "":
		kinds, count = kinds[:1], 2
	case part == "":
		until = time.Now().Add(damageBudget)
	default:
		if budget, err := time.ParseDuration(part); err == nil {
			until = time.Now().Add(budget)
		} else if _, err := fmt.Sscanf(part, "%d,%d", &from, &n); err != nil {
			t.Fatalf("%s=%q: want a duration or FROM,N", damageEnv, part)
		}
	}
	dir := t.TempDir()
	var places []*damagePlace
	for _, kind := range kinds {
		places = append(places, newDamagePlace(t, filepath.Join(dir, kind), kind))
	}
	k := from
	for ; until.IsZero() && k < from+n || !until.IsZero() && time.Now().Before(until); k++ {
		rng := rand.New(rand.NewPCG(uint64(k), 3))
		if places[rng.IntN(len(places))].damage(t, rng, count); t.Failed() {
			t.Fatalf("the damage was the %d-th: %s=%d,1", k, damageEnv, k)
		}
		if k%200 == 199 {
			t.Logf("%d damages", k+1-from)
		}
	}
	t.Logf("%d damages, %d commands", k-from, count*(k-from))
}

// A damagePlace is a folder in which files are damaged, and the verbs that read it.
type damagePlace struct {
	out   string     // folder of the run
	files []string   // files to damage
	to    string     // folder to which the verbs write
	verbs [][]string // command lines
	sound []result   // results of the verbs without damage
}

// result is what a command printed and wrote.
type result struct {
	code           int
	stdout, stderr string
	files          map[string]string
}

func newDamagePlace(t *testing.T, dir, kind string) *damagePlace {
	t.Helper()
	p := &damagePlace{out: filepath.Join(dir, "o"), to: filepath.Join(dir, "to")}
	run := []string{"run", "quick", "--quiet", "--record", "pulls,scores", "--score-contexts", "20", "--score-draws", "5", "--policies", "Uniform,pSGLD,Always", "--seeds", "1..4",
		"--set", "all.hidden=4", "--set", "all.batch=8", "--set", "all.steps=1", "--set", "all.chains=1", "--set", "all.train_after=40", "--set", "protocol.rounds=5", "--set", "protocol.burn_in=20", "--out", p.out}
	if kind == "environments" {
		file := filepath.Join(dir, "e.yaml")
		must.OK(t, os.MkdirAll(dir, 0o777))
		must.OK(t, os.WriteFile(file, []byte("extends: quick\nname: several\nenvironments:\n  - {environment: bernoulli, name: one}\n  - {environment: linear, name: two}\n  - {environment: wheel, name: three}\npolicies: [Uniform, EpsGreedy]\nseeds: 1..3\nprotocol: {rounds: 4, pulls: 3, burn_in: 3}\n"), 0o666))
		run = []string{"run", file, "--quiet", "--set", "all.hidden=4", "--set", "all.steps=1", "--record", "pulls", "--out", p.out}
	}
	exits(t, exit.OK, run...)
	if p.files = must.Get(filepath.Glob(filepath.Join(p.out, "trials", "*")))(t); len(p.files) == 0 {
		t.Fatal("no trials")
	}
	to := func(name string) string { return filepath.Join(p.to, name) }
	p.verbs = [][]string{{"report", p.out}, {"report", p.out, "-o", "json"}, {"report", p.out, "--cost"}, {"report", p.out, "--html", to("p.html")}, {"compare", p.out}, {"plot", p.out, "--out", to("p.svg")},
		{"export", p.out, "--out", to("r.csv")}, {"export", p.out, "--trials", "--out", to("t.csv")},
		{"export", p.out, "--pulls", "--out", to("u.csv")}, {"export", p.out, "--out", "-", "--format", "csv"}, {"export", p.out, "--pulls", "--out", "-", "--format", "csv"},
		{"report", p.out, "--mistakes"}, {"merge", to("m"), p.out}}
	if kind == "environments" {
		p.verbs = append(p.verbs, []string{"plot", p.out, "--facet", "environment", "--out", to("f.svg")}, []string{"compare", p.out, "--environment", "two"})
	} else {
		p.verbs = append(p.verbs, []string{"report", p.out, "--scores"}, []string{"plot", p.out, "--term"}, []string{"compare", p.out, "--from-round", "2", "-o", "csv"})
	}
	for i := range p.verbs {
		s := p.do(t, i)
		must.Hold(t, s.code == 0, "%q: %+v", p.verbs[i], s)
		p.sound = append(p.sound, s)
	}
	return p
}

// do runs a verb.
func (p *damagePlace) do(t *testing.T, verb int) (s result) {
	t.Helper()
	must.OK(t, os.RemoveAll(p.to))
	must.OK(t, os.Mkdir(p.to, 0o777))
	s.code, s.stdout, s.stderr = invoke(p.verbs[verb]...)
	s.files = files(t, p.to)
	return s
}

// damage damages a file, checks count verbs, and restores the file.
func (p *damagePlace) damage(t *testing.T, rng *rand.Rand, count int) {
	t.Helper()
	file := p.files[rng.IntN(len(p.files))]
	whole := must.Get(os.ReadFile(file))(t)
	damaged, how := damagedBytes(rng, whole)
	if how == "a folder" {
		must.OK(t, os.Remove(file))
		must.OK(t, os.Mkdir(file, 0o777))
	} else {
		must.OK(t, os.WriteFile(file, damaged, 0o666))
	}
	for _, verb := range rng.Perm(len(p.verbs))[:count] {
		wrong := p.judge(t, verb, p.do(t, verb), file)
		must.That(t, wrong == "", "%s of %d bytes, %s: %q: %s", file, len(whole), how, p.verbs[verb], wrong)
	}
	must.OK(t, os.RemoveAll(file))
	must.OK(t, os.WriteFile(file, whole, 0o666))
}

// damagedBytes returns whole with random damage, and a description of the damage.
func damagedBytes(rng *rand.Rand, whole []byte) (b []byte, how string) {
	b = bytes.Clone(whole)
	at := rng.IntN(len(b))
	switch rng.IntN(12) {
	case 0:
		return b[:at], fmt.Sprintf("cut to %d bytes", at)
	case 1:
		more := []string{"\x00", "\n", "{}\n", strings.Repeat("\x00", 700), string(whole)}[rng.IntN(5)]
		return append(b, more...), fmt.Sprintf("%d bytes more", len(more))
	case 2:
		return nil, "a folder"
	case 3:
		n := min(len(b)-at, 1+rng.IntN(64))
		b[at] ^= 0xff
		for i := range n {
			b[at+i] = 0
		}
		return b, fmt.Sprintf("%d zeros from byte %d on", n, at)
	case 4:
		for range 2 + rng.IntN(4) {
			b[rng.IntN(len(b))] ^= 1 << rng.IntN(8)
		}
		return b, "some bits flipped"
	}
	bit := rng.IntN(8)
	b[at] ^= 1 << bit
	return b, fmt.Sprintf("bit %d of byte %d flipped", bit, at)
}

// judge returns what is wrong with the result of a verb after damage to a file, or "".
func (p *damagePlace) judge(t *testing.T, verb int, s result, file string) string {
	t.Helper()
	sound := p.sound[verb]
	switch {
	case s.code != 0 && s.code != exit.CodeIncomplete:
		return fmt.Sprintf("exit code %d\n%s", s.code, s.stderr)
	case s.code == exit.CodeIncomplete && (!strings.Contains(s.stderr, "left out: ") || !strings.Contains(s.stderr, strings.TrimSuffix(file, filepath.Ext(file)))):
		return "exit code 3 without the damaged file\n" + s.stderr
	case s.code == 0 && s.stdout != sound.stdout:
		return fmt.Sprintf("another text, no warning\n%s\nwant\n%s", s.stdout, sound.stdout)
	}
	for name, text := range s.files {
		was, there := sound.files[name]
		switch ext := filepath.Ext(name); {
		case name == "m/.lock":
		case s.code == 0 && text != was:
			return fmt.Sprintf("%s differs, no warning", name)
		case ext == ".csv":
			if name == "t.csv" { // the other columns are from sidecars, which may be damaged
				text, was = firstFields(text, 13), firstFields(was, 13)
			}
			if line := foreignLine(text, was); line != "" {
				return fmt.Sprintf("%s has a line that the sound folder has not: %s", name, line)
			}
		case ext == ".jsonl" && (!there || text != was):
			return fmt.Sprintf("%s is merged and differs", name)
		}
	}
	if verb := p.verbs[verb]; slices.Contains(verb, "-") {
		if line := foreignLine(s.stdout, sound.stdout); line != "" {
			return "a line that the sound folder has not: " + line
		}
	}
	return ""
}

// firstFields returns the lines of CSV without quotes, cut after n fields.
func firstFields(text string, n int) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		fields := strings.Split(line, ",")
		b.WriteString(strings.Join(fields[:min(n, len(fields))], ",") + "\n")
	}
	return b.String()
}

// foreignLine returns a line of text that whole does not have, or "".
func foreignLine(text, whole string) string {
	known := make(map[string]bool)
	for line := range strings.Lines(whole) {
		known[line] = true
	}
	for line := range strings.Lines(text) {
		if !known[line] {
			return line
		}
	}
	return ""
}

// TestRunSetsDamagedSidecarAside checks that the next run sets a damaged sidecar aside, and that the folder is then sound.
func TestRunSetsDamagedSidecarAside(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "o")
	run := []string{"run", "quick", "--quiet", "--policies", "Uniform", "--set", "protocol.rounds=2", "--out", out}
	exits(t, exit.OK, run...)
	sidecar := glob(t, 1, out, "trials", "*.meta.json")[0]
	damaged := strings.Replace(readText(t, sidecar), `"seconds": `, `"seconds": 1`, 1)
	must.OK(t, os.WriteFile(sidecar, []byte(damaged), 0o666))
	exits(t, exit.CodeIncomplete, "report", out)
	_, stderr := exits(t, exit.OK, run...)
	must.That(t, strings.Contains(stderr, "set aside as "+filepath.Base(sidecar)+".damaged-1"), "%v", stderr)
	exits(t, exit.OK, "report", out)
}
