//go:build unix

package machine

import (
	"os"
	"os/signal"
	"syscall"
)

// Terminations returns the signals that end a run so that it can go on later: SIGTERM, SIGUSR1, by which
// schedulers announce the end of a job's time, and a hangup, such as a lost connection, unless the
// process was started to ignore it (nohup).
func Terminations() []os.Signal {
	list := []os.Signal{syscall.SIGTERM, syscall.SIGUSR1}
	if !signal.Ignored(syscall.SIGHUP) {
		list = append(list, syscall.SIGHUP)
	}
	return list
}
