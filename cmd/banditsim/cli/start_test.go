//go:build !windows

package cli_test

import (
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

// TestCannotStart: a run that cannot start says why within a second, rather than after it has waited
// or worked.
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
		{"locked folder", exit.CodeFailure, []string{"quick", "--out", locked}, "is in use by another process"},
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
				if took = time.Since(start); took < time.Second || try == 4 {
					break
				}
			}
			if took >= time.Second {
				t.Errorf("it took %v", took)
			}
		})
	}
}
