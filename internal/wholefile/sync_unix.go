//go:build unix

package wholefile

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// syncDir syncs dir, so that renames in it are on the disk.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

// closeFirst reports whether Publish closes a file before it renames it. Here it does not: the file stays locked until
// it is renamed.
const closeFirst = false

// Lock locks the file until it is closed. It returns ErrLocked, without waiting, if another process holds the lock.
func Lock(f *os.File) error {
	for {
		switch err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); {
		case errors.Is(err, unix.EINTR):
		case errors.Is(err, unix.EWOULDBLOCK):
			return ErrLocked
		default:
			return err
		}
	}
}
