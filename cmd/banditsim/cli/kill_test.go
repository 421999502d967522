//go:build !windows

package cli_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"banditsim/results"
)

// killedRun returns the arguments of an experiment with much to destroy: two trials at a time and
// frequent checkpoints.
func killedRun(dir string) []string {
	return []string{"run", "quick", "--policies", "pICSGLD,reSGLD,Dropout,EpsGreedy,Uniform", "--seeds", "1", "--workers", "2", "--quiet",
		"--set", "all.hidden=8", "--set", "all.batch=32", "--set", "all.steps=4", "--set", "all.contour.width=1e3", "--set", "all.contour.theta_warmup=0",
		"--set", "protocol.rounds=160", "--checkpoint", "10", "--out", dir}
}

const killedTrials = 5

// TestKill kills real processes with SIGKILL, at a random moment or once a trial has a checkpoint, and
// runs the same command again until it has finished. No trial file differs from that of an undisturbed
// run, none is damaged, and nothing is left over. TestSoak does many more.
func TestKill(t *testing.T) {
	t.Parallel()
	const kills = 5
	undisturbed := filepath.Join(t.TempDir(), "undisturbed")
	began := time.Now()
	runToTheEnd(t, undisturbed)
	whole := time.Since(began)

	rng := rand.New(rand.NewPCG(1, 2))
	killed, midTrial, withCheckpoint, resumed, finished := 0, 0, 0, 0, 0
	dir := filepath.Join(t.TempDir(), "killed")
	for killed < kills {
		cmd, _, stderr := banditsim(t, killedRun(dir)...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan struct{})
		moment := time.Duration(rng.Float64() * 0.4 * float64(whole))
		go func(atCheckpoint bool) {
			if atCheckpoint { // however fast the machine is, these meet a trial that has got somewhere
				awaitCheckpoint(dir, ended)
			} else {
				time.Sleep(moment)
			}
			cmd.Process.Kill()
		}(killed%2 == 0)
		code := exitCode(t, cmd)
		close(ended)
		if said := stderr.String(); code > 0 || strings.Contains(said, "damaged") || strings.Contains(said, "set aside") {
			t.Fatalf("after %d kills: exit code %d\n%s", killed, code, said)
		}
		if code < 0 {
			killed++
			partial, checkpoints := countHidden(t, dir)
			midTrial += min(partial, 1)
			withCheckpoint += min(checkpoints, 1)
		}
		if code == 0 || killed == kills {
			runToTheEnd(t, dir)
			sameTrials(t, undisturbed, dir, killedTrials)
			if left := hiddenFiles(t, dir); len(left) > 0 {
				t.Fatalf("left: %v", left)
			}
			resumed += countSessions(t, dir)
			finished++
			dir = filepath.Join(t.TempDir(), "killed")
		}
	}
	t.Logf("an undisturbed run takes %v; %d kills, %d of them within trials, %d with a checkpoint to go on from; %d runs finished, in which trials went on from a checkpoint %d times",
		whole, killed, midTrial, withCheckpoint, finished, resumed)
	if midTrial < kills/4 || withCheckpoint < kills/4 || resumed < kills/4 {
		t.Error("too few: the kills have missed what they should have met")
	}
}

// awaitCheckpoint returns when a trial of the folder writes a checkpoint, or when the process has ended.
func awaitCheckpoint(dir string, ended <-chan struct{}) {
	began := time.Now()
	for {
		found, _ := filepath.Glob(filepath.Join(dir, "trials", ".*.checkpoint"))
		for _, path := range found {
			if info, err := os.Stat(path); err == nil && info.ModTime().After(began) {
				return
			}
		}
		select {
		case <-ended:
			return
		case <-time.After(time.Millisecond):
		}
	}
}

// runToTheEnd runs the command until it ends.
func runToTheEnd(t *testing.T, dir string) {
	t.Helper()
	if code, _, stderr := invoke(killedRun(dir)...); code != 0 {
		t.Fatal(stderr)
	}
}

// countHidden counts the partial files and the checkpoints in a folder.
func countHidden(t *testing.T, dir string) (partial, checkpoints int) {
	t.Helper()
	for _, path := range hiddenFiles(t, dir) {
		switch filepath.Ext(path) {
		case ".partial":
			partial++
		case ".checkpoint":
			checkpoints++
		}
	}
	return partial, checkpoints
}

// countSessions counts how often the trials of a folder resumed from a checkpoint.
func countSessions(t *testing.T, dir string) (n int) {
	t.Helper()
	for _, path := range trialFiles(t, dir) {
		sidecar, err := results.Record{Path: path}.Sidecar()
		if err != nil {
			t.Fatal(err)
		}
		n += len(sidecar.Earlier)
	}
	return n
}
