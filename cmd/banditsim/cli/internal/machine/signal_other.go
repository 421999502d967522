//go:build !unix

package machine

import (
	"os"
	"syscall"
)

// Terminations returns the signals that end a run so that it can go on later.
func Terminations() []os.Signal { return []os.Signal{syscall.SIGTERM} }
