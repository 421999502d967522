//go:build unix

package wholefile

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

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
