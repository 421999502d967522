//go:build unix

package exit

import (
	"os"
	"os/signal"
	"syscall"
)

// terminations returns the signals that end a run so that it can be resumed: SIGTERM; SIGUSR1, which schedulers send
// before a job's time is up; and SIGHUP (lost connection), unless the process ignores SIGHUP (nohup).
func terminations() []os.Signal {
	list := []os.Signal{syscall.SIGTERM, syscall.SIGUSR1}
	if !signal.Ignored(syscall.SIGHUP) {
		list = append(list, syscall.SIGHUP)
	}
	return list
}
