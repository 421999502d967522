package cli_test

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"banditsim/bandit"
	"banditsim/bandit/agent"
	"banditsim/internal/exit"
	"banditsim/internal/must"
)

// mountTmpfs mounts a file system on a temporary folder. It skips the test if the process has no permission to mount.
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

// TestFullDiskAgainAndAgain runs the same command on a disk that grows by 24 KiB each time that it is full, and checks that no
// file is ever damaged, checkpoints included, and that the last run has the bytes of an undisturbed one.
func TestFullDiskAgainAndAgain(t *testing.T) {
	t.Parallel()
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
		must.Hold(t, !strings.Contains(stderr.String(), "damaged"), "damaged by a full disk:\n%s", stderr)
		if code == 0 {
			break
		}
		must.Hold(t, code == 1 && strings.Contains(stderr.String(), "no space left") && full != 100,
			"%d times full, exit code %d:\n%s", full, code, stderr)
		if strings.Contains(stderr.String(), "1 more have a checkpoint") {
			withCheckpoint++
		}
		size := fmt.Sprintf("size=%dk", 16+24*(full+1))
		must.OK(t, syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT, size))
	}
	t.Logf("the disk was full %d times, %d of them with a checkpoint to go on from", full, withCheckpoint)
	must.That(t, full >= 10 && withCheckpoint >= 3, "too few: the disk is too large for this test")
	sameTrials(t, undisturbed, dir, 2)
}

// TestActOnFullDisk checks that 'act' answers with errors while the disk is full, that it writes these decisions too once
// there is room, and that the next process replays all.
func TestActOnFullDisk(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "a.agent")
	must.OK(t, must.Get(agent.New(agent.Config{Policy: "LinTS", Arms: []string{"a", "b"}, Columns: bandit.NumberColumns(1)}))(t).Save(file))
	dir := mountTmpfs(t, 0, "size=16k")
	log := filepath.Join(dir, "log.jsonl")
	cmd, _, _ := banditsim(t, "act", file, "--log", log)
	cmd.Stdout = nil
	in, out := must.Get(cmd.StdinPipe())(t), bufio.NewReader(must.Get(cmd.StdoutPipe())(t))
	must.OK(t, cmd.Start())
	good, refused := 0, 0
	for range 600 {
		must.Get(fmt.Fprintln(in, `{"context":{"x1":1}}`))(t)
		line := must.Get(out.ReadString('\n'))(t)
		switch {
		case strings.Contains(line, "no space left on device"):
			if refused++; refused == 20 {
				must.OK(t, syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT, "size=1m"))
			}
		case strings.Contains(line, `"arm":`):
			good++
		default:
			t.Fatal(line)
		}
	}
	must.OK(t, in.Close())
	ends(t, cmd, 0)
	must.That(t, good == 580 && refused == 20, "%d decisions answered and %d refused, want 580 and 20", good, refused)
	cmd, _, stderr := banditsim(t, "act", file, "--log", log)
	succeeds(t, cmd)
	want := "replayed 600 decisions and 0 rewards"
	must.That(t, strings.Contains(stderr.String(), want), "stderr %q, want %q", stderr, want)

	// A process that ends while the disk is full fails, and saves no agent with decisions that the log lacks.
	os.WriteFile(filepath.Join(dir, "rest"), make([]byte, 1<<21), 0o666) // fails when the disk is full
	saved := filepath.Join(t.TempDir(), "b.agent")
	cmd, _, _ = banditsim(t, "act", file, "--log", log, "--save", saved)
	cmd.Stdin = strings.NewReader(strings.Repeat("{\"context\": {\"x1\": 1}}\n", 300))
	must.OK(t, cmd.Start())
	ends(t, cmd, 1)
	_, err := os.Stat(saved)
	must.That(t, os.IsNotExist(err), "an agent was saved: %v", err)

	// A file that would never be overwritten is not left there in part.
	shim := filepath.Join(dir, "mine.py")
	exits(t, exit.CodeFailure, "plugin", "init", "python", shim)
	_, err = os.Stat(shim)
	must.That(t, os.IsNotExist(err), "a part was left: %v", err)
}
