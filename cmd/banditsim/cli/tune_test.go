//go:build !windows

package cli_test

import (
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

// tuneFile is a search with three rungs in two folders.
const tuneFile = `name: search
environment: wheel
profile: paper
seeds: 1..2
protocol: {rounds: 60, pulls: 20, burn_in: 40}
policies: [pSGLD, Uniform]
set: {pSGLD.hidden: [4], pSGLD.batch: 32, pSGLD.steps: 2, pSGLD.chains: 1}
tune:
  seeds: 101..102
  budget: 7
  halving: {eta: 2, rounds: 30, seeds: 1}
  ranges:
    pSGLD: {learning_rate: {log: [1e-8, 1e-3]}, act: {choice: [mean, sample]}}
`

// tuned returns the files of a search that do not depend on the machine, by name, but for those of unfinished trials.
func tuned(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := files(t, dir)
	maps.DeleteFunc(found, func(name, _ string) bool {
		return filepath.Base(name)[0] == '.' || !slices.Contains([]string{".jsonl", ".svg", ".yaml"}, filepath.Ext(name))
	})
	return found
}

// TestTuneKilled kills searches with SIGKILL at random moments and runs the same command again until they have
// ended: with the files and the tables of a search that was not disturbed. 6 kills, 20 in the long grade.
func TestTuneKilled(t *testing.T) {
	t.Parallel()
	kills, stages, searches := 6, 2, 1
	if os.Getenv(longEnv) != "" {
		kills, stages, searches = 20, 3, 3
	}
	file := must.File(t, "search.yaml", tuneFile)
	rng := rand.New(rand.NewPCG(1, 2))
	// search runs the command, which is killed after a while if that is not 0, and returns its exit code.
	search := func(dir string, after time.Duration) (code int, stdout string) {
		cmd, out, _ := banditsim(t, "tune", file, "--out", dir, "--write", filepath.Join(dir, "tuned.yaml"), "--workers", "2", "--checkpoint", "7")
		code = killedAfter(t, cmd, after)
		return code, strings.ReplaceAll(out.String(), dir, "DIR")
	}
	undisturbed := filepath.Join(t.TempDir(), "undisturbed")
	began := time.Now()
	_, said := search(undisturbed, 0)
	whole := time.Since(began)
	want := tuned(t, undisturbed)
	killed, finished, folders := 0, 0, map[int]int{}
	patience := 1.0 // grows with the kills of a search, so that it ends on a machine that has become slower
	for dir := ""; killed < kills || dir != ""; {
		after := time.Duration(0)
		if dir == "" {
			dir = filepath.Join(t.TempDir(), "killed")
		}
		if killed < kills {
			after = max(time.Duration(rng.Float64()*0.7*patience*float64(whole)), time.Millisecond)
		}
		code, now := search(dir, after)
		if code < 0 {
			killed++
			patience *= 1.2
			there, _ := filepath.Glob(filepath.Join(dir, "*"))
			folders[len(there)]++
			continue
		}
		finished++
		patience = 1
		got := tuned(t, dir)
		if len(got) != len(want) {
			t.Fatalf("%d files, want %d", len(got), len(want))
		}
		for name, b := range want {
			must.Equal(t, name+" and that of the undisturbed search", got[name], b)
		}
		if now != said {
			t.Errorf("the tables differ from those of the undisturbed search:\n%s\nand\n%s", now, said)
		}
		dir = ""
	}
	t.Logf("an undisturbed search takes %v and leaves %d files; %d kills, with so many folders begun: %v; %d searches ended", whole, len(want), killed, folders, finished)
	if len(folders) < stages || finished < searches {
		t.Error("the kills have missed what they should have met")
	}
}
