package cli_test

import (
	"strings"
	"syscall"
	"testing"
)

// mountTmpfs mounts a file system of its own on a temporary folder. That takes
// the right to do so: without it the test is skipped.
func mountTmpfs(t *testing.T, flags uintptr, options string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", flags, options); err != nil {
		t.Skipf("cannot mount a small file system here: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// TestFullDisk runs on a file system of 96 KiB: it ends with an error that names
// the file, and with whole trials only. With room it goes on.
func TestFullDisk(t *testing.T) {
	dir := mountTmpfs(t, 0, "size=96k")
	cmd, _, stderr := banditsim(t, smallRun(dir)...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if code := exitCode(t, cmd); code != 1 {
		t.Errorf("exit code %d, want 1", code)
	}
	for _, want := range []string{"no space left", dir, "finished and kept"} {
		if !strings.Contains(stderr.String(), want) {
			t.Errorf("stderr has no %q:\n%s", want, stderr)
		}
	}
	kept := len(trialFiles(t, dir))
	if kept == 0 || kept == 12 {
		t.Errorf("%d trials are kept, want some and not all", kept)
	}
	if err := syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT, "size=8m"); err != nil {
		t.Fatal(err)
	}
	cmd, stdout, stderr := banditsim(t, smallRun(dir)...)
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, stderr)
	}
	if !strings.Contains(stdout.String(), "there already") || len(trialFiles(t, dir)) != 12 {
		t.Errorf("%d trials, want 12:\n%s", len(trialFiles(t, dir)), stdout)
	}
}

func TestReadOnlyFolder(t *testing.T) {
	dir := mountTmpfs(t, syscall.MS_RDONLY, "")
	cmd, _, stderr := banditsim(t, smallRun(dir)...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if code := exitCode(t, cmd); code != 1 {
		t.Errorf("exit code %d, want 1", code)
	}
	if !strings.Contains(stderr.String(), "read-only") || !strings.Contains(stderr.String(), dir) {
		t.Errorf("stderr:\n%s", stderr)
	}
}
