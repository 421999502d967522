//go:build !linux

package machine

import (
	"time"

	"banditsim/posterior/simulation"
)

// WorkClock returns the wall time.
func WorkClock() simulation.Clock {
	start := time.Now()
	return simulation.Clock{Name: "wall time", Now: func() float64 { return time.Since(start).Seconds() }}
}
