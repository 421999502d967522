package cli_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// banditsim returns the program as a process of its own; see TestMain.
func banditsim(t *testing.T, args ...string) (cmd *exec.Cmd, stdout, stderr *bytes.Buffer) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	stdout, stderr = &bytes.Buffer{}, &bytes.Buffer{}
	cmd = exec.Command(self)
	cmd.Args = append([]string{"banditsim"}, args...)
	cmd.Env = append(os.Environ(), "BANDITSIM_DATA=")
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

func trialFiles(t *testing.T, dir string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "trials", "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// smallRun are the arguments of an experiment of 12 trials that takes about a
// second.
func smallRun(dir string) []string {
	return []string{"run", "quick", "--data", "replica", "--policies", "pSGLD,Uniform", "--seeds", "1..6", "--workers", "1", "--quiet",
		"--set", "pSGLD.hidden=16", "--set", "pSGLD.batch=64", "--set", "protocol.rounds=150", "--out", dir}
}
