//go:build unix

package harness

import (
	"errors"

	"golang.org/x/sys/unix"
)

// alive reports whether a process with the given ID exists.
func alive(pid int) bool {
	err := unix.Kill(pid, 0) // signal 0 only checks for the process
	return err == nil || errors.Is(err, unix.EPERM)
}
