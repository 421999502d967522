//go:build unix

package exit

import (
	"os"
	"os/signal"
	"syscall"
)

// terminations returns the signals that end a run so that it can be resumed: SIGTERM; SIGUSR1, by which schedulers
// announce the end of a job's time; and SIGHUP, after a lost connection for example, unless the process was started
// to ignore it (nohup).
func terminations() []os.Signal {
	list := []os.Signal{syscall.SIGTERM, syscall.SIGUSR1}
	if !signal.Ignored(syscall.SIGHUP) {
		list = append(list, syscall.SIGHUP)
	}
	return list
}
