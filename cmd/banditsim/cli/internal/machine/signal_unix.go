//go:build unix

package machine

import "syscall"

// UserSignal is the signal by which schedulers announce the end of a job's time.
const UserSignal = syscall.SIGUSR1
