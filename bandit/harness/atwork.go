package harness

import (
	"os"
	"path/filepath"

	"banditsim/internal/wholefile"
)

// AtWork returns the run that works in an output folder now, according to its lock file. It does
// not try the lock, which could keep a run from starting. A process of this machine that no
// longer exists does not count; those of other machines cannot be checked and do.
func AtWork(dir string) (Holder, bool) {
	f, _, err := wholefile.Open(filepath.Join(dir, lockFile))
	if err != nil {
		return Holder{}, false
	}
	defer f.Close()
	h, ok := readHolder(f)
	if !ok || h.PID <= 0 {
		return Holder{}, false // it has ended, or is about to start
	}
	if host, err := os.Hostname(); err == nil && host == h.Host && !alive(h.PID) {
		return Holder{}, false
	}
	return h, true
}
