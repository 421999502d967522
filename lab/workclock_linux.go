package main

import (
	"golang.org/x/sys/unix"

	"banditsim/lab/simulation"
)

// workClock returns a clock of the calling thread's CPU time, which does not depend on other load on the machine.
func workClock() simulation.Clock {
	return simulation.Clock{Name: "CPU time", Now: func() float64 {
		var t unix.Timespec
		if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
			panic(err) // Linux has had this clock since 2.6.12
		}
		return float64(t.Sec) + float64(t.Nsec)/1e9
	}}
}
