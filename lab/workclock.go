package main

import (
	"time"

	"banditsim/internal/cputime"
	"banditsim/lab/simulation"
)

// workClock returns a clock that measures the CPU time of the calling thread, which does not depend on other load on
// the machine. If the system cannot measure that, the clock measures wall time.
func workClock() simulation.Clock {
	if _, ok := cputime.Thread(); ok {
		return simulation.Clock{Name: "CPU time", Now: func() float64 { used, _ := cputime.Thread(); return used.Seconds() }}
	}
	start := time.Now()
	return simulation.Clock{Name: "wall time", Now: func() float64 { return time.Since(start).Seconds() }}
}
