//go:build !windows

package cli_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"banditsim/internal/exit"
	"banditsim/internal/must"
)

func shortRun(out string, more ...string) []string {
	return append([]string{"run", "quick", "--quiet", "--policies", "Uniform", "--set", "protocol.rounds=2", "--out", out}, more...)
}

// No verb replaces a trial, a sidecar, a checkpoint or a lock, and run does not write through links.
func TestTargets(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	out := filepath.Join(dir, "o")
	exits(t, exit.OK, shortRun(out)...)
	files := glob(t, 2, out, "trials", "*")
	files = append(files, filepath.Join(out, ".lock"), filepath.Join(out, "trials", ".x.jsonl.checkpoint"), filepath.Join(dir, "notes.txt"))
	for _, file := range files[3:] {
		must.OK(t, os.WriteFile(file, []byte("mine"), 0o666))
	}
	pipe := filepath.Join(dir, "pipe")
	for _, ending := range []string{".html", ".svg", ".csv"} {
		must.OK(t, unix.Mkfifo(pipe+ending, 0o666))
	}
	for _, file := range append(files, pipe) {
		before, _ := os.ReadFile(file) // there is no file named pipe
		ending := map[bool][3]string{true: {".html", ".svg", ".csv"}}[file == pipe]
		exits(t, exit.CodeUsage, "report", out, "--html", file+ending[0])
		exits(t, exit.CodeUsage, "plot", out, "--out", file+ending[1])
		exits(t, exit.CodeUsage, "export", out, "--out", file+ending[2])
		if after, _ := os.ReadFile(file); !bytes.Equal(before, after) {
			t.Errorf("%s was overwritten", file)
		}
	}
	mine := filepath.Join(dir, "notes.txt")
	lock := filepath.Join(out, ".lock")
	must.OK(t, os.Remove(lock))
	must.OK(t, os.Symlink(mine, lock))
	if _, stderr := exits(t, exit.CodeFailure, shortRun(out)...); !strings.Contains(stderr, "not a regular file") {
		t.Error(stderr)
	}
	os.Remove(lock)
	// A link in the place of the next trial's partial file.
	trial := strings.Replace(files[0], "seed1", "seed2", 1)
	must.OK(t, os.Symlink(mine, filepath.Join(out, "trials", "."+filepath.Base(trial)+".partial")))
	exits(t, exit.OK, shortRun(out, "--seeds", "1..2")...)
	if text := readText(t, mine); text != "mine" {
		t.Errorf("%q", text)
	}
}

// Named pipes in the place of trials, sidecars, partial files, checkpoints and locks are refused, and nothing hangs.
func TestPipesInFolder(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "o")
	exits(t, exit.OK, shortRun(out, "--seeds", "1..2")...)
	trials := glob(t, 2, out, "trials", "*.jsonl")
	trial, name := trials[0], filepath.Base(trials[0])
	sidecar := strings.TrimSuffix(trial, ".jsonl") + ".meta.json"
	pipe := func(path string) {
		t.Helper()
		os.Remove(path)
		must.OK(t, unix.Mkfifo(path, 0o666))
	}
	for _, path := range []string{trial, sidecar} {
		pipe(path)
		for _, verb := range []string{"report", "compare", "plot"} {
			if _, stderr := exits(t, exit.CodeIncomplete, verb, out); !strings.Contains(stderr, path+" is not a regular file") {
				t.Errorf("%s of %s: %s", verb, path, stderr)
			}
		}
		if _, stderr := exits(t, exit.OK, shortRun(out, "--seeds", "1..2")...); !strings.Contains(stderr, "set aside as "+filepath.Base(path)) {
			t.Errorf("run with %s: %s", path, stderr)
		}
	}
	os.Remove(trial)
	for _, hidden := range []string{"." + name + ".checkpoint", "." + name + ".partial"} {
		pipe(filepath.Join(out, "trials", hidden))
	}
	exits(t, exit.OK, "report", out)
	exits(t, exit.OK, shortRun(out, "--seeds", "1..2")...)
	pipe(filepath.Join(out, ".lock"))
	exits(t, exit.CodeFailure, shortRun(out)...)
	exits(t, exit.OK, "report", out)
}
