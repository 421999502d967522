package pool

import (
	"runtime"
	"sync/atomic"
	"time"

	"banditsim/internal/cputime"
)

// A Meter adds up the processor time of the goroutines that work on a job. A goroutine stays on its thread, whose clock is
// read, while it computes, but not while it waits for others, which would cost a switch of threads.
type Meter struct {
	on    bool
	spent atomic.Int64  // nanoseconds, of the intervals that have ended
	since time.Duration // clock of the job's own goroutine at the start of its interval
	split bool          // a loop runs on several goroutines; those that it begins itself then run in turn
}

// HasMeter reports whether this system has a clock of processor time. Without it a Meter measures nothing.
func HasMeter() bool {
	_, ok := cputime.Thread()
	return ok
}

// Start begins to measure, on the goroutine of the job, which calls the other methods too.
func (m *Meter) Start() {
	m.on = HasMeter()
	m.since = m.enter()
}

// Stop ends what Start began. It may be called again.
func (m *Meter) Stop() {
	m.leave(m.since)
	m.on = false
}

// Seconds returns the processor time from Start up to now; nil if the system has no clock of it, or after Stop.
func (m *Meter) Seconds() *float64 {
	if !m.on {
		return nil
	}
	m.leave(m.since)
	m.since = m.enter()
	s := time.Duration(m.spent.Load()).Seconds()
	return &s
}

// enter begins an interval of the calling goroutine.
func (m *Meter) enter() (since time.Duration) {
	if m != nil && m.on {
		runtime.LockOSThread()
		since, _ = cputime.Thread()
	}
	return since
}

// leave ends the interval that began at since.
func (m *Meter) leave(since time.Duration) {
	if m != nil && m.on {
		now, _ := cputime.Thread()
		runtime.UnlockOSThread()
		m.spent.Add(int64(now - since))
	}
}

// Metered returns Parallel for a job that m measures.
func (p *Pool) Metered(m *Meter) func(n int, f func(i int)) {
	return func(n int, f func(i int)) { p.parallel(n, f, m) }
}
