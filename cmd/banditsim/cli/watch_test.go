//go:build !windows

package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"banditsim/internal/exit"
	"banditsim/internal/must"
)

// start starts a process, which is killed after a minute or at the end of the test.
func start(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	must.OK(t, cmd.Start())
	timer := time.AfterFunc(time.Minute, func() { cmd.Process.Kill() })
	t.Cleanup(func() {
		timer.Stop()
		cmd.Process.Kill()
	})
}

// runSeed puts two trials of each seed into dir. They run in another folder, so that no run works in dir.
func runSeed(t *testing.T, dir, seeds string) {
	t.Helper()
	elsewhere := t.TempDir()
	exits(t, exit.OK, "run", "quick", "--policies", "Uniform,Never", "--seeds", seeds, "--quiet",
		"--set", "protocol.rounds=4", "--set", "protocol.burn_in=20", "--out", elsewhere)
	must.OK(t, os.MkdirAll(filepath.Join(dir, "trials"), 0o777))
	for _, path := range trialFiles(t, elsewhere) {
		must.OK(t, os.Rename(path, filepath.Join(dir, "trials", filepath.Base(path))))
	}
}

// startWatch starts report --watch of a folder.
func startWatch(t *testing.T, dir string, flags ...string) (cmd *exec.Cmd, stdout, stderr *output) {
	t.Helper()
	cmd, stdout, stderr = banditsim(t, append([]string{"report", dir, "--watch", "--every", "100ms"}, flags...)...)
	start(t, cmd)
	return cmd, stdout, stderr
}

// interrupt interrupts the process, which must end with exit code 0.
func interrupt(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	must.OK(t, cmd.Process.Signal(os.Interrupt))
	ends(t, cmd, 0)
}

// TestWatch checks that a watch without a terminal, of a folder that does not exist at first, prints a table only when trials
// have changed, and that Ctrl-C is not a failure.
func TestWatch(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "out")
	cmd, stdout, stderr := startWatch(t, dir)
	stderr.await(t, "a word on what is waited for", has("no such folder of results yet"))
	must.OK(t, os.MkdirAll(filepath.Join(dir, "trials"), 0o777))
	stderr.await(t, "another word", has("no finished trial yet"))
	runSeed(t, dir, "1")
	stdout.await(t, "the table of both policies", func(s string) bool { return strings.Contains(s, "\n Never") && strings.Contains(s, "\n Uniform") })
	stderr.await(t, "why it goes on", has("no run works in this folder"))
	before := stdout.String()
	time.Sleep(500 * time.Millisecond) // some updates without a change
	now := stdout.String()
	must.That(t, now == before, "nothing has changed, and there is another table:\n%s", now)
	runSeed(t, dir, "2")
	stdout.await(t, "the second seed", func(s string) bool {
		return strings.HasSuffix(lastTable(s), "\n") && strings.Contains(s, "2 seeds (1, 2)")
	})
	must.That(t, !strings.Contains(stdout.String(), "\x1b"), "escape sequences off a terminal")
	interrupt(t, cmd)
}

func lastTable(s string) string { return s[strings.LastIndex(s, "Cumulative"):] }

// TestWatchOfDamage checks that the tables name a trial that is damaged during the watch.
func TestWatchOfDamage(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	runSeed(t, dir, "1..2")
	cmd, stdout, _ := startWatch(t, dir)
	stdout.await(t, "the table of two seeds", has("2 seeds (1, 2)"))
	path := trialFiles(t, dir)[0]
	damaged := strings.Replace(readText(t, path), `"expected":`, `"expected":1`, 1)
	must.OK(t, os.WriteFile(path, []byte(damaged), 0o666))
	stdout.await(t, "the damaged file", func(s string) bool { return strings.Contains(lastTable(s), filepath.Base(path)) })
	interrupt(t, cmd)
}

// awaitPage waits until the page at path contains want, and returns the page.
func awaitPage(t *testing.T, path, want string, stderr *output) (text string) {
	t.Helper()
	poll(t, want, stderr, func() bool {
		b, _ := os.ReadFile(path)
		text = string(b)
		return strings.Contains(text, want)
	})
	return text
}

// TestWatchPage checks that the page is rewritten when the folder, which does not exist at first, gets trials and when one is
// damaged, that Ctrl-C is not a failure, and that the last page does not reload itself.
func TestWatchPage(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	page := filepath.Join(t.TempDir(), "p.html")
	cmd, stdout, stderr := startWatch(t, dir, "--html", page)
	stderr.await(t, "word that there is nothing", has("no such folder of results yet"))
	runSeed(t, dir, "1")
	awaitPage(t, page, "over 1 seed", stderr)
	runSeed(t, dir, "2")
	must.That(t, !strings.Contains(awaitPage(t, page, "over 2 seeds", stderr), "connect-src"), "the page connects to something")
	must.OK(t, os.Truncate(trialFiles(t, dir)[0], 300))
	awaitPage(t, page, "1 damaged file left out", stderr)
	interrupt(t, cmd)
	must.Equal(t, "stdout", stdout.String(), "")
	if text := readText(t, page); !strings.Contains(text, `data-reloads="0"`) || !strings.Contains(text, "1 damaged file left out") {
		t.Error("the last page loads itself again, or is of another folder")
	}
}

// TestWatchPageEndsWithTheRun checks that the page reloads itself during a run, and that the last page does not.
func TestWatchPageEndsWithTheRun(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	page := filepath.Join(t.TempDir(), "p.html")
	run, _ := startWaiting(t, dir, waitingRun(dir, "1..3")...)
	cmd, _, stderr := startWatch(t, dir, "--html", page)
	awaitPage(t, page, `data-reloads="5000"`, stderr)
	must.OK(t, run.Process.Signal(os.Interrupt))
	ends(t, run, 130)
	ends(t, cmd, 0)
	must.Contain(t, stderr.String(), "the run has ended")
	must.Contain(t, readText(t, page), `data-reloads="0"`)
}
