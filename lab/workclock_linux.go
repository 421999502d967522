package main

import (
	"golang.org/x/sys/unix"

	"banditsim/lab/simulation"
)

// workClock returns the CPU time of the calling thread: other load on the machine does not
// count.
func workClock() simulation.Clock {
	return simulation.Clock{Name: "CPU time", Now: func() float64 {
		var t unix.Timespec
		if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
			panic(err) // Linux has had this clock since 2.6.12
		}
		return float64(t.Sec) + float64(t.Nsec)/1e9
	}}
}
