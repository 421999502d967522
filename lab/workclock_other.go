//go:build !linux

package main

import (
	"time"

	"banditsim/lab/simulation"
)

// workClock returns a clock of the wall time, as there is none of a thread's CPU time.
func workClock() simulation.Clock {
	start := time.Now()
	return simulation.Clock{Name: "wall time", Now: func() float64 { return time.Since(start).Seconds() }}
}
