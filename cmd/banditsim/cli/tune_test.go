//go:build !windows

package cli_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

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

// TestTuneKilled kills searches with SIGKILL at random moments and runs the same command again until they have
// ended: with the files and the tables of a search that was not disturbed. 6 kills, 20 in the long grade.
func TestTuneKilled(t *testing.T) {
	t.Parallel()
	kills := 6
	if os.Getenv(longEnv) != "" {
		kills = 20
	}
	file, dir := must.File(t, "search.yaml", tuneFile), t.TempDir()
	v := &soakVerb{name: "tune", resumes: true, prints: true, args: func(to string) []string {
		return []string{"tune", file, "--out", to, "--write", filepath.Join(to, "tuned.yaml"), "--workers", "2", "--checkpoint", "7"}
	}}
	v.undisturbed, v.took = v.do(t, filepath.Join(dir, "undisturbed"))
	rng := rand.New(rand.NewPCG(1, 2))
	for k := range kills {
		v.kill(t, filepath.Join(dir, fmt.Sprint(k)), rng)
	}
	v.end(t)
	if t.Logf("an undisturbed search takes %v and leaves %d files; %d kills, %d midway", v.took, len(v.undisturbed), kills, v.midway); v.midway < kills/3 {
		t.Error("the kills have missed what they should have met")
	}
}
