//go:build !windows

package cli_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"banditsim/internal/must"
	"banditsim/results"
)

// TestShards checks that 24 trials run in 5 shards, in random order, with 4 kills of processes (20 in the long grade) and
// repeated merges, have the bytes of one run.
func TestShards(t *testing.T) {
	t.Parallel()
	const shards, trials = 5, 24
	kills := 4
	if os.Getenv(longEnv) != "" {
		kills = 20
	}
	args := func(more ...string) []string {
		return append([]string{"quick", "--policies", "pICSGLD,reSGLD,Dropout,EpsGreedy,Uniform,pSGLD", "--seeds", "1..4",
			"--set", "all.hidden=8", "--set", "all.batch=32", "--set", "all.steps=2", "--set", "all.contour.width=1e3", "--set", "all.contour.theta_warmup=0",
			"--set", "protocol.rounds=80"}, more...)
	}
	verb := func(verb string, args []string) []string { return append([]string{verb}, args...) }
	do := func(want int, args ...string) string {
		t.Helper()
		stdout, _ := exits(t, want, args...)
		return stdout
	}
	base := t.TempDir()
	one, out := filepath.Join(base, "one"), filepath.Join(base, "out")
	began := time.Now()
	do(0, verb("run", args("--quiet", "--workers", "2", "--out", one))...)
	whole := time.Since(began)

	rng := rand.New(rand.NewPCG(3, 4))
	folder := func(i int) string { return filepath.Join(base, "shard"+strconv.Itoa(i)) }
	finished := map[int]bool{}
	for killed := 0; len(finished) < shards; {
		i := 1 + rng.IntN(shards)
		cmd, _, _ := banditsim(t, verb("run", args("--quiet", "--checkpoint", "10", "--shard", "auto/5", "--out", folder(i)))...)
		cmd.Env = append(cmd.Env, "BANDITSIM_SHARD="+strconv.Itoa(i))
		merges := killed < kills && rng.IntN(4) == 0
		if merges { // merge the shards so far; merge without trials would be an error
			there := existing(folder(1), folder(2), folder(3), folder(4), folder(5))
			if len(there) == 0 {
				continue
			}
			cmd, _, _ = banditsim(t, append([]string{"merge", out}, there...)...)
		}
		after := time.Duration(0)
		if killed < kills {
			after = 1 + time.Duration(rng.Float64()*0.2*float64(whole))
		}
		switch code := killedAfter(t, cmd, after); {
		case code < 0:
			killed++
		case !merges && killed == kills:
			finished[i] = true
		}
	}
	do(0, "merge", out, folder(4), folder(2))
	if got := do(3, verb("missing", append([]string{out}, args("--shards", "5", "--array-spec")...))...); got == "" {
		t.Log("the merges among the kills had all trials") // which is possible
	}
	do(0, "merge", out, folder(5), folder(3), folder(1), folder(2))
	do(0, "merge", out, folder(1), folder(4))
	sameTrials(t, one, out, trials)
	do(0, verb("missing", append([]string{out}, args()...))...)
	do(0, "compare", out)
	a, b := do(0, "compare", one, "-o", "json"), do(0, "compare", out, "-o", "json")
	must.That(t, a == b, "compare prints something else")
	got := do(0, verb("run", args("--quiet", "--out", out))...)
	must.That(t, strings.Contains(got, "(0 run now"), "run after the merge: %s", got)
}

func existing(paths ...string) []string {
	return slices.DeleteFunc(paths, func(path string) bool {
		_, err := os.Stat(filepath.Join(path, results.TrialsDir))
		return err != nil
	})
}
