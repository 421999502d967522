//go:build !windows

package cli_test

import (
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"banditsim/internal/must"
)

// soakEnv is the part of the soak to do, as FROM,N: N kills from the FROM-th on. Every kill has
// random numbers of its own, so that the parts can be done one by one.
const soakEnv = "BANDITSIM_SOAK"

// A soakVerb is a command that a test kills. It writes to a folder, and nothing else.
type soakVerb struct {
	name    string
	args    func(to string) []string
	resumes bool   // whether a killed command goes on from what it has left
	prints  bool   // whether what it prints is one of its files
	dir     string // in which it runs; "" for that of the test

	undisturbed map[string]string // content of the files that it writes, by path in the folder
	took        time.Duration     // undisturbed
	again       string            // folder of a killed run that the next kill resumes
	kills       int
	midway      int // kills after which there were files, but not all, or unfinished ones
}

// soakRun returns the arguments of a run with checkpoints, of a quarter of a second.
func soakRun(to string) []string {
	return []string{"run", "quick", "--policies", "pICSGLD,Uniform", "--seeds", "1..2", "--workers", "2", "--quiet",
		"--set", "all.hidden=8", "--set", "all.batch=32", "--set", "all.steps=4", "--set", "all.train_after=40", "--set", "all.contour.width=1e3",
		"--set", "protocol.rounds=120", "--set", "protocol.burn_in=40", "--checkpoint", "4", "--out", to}
}

// TestSoak kills commands at random moments with SIGKILL: every second one a run, the others exports
// to all formats, plots and pages. After the next command of the same kind the files are those of an
// undisturbed one, byte for byte, and there are no others. Every day 4 kills, 120 in .ci/run faults, 1,000 in the long
// grade.
func TestSoak(t *testing.T) {
	t.Parallel()
	from, n := 0, 4
	if part := os.Getenv(soakEnv); part != "" {
		if _, err := fmt.Sscanf(part, "%d,%d", &from, &n); err != nil {
			t.Fatalf("%s=%q: want FROM,N", soakEnv, part)
		}
	} else if os.Getenv(longEnv) != "" {
		n = 1000
	}
	dir := t.TempDir()
	run := &soakVerb{name: "run", args: soakRun, resumes: true}
	run.undisturbed, run.took = run.do(t, filepath.Join(dir, "run"))
	source := filepath.Join(dir, "source")
	whole, _ := (&soakVerb{name: "source", args: func(to string) []string {
		return []string{"run", "quick", "--policies", "Always,Uniform", "--seeds", "1..8", "--set", "protocol.rounds=1500", "--quiet", "--out", to}
	}}).do(t, source)
	writes := func(name string, args ...string) *soakVerb {
		v := &soakVerb{name: name, args: func(to string) []string {
			last := len(args) - 1
			return append(slices.Clone(args[:last]), filepath.Join(to, args[last]))
		}}
		v.undisturbed, v.took = v.do(t, filepath.Join(dir, name))
		return v
	}
	others := []*soakVerb{
		writes("csv", "export", source, "--out", "rounds.csv"),
		writes("csv.gz", "export", source, "--out", "rounds.csv.gz"),
		writes("plot", "plot", source, "--out", "regret.svg"),
		writes("page", "report", source, "--html", "page.html"),
	}
	for k := from; k < from+n; k++ {
		v := run
		if k%2 == 1 {
			v = others[k/2%len(others)]
		}
		v.kill(t, filepath.Join(dir, fmt.Sprint(k)), rand.New(rand.NewPCG(uint64(k), 1)))
		if t.Failed() {
			t.Fatalf("the kill was the %d-th: %s=%d,1", k, soakEnv, k)
		}
		if k%50 == 49 {
			t.Logf("%d kills", k+1-from)
		}
	}
	run.end(t)
	must.That(t, maps.Equal(files(t, source), whole), "the folder that was exported, plotted and shown has changed")
	midway := 0
	for _, v := range append(others, run) {
		t.Logf("%s: %d kills, %d midway; undisturbed it takes %v", v.name, v.kills, v.midway, v.took)
		midway += v.midway
	}
	must.That(t, n < 100 || midway >= n/4, "%d of %d kills were midway: they have missed what they should have met", midway, n)
}

// do runs the command to its end and returns the files of its folder.
func (v *soakVerb) do(t *testing.T, to string) (map[string]string, time.Duration) {
	t.Helper()
	must.OK(t, os.MkdirAll(to, 0o777))
	cmd, stdout, _ := banditsim(t, v.args(to)...)
	cmd.Dir = v.dir
	start := time.Now()
	succeeds(t, cmd)
	took, all := time.Since(start), files(t, to)
	if v.prints {
		all["stdout"] = strings.ReplaceAll(stdout.String(), to, "DIR")
	}
	return all, took
}

// kill starts the command until it has been killed before its end, and then, unless it is a run that
// the next kill resumes, does it.
func (v *soakVerb) kill(t *testing.T, to string, rng *rand.Rand) {
	t.Helper()
	if v.again != "" {
		to = v.again
	}
	must.OK(t, os.MkdirAll(to, 0o777))
	for code := 0; code >= 0; {
		cmd, _, _ := banditsim(t, v.args(to)...)
		cmd.Dir = v.dir
		code = killedAfter(t, cmd, 1+time.Duration(rng.Float64()*float64(v.took)))
		if code == 0 { // too late
			v.same(t, to, files(t, to))
			to += "+"
			must.OK(t, os.MkdirAll(to, 0o777))
		}
	}
	v.kills++
	left := files(t, to)
	if len(left) > 0 && len(left) < len(v.undisturbed) || slices.ContainsFunc(slices.Collect(maps.Keys(left)), func(name string) bool { return v.undisturbed[name] == "" }) {
		v.midway++
	}
	for name, content := range left {
		want, ok := v.undisturbed[name]
		must.That(t, !ok || content == want, "%s: %s is there after the kill and differs", v.name, name)
	}
	if v.again = to; v.resumes && rng.IntN(3) > 0 {
		return
	}
	v.end(t)
}

// end does the command where it was killed last.
func (v *soakVerb) end(t *testing.T) {
	t.Helper()
	if v.again != "" {
		got, _ := v.do(t, v.again)
		v.same(t, v.again, got)
	}
	v.again = ""
}

// same compares the files of a folder with those of the undisturbed one, and removes it.
func (v *soakVerb) same(t *testing.T, to string, got map[string]string) {
	t.Helper()
	for name := range v.undisturbed {
		_, ok := got[name]
		must.That(t, ok || name == "stdout", "%s: %s is missing", v.name, name)
	}
	for name, content := range got {
		if want, ok := v.undisturbed[name]; !ok || content != want {
			t.Errorf("%s: %s is left over or differs (%d bytes, want %d)", v.name, name, len(content), len(want))
		}
	}
	must.OK(t, os.RemoveAll(to))
}

// files returns the content of all files of a folder by path; of sidecars, which have times, only
// that they are there.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	must.OK(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		if all[name] = string(b); strings.HasSuffix(name, ".meta.json") || e.Name() == ".lock" {
			all[name] = "-"
		}
		return err
	}))
	return all
}
