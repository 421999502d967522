//go:build !linux

package cli

import (
	"time"

	"banditsim/posterior/simulation"
)

// workClock is that on the wall.
func workClock() simulation.Clock {
	start := time.Now()
	return simulation.Clock{Name: "wall time", Now: func() float64 { return time.Since(start).Seconds() }}
}
