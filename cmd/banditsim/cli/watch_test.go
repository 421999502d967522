//go:build !windows

package cli_test

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"banditsim/internal/must"
)

// An output collects the output of a running process.
type output struct {
	mu    sync.Mutex
	b     bytes.Buffer
	ended sync.WaitGroup // counts the end of a terminal

	terminal io.Writer // what is typed there
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
	for start := time.Now(); !seen(o.String()); time.Sleep(5 * time.Millisecond) {
		if time.Since(start) > time.Minute {
			t.Fatalf("waited a minute for %s; there is\n%s", what, o)
		}
	}
}

// has is a condition of await.
func has(part string) func(string) bool {
	return func(s string) bool { return strings.Contains(s, part) }
}

// start starts a process that should end within a minute, and ends it then if it has not.
func start(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	must.OK(t, cmd.Start())
	timer := time.AfterFunc(time.Minute, func() { cmd.Process.Kill() })
	t.Cleanup(func() {
		timer.Stop()
		cmd.Process.Kill()
	})
}

// runSeed puts two trials of each seed into dir. They are run elsewhere, so no run works in dir.
func runSeed(t *testing.T, dir, seeds string) {
	t.Helper()
	elsewhere := t.TempDir()
	if code, _, stderr := invoke("run", "quick", "--policies", "Uniform,Never", "--seeds", seeds, "--quiet",
		"--set", "protocol.rounds=4", "--set", "protocol.burn_in=20", "--out", elsewhere); code != 0 {
		t.Fatal(stderr)
	}
	must.OK(t, os.MkdirAll(filepath.Join(dir, "trials"), 0o777))
	for _, path := range trialFiles(t, elsewhere) {
		must.OK(t, os.Rename(path, filepath.Join(dir, "trials", filepath.Base(path))))
	}
}

// startWaiting starts a run of three seeds into dir, of which Waiter waits in the middle until it is interrupted, and returns it then.
func startWaiting(t *testing.T, dir string) *exec.Cmd {
	t.Helper()
	run, _, _ := banditsim(t, "run", "quick", "--policies", "Waiter,Uniform", "--seeds", "1..3", "--workers", "1", "--quiet",
		"--set", "protocol.rounds=60", "--out", dir)
	run.Env = append(run.Env, waitEnv+"="+dir)
	start(t, run)
	waitForFile(t, run, dir+waitMark)
	return run
}

// TestWatch follows a folder that does not exist yet, without a terminal: a table when something has
// changed and not otherwise, until Ctrl-C, which is not a failure.
func TestWatch(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "out")
	cmd, _, _ := banditsim(t, "report", dir, "--watch", "--every", "100ms")
	var stdout, stderr output
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	start(t, cmd)
	stderr.await(t, "a word on what is waited for", has("no such folder of results yet"))
	must.OK(t, os.MkdirAll(filepath.Join(dir, "trials"), 0o777))
	stderr.await(t, "another word", has("no finished trial yet"))
	runSeed(t, dir, "1")
	stdout.await(t, "the table of both policies", func(s string) bool { return strings.Contains(s, "\n Never") && strings.Contains(s, "\n Uniform") })
	stderr.await(t, "why it goes on", has("no run works in this folder"))
	before := stdout.String()
	time.Sleep(500 * time.Millisecond) // some updates without a change
	if now := stdout.String(); now != before {
		t.Errorf("nothing has changed, and there is another table:\n%s", now)
	}
	runSeed(t, dir, "2")
	stdout.await(t, "the second seed", func(s string) bool {
		return strings.HasSuffix(lastTable(s), "\n") && strings.Contains(s, "2 seeds (1, 2)")
	})
	if strings.Contains(stdout.String(), "\x1b") {
		t.Error("escape sequences off a terminal")
	}
	must.OK(t, cmd.Process.Signal(os.Interrupt))
	ends(t, cmd, 0)
}

func lastTable(s string) string { return s[strings.LastIndex(s, "Cumulative"):] }

// TestWatchOfDamage: a trial that is damaged while it is watched is named, and its numbers are in no
// later table.
func TestWatchOfDamage(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	runSeed(t, dir, "1..2")
	cmd, _, _ := banditsim(t, "report", dir, "--watch", "--every", "100ms")
	var stdout, stderr output
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	start(t, cmd)
	stdout.await(t, "the table of two seeds", has("2 seeds (1, 2)"))
	path := trialFiles(t, dir)[0]
	b := must.Get(os.ReadFile(path))(t)
	b = bytes.Replace(b, []byte(`"expected":`), []byte(`"expected":1`), 1)
	must.OK(t, os.WriteFile(path, b, 0o666))
	stdout.await(t, "the damaged file", func(s string) bool { return strings.Contains(lastTable(s), filepath.Base(path)) })
	must.OK(t, cmd.Process.Signal(os.Interrupt))
	ends(t, cmd, 0)
}
