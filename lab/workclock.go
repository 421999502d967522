package main

import (
	"time"

	"banditsim/internal/cputime"
	"banditsim/lab/simulation"
)

// workClock returns a clock that measures the calling thread's CPU time, which does not depend on other load on the
// machine, or wall time if the system has no such clock.
func workClock() simulation.Clock {
	if _, ok := cputime.Thread(); ok {
		return simulation.Clock{Name: "CPU time", Now: func() float64 { used, _ := cputime.Thread(); return used.Seconds() }}
	}
	start := time.Now()
	return simulation.Clock{Name: "wall time", Now: func() float64 { return time.Since(start).Seconds() }}
}
