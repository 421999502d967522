//go:build !windows

package cli_test

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"banditsim/internal/exit"
	"banditsim/internal/must"
)

// TestSignals stops a run with a signal and runs the same command again: finished trials are kept, the interrupted one resumes
// from a checkpoint, and in the end all bytes are those of an undisturbed run. The fifth trial waits for the signal.
func TestSignals(t *testing.T) {
	t.Parallel()
	undisturbed := filepath.Join(t.TempDir(), "undisturbed")
	cmd, _, _ := banditsim(t, waitingRun(undisturbed, "1..6")...)
	succeeds(t, cmd)
	for _, c := range []struct {
		signal os.Signal
		code   int
		word   string
	}{
		{os.Interrupt, 130, "interrupted"},
		{syscall.SIGTERM, 75, "terminated"},
		{syscall.SIGHUP, 75, "terminated"},
	} {
		t.Run(c.signal.String(), func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "out")
			args := waitingRun(dir, "1..6")
			cmd, stderr := startWaiting(t, dir, args...)
			must.OK(t, cmd.Process.Signal(c.signal))
			ends(t, cmd, c.code)
			must.Equal(t, "trials are kept", len(trialFiles(t, dir)), waitAfter)
			must.Contain(t, stderr.String(), c.word, "4 of 12 trials are finished and kept, 1 more have a checkpoint", strings.Join(append([]string{"banditsim"}, args...), " "))
			hidden := hiddenFiles(t, dir)
			must.That(t, len(hidden) == 2, "left: %v, want a checkpoint and its partial file", hidden)

			cmd, stdout, _ := banditsim(t, args...)
			succeeds(t, cmd)
			must.Contain(t, stdout.String(), "(8 run now, 1 of them from a checkpoint, 4 there already)")
			sameTrials(t, undisturbed, dir, 12)
		})
	}
}

// TestNothingIsKept stops an evaluation. It waits in the policy, as the folder has waitAfter files of trials.
func TestNothingIsKept(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	must.OK(t, os.Mkdir(filepath.Join(dir, "trials"), 0o777))
	for seed := range waitAfter {
		must.OK(t, os.WriteFile(filepath.Join(dir, "trials", fmt.Sprintf("Waiter-seed%d-0.jsonl", seed)), nil, 0o666))
	}
	log := filepath.Join(dir, "log.csv")
	must.OK(t, os.WriteFile(log, []byte("arm,reward,propensity,x_a\n"+strings.Repeat("a,1,0.5,1\nb,0,0.5,2\n", 50)), 0o666))
	cmd, stderr := startWaiting(t, dir, "evaluate", log, "--policies", "Waiter", "--round", "1")
	must.OK(t, cmd.Process.Signal(os.Interrupt))
	ends(t, cmd, exit.Interrupted)
	must.Equal(t, "stderr", stderr.String(), "banditsim: interrupted: nothing is kept\n")
}

// TestNoHangup checks that SIGHUP does not stop a run that was started to ignore it, as by nohup.
func TestNoHangup(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "out")
	program, _, stderr := banditsim(t, smallRun(dir)...)
	cmd := exec.Command("sh", append([]string{"-c", `trap "" HUP; exec "$0" "$@"`, program.Path}, program.Args[1:]...)...)
	cmd.Env, cmd.Stderr = program.Env, program.Stderr
	must.OK(t, cmd.Start())
	waitForFile(t, cmd, filepath.Join(dir, ".lock"))
	must.OK(t, cmd.Process.Signal(syscall.SIGHUP))
	code := exitCode(t, cmd)
	must.That(t, code == 0 && len(trialFiles(t, dir)) == 12, "exit code %d, %d trials\n%s", code, len(trialFiles(t, dir)), stderr)
}

// TestBrokenPipe checks that results are written even if the reader of stdout and stderr has gone.
func TestBrokenPipe(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "out")
	cmd, _, _ := banditsim(t, smallRun(dir)...)
	r, w, err := os.Pipe()
	must.OK(t, err)
	r.Close()
	cmd.Stdout, cmd.Stderr = w, w
	must.OK(t, cmd.Start())
	w.Close()
	ends(t, cmd, 1)
	must.Equal(t, "trials", len(trialFiles(t, dir)), 12)
	must.Get(os.Stat(filepath.Join(dir, "regret.svg")))(t)
}

// unprivileged makes a process run as nobody in dir, which nobody then owns. It does nothing if the test is not root.
func unprivileged(t *testing.T, cmd *exec.Cmd, dir string) {
	t.Helper()
	if os.Geteuid() != 0 {
		return
	}
	const nobody = 65534
	// Copy the program to where the user nobody can read it.
	bin := filepath.Join(t.TempDir(), "banditsim")
	for _, d := range []string{filepath.Dir(bin), filepath.Dir(filepath.Dir(bin)), dir, filepath.Dir(dir)} {
		must.OK(t, os.Chmod(d, 0o755))
	}
	in := must.Get(os.Open(cmd.Path))(t)
	defer in.Close()
	out := must.Get(os.OpenFile(bin, os.O_WRONLY|os.O_CREATE, 0o755))(t)
	must.Get(io.Copy(out, in))(t)
	must.OK(t, out.Close())
	must.OK(t, os.Chown(dir, nobody, nobody))
	cmd.Path, cmd.Dir = bin, dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
}

// TestWritePermissionTakenAway checks that a run that loses its write permission ends with an error that has the path, and
// that the same command resumes it when the permission is back.
func TestWritePermissionTakenAway(t *testing.T) {
	t.Parallel()
	undisturbed := filepath.Join(t.TempDir(), "undisturbed")
	exits(t, exit.OK, soakRun(undisturbed)...)
	dir := t.TempDir()
	trials := filepath.Join(dir, "trials")

	cmd, _, stderr := banditsim(t, soakRun(dir)...)
	unprivileged(t, cmd, dir)
	must.OK(t, cmd.Start())
	waitForFile(t, cmd, trials)
	must.OK(t, os.Chmod(trials, 0o555))
	ends(t, cmd, 1)
	said := stderr.String()
	must.That(t, strings.Contains(said, "permission denied") && strings.Contains(said, trials), "stderr:\n%s", said)
	must.OK(t, os.Chmod(trials, 0o755))
	exits(t, exit.OK, soakRun(dir)...)
	sameTrials(t, undisturbed, dir, 4)
}

// TestTwoRunsInOneFolder checks that the error of a second run names the process that uses the folder, that it changes nothing,
// and that the folder is free after the first process is killed.
func TestTwoRunsInOneFolder(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "out")
	args := waitingRun(dir, "1..3")
	first, _ := startWaiting(t, dir, args...)
	before := fmt.Sprint(hiddenFiles(t, dir), trialFiles(t, dir))

	second, _, said := banditsim(t, args...)
	must.OK(t, second.Start())
	ends(t, second, 1)
	must.Contain(t, said.String(), dir+" is in use", fmt.Sprintf("process %d on ", first.Process.Pid), strings.Join(append([]string{"banditsim"}, args...), " "), "--out")
	must.Equal(t, "files after the second run", fmt.Sprint(hiddenFiles(t, dir), trialFiles(t, dir)), before)
	must.OK(t, first.Process.Kill())
	ends(t, first, -1)

	third, stdout, _ := banditsim(t, args...)
	succeeds(t, third)
	must.Contain(t, stdout.String(), "(2 run now, 1 of them from a checkpoint, 4 there already)")
}
