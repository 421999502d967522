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

// unprivileged makes a process run without root's right to write everywhere, and gives it the folder.
// It does nothing if the test is not root.
func unprivileged(t *testing.T, cmd *exec.Cmd, dir string) {
	t.Helper()
	if os.Geteuid() != 0 {
		return
	}
	const nobody = 65534
	// The program must lie where nobody can read it.
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

// TestWritePermissionTakenAway takes the permission from a run while it works: it ends with the path
// in the error, and resumes when the permission is back.
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
	if said := stderr.String(); !strings.Contains(said, "permission denied") || !strings.Contains(said, trials) {
		t.Errorf("stderr:\n%s", said)
	}
	must.OK(t, os.Chmod(trials, 0o755))
	exits(t, exit.OK, soakRun(dir)...)
	sameTrials(t, undisturbed, dir, 4)
}

// TestTwoRunsInOneFolder checks that the second run names the holder of the folder and changes
// nothing, and that the folder is free when the first one is killed.
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
