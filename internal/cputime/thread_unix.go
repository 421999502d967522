//go:build linux || darwin

// Package cputime reads the processor time of threads.
package cputime

import (
	"time"

	"golang.org/x/sys/unix"
)

// Thread returns the processor time that the calling thread has used, which does not depend on other load on the
// machine. ok is false if the system has no such clock.
func Thread() (used time.Duration, ok bool) {
	var t unix.Timespec
	err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t)
	return time.Duration(t.Nano()), err == nil
}
