package wholefile

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// Lock locks the file until it is closed. It returns ErrLocked, without waiting, if another process holds the lock. It
// locks one byte far beyond the end of the file, as other processes cannot read locked bytes.
func Lock(f *os.File) error {
	const flags = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	err := windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, &windows.Overlapped{OffsetHigh: 1 << 30})
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return ErrLocked
	}
	return err
}
