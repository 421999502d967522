//go:build !linux && !darwin

// Package cputime reads the processor time of threads.
package cputime

import "time"

// Thread returns false, as this system has no suitable clock. The clock of Windows ticks every 15.6 ms, which is longer
// than many rounds of a trial.
func Thread() (used time.Duration, ok bool) { return 0, false }
