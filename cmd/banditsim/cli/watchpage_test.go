//go:build !windows

package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"banditsim/internal/must"
)

// awaitPage waits until the page at path has a text, and returns it.
func awaitPage(t *testing.T, path, want string, stderr *output) string {
	t.Helper()
	for start := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		b, err := os.ReadFile(path)
		if err == nil && strings.Contains(string(b), want) {
			return string(b)
		}
		if time.Since(start) > time.Minute {
			t.Fatalf("the page has no %q: %v\n%s", want, err, stderr)
		}
	}
}

// TestWatchPage rewrites the page of a folder that does not exist yet, then gets trials, one of which is damaged, until Ctrl-C,
// which is not a failure. What is left does not load itself again.
func TestWatchPage(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	page := filepath.Join(t.TempDir(), "p.html")
	cmd, stdout, stderr := startWatch(t, dir, "--html", page)
	stderr.await(t, "word that there is nothing", has("no such folder of results yet"))
	runSeed(t, dir, "1")
	awaitPage(t, page, "over 1 seed", stderr)
	runSeed(t, dir, "2")
	if text := awaitPage(t, page, "over 2 seeds", stderr); strings.Contains(text, "connect-src") {
		t.Error("the page connects to something")
	}
	must.OK(t, os.Truncate(trialFiles(t, dir)[0], 300))
	awaitPage(t, page, "1 damaged file left out", stderr)
	interrupt(t, cmd)
	must.Equal(t, "stdout", stdout.String(), "")
	if text := readText(t, page); !strings.Contains(text, `data-reloads="0"`) || !strings.Contains(text, "1 damaged file left out") {
		t.Error("the last page loads itself again, or is of another folder")
	}
}

// TestWatchPageEndsWithTheRun: while a run goes on the page loads itself again; the last one does not.
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
