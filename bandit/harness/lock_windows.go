package harness

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// lock locks the file, or returns errLocked at once. What is locked is one byte far
// beyond its end: others could not read a locked byte.
func lock(f *os.File) error {
	const flags = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	err := windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, &windows.Overlapped{OffsetHigh: 1 << 30})
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return errLocked
	}
	return err
}
