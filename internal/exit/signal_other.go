//go:build !unix

package exit

import (
	"os"
	"syscall"
)

// terminations returns the signals that end a run so that it can go on later.
func terminations() []os.Signal { return []os.Signal{syscall.SIGTERM} }
