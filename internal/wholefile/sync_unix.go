//go:build unix

package wholefile

import (
	"os"

	"golang.org/x/sys/unix"
)

// syncDir writes the renames in dir to the disk.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

// closeFirst is false: the lock holds until the file has its name.
const closeFirst = false

// lock locks a file until it is closed. Without wait, it returns an error if the file is locked already.
func lock(f *os.File, wait bool) error {
	how := unix.LOCK_EX
	if !wait {
		how |= unix.LOCK_NB
	}
	return unix.Flock(int(f.Fd()), how)
}
