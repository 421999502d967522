package harness

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"banditsim/internal/must"
	"banditsim/results"
)

// crashEnv has the folder in which TestCrashee runs. If lateEnv is set, the trial is an hour old at its first round, so that its
// checkpoints are synced.
const crashEnv, lateEnv = "BANDITSIM_TEST_CRASH", "BANDITSIM_TEST_LATE"

// TestCrashee is the process that the tests below trace: it runs one trial with a checkpoint every second round.
func TestCrashee(t *testing.T) {
	dir := os.Getenv(crashEnv)
	if dir == "" {
		t.Skip("a part of other tests")
	}
	plan, _ := oneTrial(t)
	r := Runner{Dir: dir, Workers: 1, Now: time.Now, Checkpoint: 2}
	if os.Getenv(lateEnv) != "" {
		hours := time.Duration(0)
		r.Now = func() time.Time { hours++; return time.Now().Add(hours * time.Hour) }
	}
	must.Get(r.Run(t.Context(), plan))(t)
}

// TestKilledAtEveryFileOperation kills a process after each system call that changes files, one process per call, and resumes from the
// files it left. In the end the bytes are those of an undisturbed run, nothing is damaged, and nothing is left over. With BANDITSIM_LONG
// it also kills a process before each call, with the files as the previous call left them.
func TestKilledAtEveryFileOperation(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	plan, _ := oneTrial(t)
	want := undisturbed(t, plan)
	resumed, done, killed, long := 0, 0, 0, os.Getenv("BANDITSIM_LONG") != ""
	calls := map[string]int{}
	for ; ; killed++ {
		f := newFolder(t, plan, 2)
		stops, at := 0, ""
		trace(t, f.runner.Dir, true, func(c call) (kill bool) {
			if c.entry && !long {
				return false
			}
			if stops++; stops == killed+1 {
				at = c.name
			}
			return at != ""
		})
		if at == "" { // it ended by itself
			break
		}
		calls[at]++
		s := f.run()
		resumed += s.Resumed
		done += s.Skipped
		must.That(t, len(f.warnings) == 0, "killed at stop %d, %s: warnings %q", killed+1, at, f.warnings)
		_, err := (results.Record{Path: f.path()}).Sidecar()
		must.That(t, err == nil, "killed at stop %d, %s: %v", killed+1, at, err)
		left := f.left()
		must.That(t, len(left) == 0, "killed at stop %d, %s: left %v", killed+1, at, left)
		must.Equal(t, "trial files", want, trialFiles(t, f.runner.Dir))
	}
	t.Logf("%d processes killed at %v: %d trials went on from a checkpoint, %d were finished", killed, calls, resumed, done)
	must.That(t, resumed >= 10 && done >= 1 && calls["rename"] >= 5 && calls["fsync"] >= 5 && calls["write"] >= 5,
		"too few of them: want several of each kind")
}

// TestEveryRenameFollowsItsSync checks that before every rename all that was written is synced, so that a power failure damages neither a
// file under its final name nor the bytes that a checkpoint depends on. Only the lock is not synced.
func TestEveryRenameFollowsItsSync(t *testing.T) {
	unsynced, renames, lock := map[uint64]bool{}, 0, uint64(0)
	trace(t, t.TempDir(), true, func(c call) (kill bool) {
		switch {
		case !c.entry:
		case c.name == "flock":
			lock = c.first
		case c.name == "write" && c.first != lock:
			unsynced[c.first] = true
		case c.name == "fsync":
			delete(unsynced, c.first)
		case c.name == "rename":
			if renames++; len(unsynced) > 0 {
				t.Errorf("rename %d: what was written to files %v is not on the disk", renames, unsynced)
			}
		}
		return false
	})
	if renames != 5 { // three checkpoints, the sidecar, the trial
		t.Errorf("%d renames, want 5", renames)
	}
}

// TestSyncsOfShortTrial checks that a trial of less than ten seconds is synced only at its end: the sidecar and the trial file before
// their renames, then the folder.
func TestSyncsOfShortTrial(t *testing.T) {
	var calls []string
	trace(t, t.TempDir(), false, func(c call) (kill bool) {
		if c.entry && (c.name == "fsync" || c.name == "rename") {
			calls = append(calls, c.name)
		}
		return false
	})
	want := []string{"rename", "rename", "rename", "fsync", "rename", "fsync", "rename", "fsync"} // three checkpoints first
	must.Equal(t, "calls", calls, want)
}

// A call is a stop of the process at the entry or the exit of a system call.
type call struct {
	name  string
	entry bool
	first uint64 // first argument, such as the file descriptor
}

// fileCall reports whether a system call changes files, and its name.
func fileCall(regs *unix.PtraceRegs) (name string, ok bool) {
	switch regs.Orig_rax {
	case unix.SYS_WRITE, unix.SYS_PWRITE64:
		return "write", regs.Rdi > 2 // not to stdout
	case unix.SYS_OPENAT:
		return "create", regs.Rdx&unix.O_CREAT != 0
	case unix.SYS_RENAMEAT, unix.SYS_RENAMEAT2:
		return "rename", true
	}
	name, ok = map[uint64]string{
		unix.SYS_FSYNC: "fsync", unix.SYS_FDATASYNC: "fsync", unix.SYS_FTRUNCATE: "truncate", unix.SYS_UNLINKAT: "unlink",
		unix.SYS_MKDIRAT: "mkdir", unix.SYS_FCHMOD: "chmod", unix.SYS_FLOCK: "flock",
	}[regs.Orig_rax]
	return name, ok
}

// trace runs TestCrashee in dir and calls stop at the entry and the exit of each system call that changes files. It kills the process if
// stop returns true.
func trace(t *testing.T, dir string, late bool, stop func(call) (kill bool)) {
	t.Helper()
	runtime.LockOSThread() // the thread that starts the process traces it
	defer runtime.UnlockOSThread()
	self := must.Get(os.Executable())(t)
	cmd := exec.Command(self, "-test.run=^TestCrashee$")
	cmd.Env = append(os.Environ(), crashEnv+"="+dir)
	if late {
		cmd.Env = append(cmd.Env, lateEnv+"=1")
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Ptrace: true}
	switch err := cmd.Start(); {
	case errors.Is(err, unix.EPERM):
		t.Skipf("cannot trace a process here: %v", err)
	case err != nil:
		t.Fatal(err)
	}
	defer cmd.Process.Release() // watch waits for it, thread by thread
	if err := watch(cmd.Process.Pid, stop); err != nil {
		cmd.Process.Kill()
		t.Fatal(err)
	}
}

// watch traces a process, which has stopped, until it ends.
func watch(pid int, stop func(call) (kill bool)) error {
	var status unix.WaitStatus
	if _, err := unix.Wait4(pid, &status, 0, nil); err != nil {
		return err
	}
	const options = unix.PTRACE_O_TRACESYSGOOD | unix.PTRACE_O_TRACECLONE | unix.PTRACE_O_EXITKILL
	if err := unix.PtraceSetOptions(pid, options); err != nil {
		return err
	}
	for thread, signal := pid, 0; ; {
		if err := unix.PtraceSyscall(thread, signal); err != nil && !errors.Is(err, unix.ESRCH) { // it may have been killed
			return err
		}
		var err error
		if thread, err = unix.Wait4(-1, &status, unix.WALL, nil); err != nil {
			return fmt.Errorf("wait: %w", err)
		}
		signal = 0
		switch s := status.StopSignal(); {
		case status.Exited() || status.Signaled():
			if thread == pid { // the last thread
				return nil
			}
		case s == unix.SIGTRAP|0x80:
			var regs unix.PtraceRegs
			if err := unix.PtraceGetRegs(thread, &regs); errors.Is(err, unix.ESRCH) {
				continue
			} else if err != nil {
				return err
			}
			entry := int64(regs.Rax) == -int64(unix.ENOSYS) // set by the kernel until there is a result
			if name, ok := fileCall(&regs); ok && stop(call{name, entry, regs.Rdi}) {
				if err := unix.Kill(pid, unix.SIGKILL); err != nil {
					return err
				}
			}
		case s != unix.SIGTRAP && s != unix.SIGSTOP: // these come from tracing itself
			signal = int(s)
		}
	}
}
