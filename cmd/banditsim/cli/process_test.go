package cli_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"banditsim/internal/must"
)

// banditsim returns the program as a process of its own; see TestMain. Short tests, such as
// those under the race detector, start no processes.
func banditsim(t *testing.T, args ...string) (cmd *exec.Cmd, stdout, stderr *bytes.Buffer) {
	t.Helper()
	if testing.Short() {
		t.Skip("starts processes")
	}
	stdout, stderr = &bytes.Buffer{}, &bytes.Buffer{}
	cmd = exec.Command(program, args...)
	cmd.Stdout, cmd.Stderr = stdout, stderr
	return cmd, stdout, stderr
}

// exitCode waits for the process and returns its exit code.
func exitCode(t *testing.T, cmd *exec.Cmd) int {
	t.Helper()
	err := cmd.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode()
}

// ends waits for the process, which has to end with an exit code.
func ends(t *testing.T, cmd *exec.Cmd, code int) {
	t.Helper()
	if got := exitCode(t, cmd); got != code {
		t.Errorf("exit code %d, want %d\n%s", got, code, cmd.Stderr)
	}
}

// killedAfter runs the process, kills it after a time, if it is not 0, and returns its exit code, -1 if it was killed. It must not
// fail, nor find anything damaged.
func killedAfter(t *testing.T, cmd *exec.Cmd, after time.Duration) int {
	t.Helper()
	must.OK(t, cmd.Start())
	if after > 0 {
		defer time.AfterFunc(after, func() { cmd.Process.Kill() }).Stop()
	}
	code := exitCode(t, cmd)
	if said := fmt.Sprint(cmd.Stderr); code > 0 || strings.Contains(said, "damaged") || strings.Contains(said, "set aside") {
		t.Fatalf("%q: exit code %d\n%s", cmd.Args, code, said)
	}
	return code
}

// succeeds runs the process to its end.
func succeeds(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if code := killedAfter(t, cmd, 0); code != 0 {
		t.Fatalf("%q was killed", cmd.Args)
	}
}

func trialFiles(t *testing.T, dir string) []string {
	t.Helper()
	return must.Get(filepath.Glob(filepath.Join(dir, "trials", "*.jsonl")))(t)
}

// waitForFile waits until a process has written a file, for a minute at most.
func waitForFile(t *testing.T, cmd *exec.Cmd, path string) {
	t.Helper()
	for start := time.Now(); ; time.Sleep(time.Millisecond) {
		if _, err := os.Stat(path); err == nil {
			return
		}
		if time.Since(start) > time.Minute {
			cmd.Process.Kill()
			cmd.Wait()
			t.Fatalf("no %s within a minute\n%s", path, cmd.Stderr)
		}
	}
}

// hiddenFiles returns the partial files and checkpoints.
func hiddenFiles(t *testing.T, dir string) []string {
	t.Helper()
	return must.Get(filepath.Glob(filepath.Join(dir, "trials", ".*")))(t)
}

// sameTrials compares the trial files of two runs of n trials, byte for byte.
func sameTrials(t *testing.T, wanted, dir string, n int) {
	t.Helper()
	files := trialFiles(t, wanted)
	if got := len(trialFiles(t, dir)); len(files) != n || got != n {
		t.Fatalf("%d files and %d files, want %d of each", len(files), got, n)
	}
	for _, path := range files {
		want := must.Get(os.ReadFile(path))(t)
		got, err := os.ReadFile(filepath.Join(dir, "trials", filepath.Base(path)))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s differs from the undisturbed run's (%v)", filepath.Base(path), err)
		}
	}
}

// smallRun returns the arguments of an experiment of 12 trials that takes about a second.
func smallRun(dir string) []string {
	return []string{"run", "quick", "--policies", "pSGLD,Uniform", "--seeds", "1..6", "--workers", "1", "--quiet",
		"--set", "pSGLD.hidden=16", "--set", "pSGLD.batch=64", "--set", "protocol.rounds=150", "--out", dir}
}
