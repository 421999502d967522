package cli_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"banditsim/cmd/banditsim/builtin"
	"banditsim/cmd/banditsim/cli"
	"banditsim/internal/must"
	"banditsim/results"
)

// An output collects the output of a running process.
type output struct {
	mu    sync.Mutex
	b     bytes.Buffer
	ended sync.WaitGroup // done when no process has the terminal open
}

func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.Write(b)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.String()
}

// await waits until the output satisfies the condition.
func (o *output) await(t *testing.T, what string, seen func(string) bool) {
	t.Helper()
	poll(t, what, o, func() bool { return seen(o.String()) })
}

// poll waits until a condition holds. After a minute it fails and shows o.
func poll(t *testing.T, what string, o fmt.Stringer, holds func() bool) {
	t.Helper()
	for start := time.Now(); !holds(); time.Sleep(5 * time.Millisecond) {
		must.Hold(t, time.Since(start) <= time.Minute, "waited a minute for %s; there is\n%s", what, o)
	}
}

// has returns a condition for await: the output contains part.
func has(part string) func(string) bool {
	return func(s string) bool { return strings.Contains(s, part) }
}

// banditsim returns a command that runs the program in a process of its own; see TestMain. It skips short tests, such as
// those under the race detector.
func banditsim(t *testing.T, args ...string) (cmd *exec.Cmd, stdout, stderr *output) {
	t.Helper()
	if testing.Short() {
		t.Skip("starts processes")
	}
	stdout, stderr = &output{}, &output{}
	cmd = exec.Command(program, args...)
	cmd.Stdout, cmd.Stderr = stdout, stderr
	return cmd, stdout, stderr
}

// exitCode waits for the process and returns its exit code.
func exitCode(t *testing.T, cmd *exec.Cmd) int {
	t.Helper()
	err := cmd.Wait()
	var exit *exec.ExitError
	must.Hold(t, err == nil || errors.As(err, &exit), "%v", err)
	return cmd.ProcessState.ExitCode()
}

// ends waits for the process, which must end with the given exit code.
func ends(t *testing.T, cmd *exec.Cmd, code int) {
	t.Helper()
	got := exitCode(t, cmd)
	must.That(t, got == code, "exit code %d, want %d\n%s", got, code, cmd.Stderr)
}

// killedAfter runs the process, kills it after a time unless that is 0, and returns its exit code, or -1 if it was killed. The
// process must not fail or report damaged files.
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

// succeeds runs the process, which must succeed.
func succeeds(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	code := killedAfter(t, cmd, 0)
	must.Hold(t, code == 0, "%q was killed", cmd.Args)
}

func trialFiles(t *testing.T, dir string) []string {
	t.Helper()
	return must.Get(filepath.Glob(filepath.Join(dir, "trials", "*.jsonl")))(t)
}

// waitForFile waits until a process has written a file. The process is killed at the end of the test.
func waitForFile(t *testing.T, cmd *exec.Cmd, path string) {
	t.Helper()
	t.Cleanup(func() { cmd.Process.Kill() })
	poll(t, path, cmd.Stderr.(*output), func() bool {
		_, err := os.Stat(path)
		return err == nil
	})
}

// startWaiting starts a run into dir with the policy Waiter, and returns when Waiter waits.
func startWaiting(t *testing.T, dir string, args ...string) (cmd *exec.Cmd, stderr *output) {
	t.Helper()
	cmd, _, stderr = banditsim(t, args...)
	cmd.Env = append(cmd.Env, waitEnv+"="+dir)
	must.OK(t, cmd.Start())
	waitForFile(t, cmd, dir+waitMark)
	return cmd, stderr
}

// hiddenFiles returns the partial files and checkpoints in an output folder.
func hiddenFiles(t *testing.T, dir string) []string {
	t.Helper()
	return must.Get(filepath.Glob(filepath.Join(dir, "trials", ".*")))(t)
}

// sameTrials checks that two runs of n trials have the same trial files, and that the second left no unfinished files.
func sameTrials(t *testing.T, wanted, dir string, n int) {
	t.Helper()
	read := func(dir string) map[string]string {
		set := must.Get(results.Load(dir))(t)
		all := map[string]string{}
		for _, p := range set.Policies {
			for _, rec := range p.Records {
				all[rec.FileName()] = readText(t, rec.Path)
			}
		}
		return all
	}
	want, got := read(wanted), read(dir)
	must.Hold(t, len(want) == n && len(got) == n, "%d trials and %d trials, want %d of each", len(want), len(got), n)
	for name, text := range want {
		must.Equal(t, name+" and that of the undisturbed run", got[name], text)
	}
	left := hiddenFiles(t, dir)
	must.That(t, len(left) == 0, "left: %v", left)
}

// waitingRun returns the arguments of a run of the policy Waiter.
func waitingRun(dir, seeds string) []string {
	return []string{"run", "quick", "--policies", "Waiter,Uniform", "--seeds", seeds, "--workers", "1", "--quiet",
		"--set", "protocol.rounds=60", "--checkpoint", "10", "--out", dir}
}

// smallRun returns the arguments of an experiment of 12 trials that takes about a second.
func smallRun(dir string) []string {
	return []string{"run", "quick", "--policies", "pSGLD,Uniform", "--seeds", "1..6", "--workers", "1", "--quiet",
		"--set", "pSGLD.hidden=16", "--set", "pSGLD.batch=64", "--set", "protocol.rounds=150", "--out", dir}
}

// longEnv selects the long grade of tests.
const longEnv = "BANDITSIM_LONG"

var catalog = sync.OnceValue(builtin.Default) // shared, as making a catalog takes longer than most commands

// run runs a command line in this process, in the folder dir, and returns its exit code and output, in which paths are
// relative to dir.
func run(dir string, getenv func(string) string, args []string, stdin ...io.Reader) (code int, stdout, stderr string) {
	var out, err bytes.Buffer
	code = cli.Main(catalog(), cli.Process{Args: append([]string{program}, args...), Dir: dir, Getenv: getenv, Stdin: io.MultiReader(stdin...), Stdout: &out, Stderr: &err})
	relative := func(b bytes.Buffer) string { return strings.ReplaceAll(b.String(), dir+string(os.PathSeparator), "") }
	return code, relative(out), relative(err)
}

// invoke runs a command line whose paths are absolute.
func invoke(args ...string) (code int, stdout, stderr string) {
	var out, err bytes.Buffer
	code = cli.Main(catalog(), cli.Process{Args: append([]string{program}, args...), Getenv: os.Getenv, Stdout: &out, Stderr: &err})
	return code, out.String(), err.String()
}

// exits runs a command, which must end with the given exit code within three minutes.
func exits(t *testing.T, code int, args ...string) (stdout, stderr string) {
	t.Helper()
	ended := make(chan int, 1)
	go func() {
		var got int
		got, stdout, stderr = invoke(args...)
		ended <- got
	}()
	select {
	case got := <-ended:
		if got != code {
			t.Fatalf("%q: exit code %d, want %d\n%s", args, got, code, stderr)
		}
	case <-time.After(3 * time.Minute):
		t.Fatalf("%q does not end", args)
	}
	return stdout, stderr
}

func readText(t *testing.T, path string) string {
	t.Helper()
	return string(must.Get(os.ReadFile(path))(t))
}

// glob returns the n files that match the path pattern with the given elements; another number of files is a failure.
func glob(t *testing.T, n int, pattern ...string) []string {
	t.Helper()
	files := must.Get(filepath.Glob(filepath.Join(pattern...)))(t)
	must.Hold(t, len(files) == n, "%q, want %d files", files, n)
	return files
}
