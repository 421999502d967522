//go:build !unix

package machine

import "syscall"

// UserSignal is SIGTERM: the system has no SIGUSR1.
const UserSignal = syscall.SIGTERM
