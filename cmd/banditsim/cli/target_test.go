//go:build !windows

package cli_test

import (
	"bytes"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"banditsim/internal/exit"
	"banditsim/internal/must"
)

func shortRun(out string, more ...string) []string {
	return append([]string{"run", "quick", "--quiet", "--policies", "Uniform", "--set", "protocol.rounds=2", "--out", out}, more...)
}

// TestTargets checks that no verb overwrites a trial, a sidecar, a checkpoint or a lock, and that run does not write through
// links.
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
		exits(t, exit.CodeUsage, "learn", file+ending[2], "--policy", "LinTS", "--out", file+ending[2])
		after, _ := os.ReadFile(file)
		must.That(t, bytes.Equal(before, after), "%s was overwritten", file)
	}
	mine := filepath.Join(dir, "notes.txt")
	lock := filepath.Join(out, ".lock")
	must.OK(t, os.Remove(lock))
	must.OK(t, os.Symlink(mine, lock))
	_, stderr := exits(t, exit.CodeFailure, shortRun(out)...)
	must.That(t, strings.Contains(stderr, "not a regular file"), "%v", stderr)
	os.Remove(lock)
	// Put a link in place of the next trial's partial file.
	trial := strings.Replace(files[0], "seed1", "seed2", 1)
	must.OK(t, os.Symlink(mine, filepath.Join(out, "trials", "."+filepath.Base(trial)+".partial")))
	exits(t, exit.OK, shortRun(out, "--seeds", "1..2")...)
	text := readText(t, mine)
	must.That(t, text == "mine", "%q", text)
}

// TestPipesInFolder checks that nothing hangs on named pipes in place of trials, sidecars, partial files, checkpoints or locks.
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
			_, stderr := exits(t, exit.CodeIncomplete, verb, out)
			must.That(t, strings.Contains(stderr, path+" is not a regular file"), "%s of %s: %s", verb, path, stderr)
		}
		_, stderr := exits(t, exit.OK, shortRun(out, "--seeds", "1..2")...)
		must.That(t, strings.Contains(stderr, "set aside as "+filepath.Base(path)), "run with %s: %s", path, stderr)
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

// TestCannotStart checks that a run that cannot start says why within a second.
func TestCannotStart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	pipe, socket, bad := filepath.Join(dir, "pipe.yaml"), filepath.Join(dir, "s"), filepath.Join(dir, "bad.yaml")
	must.OK(t, unix.Mkfifo(pipe, 0o666))
	l := must.Get(net.Listen("unix", socket))(t)
	defer l.Close()
	must.OK(t, os.WriteFile(bad, []byte("name: x\nextends: quick\nprotocl: {}\n"), 0o666))
	folder := filepath.Join(dir, "folder", "data")
	must.OK(t, os.MkdirAll(folder, 0o777))
	must.OK(t, unix.Mkfifo(filepath.Join(folder, "agaricus-lepiota.data"), 0o666))
	locked := filepath.Join(dir, "locked")
	must.OK(t, os.Mkdir(locked, 0o777))
	f := must.Get(os.Create(filepath.Join(locked, ".lock")))(t)
	defer f.Close()
	must.OK(t, unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB))
	for _, c := range []struct {
		name string
		code int
		args []string // arguments of a long run
		want string
	}{
		{"locked folder", exit.CodeFailure, []string{"quick", "--out", locked}, "is in use by another process: wait until it has ended, or choose another output folder"},
		{"a file for a folder", exit.CodeFailure, []string{"quick", "--out", bad}, "not a directory"},
		{"a folder that cannot be written", exit.CodeFailure, []string{"quick", "--out", "/proc/banditsim"}, "/proc/banditsim"},
		{"a wrong experiment", exit.CodeUsage, []string{bad}, "bad.yaml:3:1"},
		{"no experiment", exit.CodeUsage, []string{filepath.Join(dir, "none.yaml")}, "no such file"},
		{"a pipe as experiment", exit.CodeUsage, []string{pipe}, "is not a regular file"},
		{"no data", exit.CodeFailure, []string{"quick", "--data", filepath.Join(dir, "none")}, "no such file"},
		{"a pipe as data", exit.CodeFailure, []string{"quick", "--data", pipe}, "is not a regular file"},
		{"a pipe in a folder as data", exit.CodeFailure, []string{"quick", "--data", folder}, "is not a regular file"},
		{"a device as data", exit.CodeFailure, []string{"quick", "--data", "/dev/zero"}, "is not a regular file"},
		{"a socket as data", exit.CodeFailure, []string{"quick", "--data", socket}, "is not a regular file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var took time.Duration
			for try := range 5 { // another process may have the processor
				start := time.Now()
				if _, stderr := exits(t, c.code, append([]string{"run", "--quiet"}, c.args...)...); !strings.Contains(stderr, c.want) {
					t.Fatalf("stderr: %s\nwant %q", stderr, c.want)
				}
				if took = time.Since(start); took < 2*time.Second || try == 4 {
					break
				}
			}
			must.That(t, took < 2*time.Second, "it took %v", took)
		})
	}
}
