package cli_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"banditsim/internal/must"
)

// mountTmpfs mounts a file system on a temporary folder. It skips the test without the right to do so.
func mountTmpfs(t *testing.T, flags uintptr, options string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", flags, options); err != nil {
		t.Skipf("cannot mount a small file system here: %v", err)
	}
	t.Cleanup(func() {
		must.OK(t, syscall.Unmount(dir, 0))
	})
	return dir
}

// TestFullDiskAgainAndAgain makes the disk full at one point after another: it grows by 24 KiB after
// each run. The files are whole each time, including checkpoints, and in the end all bytes are right.
func TestFullDiskAgainAndAgain(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("fifteen processes")
	}
	args := func(dir string) []string {
		return []string{"run", "quick", "--policies", "pICSGLD,Uniform", "--workers", "1", "--quiet",
			"--set", "pICSGLD.hidden=8", "--set", "pICSGLD.batch=32", "--set", "pICSGLD.steps=1", "--set", "pICSGLD.buffer=1100",
			"--set", "protocol.rounds=90", "--checkpoint", "5", "--out", dir}
	}
	undisturbed := filepath.Join(t.TempDir(), "undisturbed")
	cmd, _, _ := banditsim(t, args(undisturbed)...)
	succeeds(t, cmd)
	dir := mountTmpfs(t, 0, "size=16k")
	full, withCheckpoint := 0, 0
	for ; ; full++ {
		cmd, _, stderr := banditsim(t, args(dir)...)
		must.OK(t, cmd.Start())
		code := exitCode(t, cmd)
		if strings.Contains(stderr.String(), "damaged") {
			t.Fatalf("damaged by a full disk:\n%s", stderr)
		}
		if code == 0 {
			break
		}
		if code != 1 || !strings.Contains(stderr.String(), "no space left") || full == 100 {
			t.Fatalf("%d times full, exit code %d:\n%s", full, code, stderr)
		}
		if strings.Contains(stderr.String(), "1 more have a checkpoint") {
			withCheckpoint++
		}
		size := fmt.Sprintf("size=%dk", 16+24*(full+1))
		must.OK(t, syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT, size))
	}
	t.Logf("the disk was full %d times, %d of them with a checkpoint to go on from", full, withCheckpoint)
	if full < 10 || withCheckpoint < 3 {
		t.Error("too few: the disk is too large for this test")
	}
	sameTrials(t, undisturbed, dir, 2)
	if left := hiddenFiles(t, dir); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}
