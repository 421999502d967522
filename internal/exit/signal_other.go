//go:build !unix

package exit

import (
	"os"
	"syscall"
)

// terminations returns the signals that end a run so that it can be resumed.
func terminations() []os.Signal { return []os.Signal{syscall.SIGTERM} }
