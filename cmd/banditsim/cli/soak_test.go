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

// soakEnv sets the kills of TestSoak as FROM,N: N kills from number FROM on. The random numbers of a kill depend on its
// number alone, so that parts of the test can be run separately.
const soakEnv = "BANDITSIM_SOAK"

// A soakVerb is a command that a test kills. It writes only to one folder, the argument to of args.
type soakVerb struct {
	name    string
	args    func(to string) []string
	resumes bool   // whether the command continues from the files of a killed one
	prints  bool   // whether its stdout is compared like a file
	dir     string // working folder; "" for that of the test

	undisturbed map[string]string // content of the files that it writes without a kill, by path in the folder
	took        time.Duration     // time without a kill
	again       string            // folder of a killed run that the next kill resumes
	kills       int
	midway      int // kills that left some of the files but not all, or unfinished ones
}

// soakRun returns the arguments of a run with checkpoints that takes a quarter of a second.
func soakRun(to string) []string {
	return []string{"run", "quick", "--policies", "pICSGLD,Uniform", "--seeds", "1..2", "--workers", "2", "--quiet",
		"--set", "all.hidden=8", "--set", "all.batch=32", "--set", "all.steps=4", "--set", "all.train_after=40", "--set", "all.contour.width=1e3",
		"--set", "protocol.rounds=120", "--set", "protocol.burn_in=40", "--checkpoint", "4", "--out", to}
}

// TestSoak kills commands at random moments with SIGKILL: runs and, in turn with them, exports to all formats, plots
// and pages. It checks that the same command then leaves exactly the files of an undisturbed one. It makes 4 kills, 120
// in .ci/run faults, and 1,000 in the long grade.
func TestSoak(t *testing.T) {
	t.Parallel()
	from, n := 0, 4
	if part := os.Getenv(soakEnv); part != "" {
		_, err := fmt.Sscanf(part, "%d,%d", &from, &n)
		must.Hold(t, err == nil, "%s=%q: want FROM,N", soakEnv, part)
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
		must.Hold(t, !t.Failed(), "the kill was the %d-th: %s=%d,1", k, soakEnv, k)
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

// kill runs the command again and again until it is killed before its end. Then it runs the command to its end, or
// leaves the folder in v.again for the next call of kill.
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
		if code == 0 { // it ended before the kill
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

// end runs the command to its end in the folder in which it was killed last.
func (v *soakVerb) end(t *testing.T) {
	t.Helper()
	if v.again != "" {
		got, _ := v.do(t, v.again)
		v.same(t, v.again, got)
	}
	v.again = ""
}

// same checks that the files of a folder are those of an undisturbed command, and removes the folder.
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

// files returns the content of all files of a folder by path, but "-" for sidecars and locks, which have times.
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
