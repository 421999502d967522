package harness

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"

	"banditsim/internal/wholefile"
)

// AtWork returns the run that works in an output folder now, according to the lock file. It does not try to take the
// lock, because that could keep a run from starting. A process of this machine that no longer exists is ignored. A
// process of another machine cannot be checked, and is assumed to exist.
func AtWork(dir string) (Holder, bool) {
	f, _, err := wholefile.Open(filepath.Join(dir, lockFile))
	if err != nil {
		return Holder{}, false
	}
	defer f.Close()
	h, ok := readHolder(f)
	if !ok || h.PID <= 0 {
		return Holder{}, false // the run has ended, or is about to start
	}
	if host, err := os.Hostname(); err == nil && host == h.Host && !alive(h.PID) {
		return Holder{}, false
	}
	return h, true
}

// alive reports whether a process with the given ID exists. A WebAssembly program sees no other process: it gets false.
func alive(pid int) bool {
	p, err := os.FindProcess(pid) // on Unix there is no error, whether or not the process exists
	if err != nil {
		return false
	}
	defer p.Release()
	if runtime.GOOS == "windows" {
		return true
	}
	err = p.Signal(syscall.Signal(0)) // signal 0 only checks for the process
	return err == nil || errors.Is(err, fs.ErrPermission)
}
