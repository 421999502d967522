package pool

import (
	"runtime"
	"sync/atomic"
	"time"

	"banditsim/internal/cputime"
)

// A Meter adds up the processor time of the goroutines that work on a job. A goroutine that computes is locked to its
// thread, so that the clock of the thread measures it. While it waits for other goroutines it is not locked, because
// the wait of a locked goroutine costs a switch of threads.
type Meter struct {
	on    bool
	spent atomic.Int64  // nanoseconds in all intervals (from enter to leave) that have ended, of all goroutines
	since time.Duration // thread clock of the job's own goroutine at the start of its current interval
	split bool          // reports whether a loop runs on several goroutines; loops within it then run sequentially
}

// HasMeter reports whether this system has a clock of a thread's processor time. Without one a Meter measures nothing.
func HasMeter() bool {
	_, ok := cputime.Thread()
	return ok
}

// Start begins to measure. Start, Stop and Seconds must be called on the goroutine of the job.
func (m *Meter) Start() {
	m.on = HasMeter()
	m.since = m.enter()
}

// Stop ends the measurement. Stop may be called more than once.
func (m *Meter) Stop() {
	m.leave(m.since)
	m.on = false
}

// Seconds returns the processor time since Start; nil before Start, after Stop, or if the system has no such clock.
func (m *Meter) Seconds() *float64 {
	if !m.on {
		return nil
	}
	m.leave(m.since)
	m.since = m.enter()
	s := time.Duration(m.spent.Load()).Seconds()
	return &s
}

// enter begins an interval of the calling goroutine and returns its thread clock. It does nothing if m is nil or off.
func (m *Meter) enter() (since time.Duration) {
	if m != nil && m.on {
		runtime.LockOSThread()
		since, _ = cputime.Thread()
	}
	return since
}

// leave ends the interval that began at since, and adds it to m.spent.
func (m *Meter) leave(since time.Duration) {
	if m != nil && m.on {
		now, _ := cputime.Thread()
		runtime.UnlockOSThread()
		m.spent.Add(int64(now - since))
	}
}

// Metered returns the function Parallel for a job whose processor time m measures.
func (p *Pool) Metered(m *Meter) func(n int, f func(i int)) {
	return func(n int, f func(i int)) { p.parallel(n, f, m) }
}
