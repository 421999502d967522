//go:build unix

package harness

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// lock locks the file. It does not wait: it returns errLocked if another process holds the lock.
func lock(f *os.File) error {
	for {
		switch err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); {
		case errors.Is(err, unix.EINTR):
		case errors.Is(err, unix.EWOULDBLOCK):
			return errLocked
		default:
			return err
		}
	}
}
