package simulation

import (
	"context"
	"runtime"

	"banditsim/internal/pool"
)

// A Crew does independent runs side by side.
type Crew struct {
	// Workers is the number of runs under way at a time, at least 1.
	Workers int
	// Clock times the runs. The zero value times nothing: all times are 0.
	Clock Clock
	// Done, if not nil, is told after each run how many of all are done. It is never called
	// by two workers at a time.
	Done func(done, total int)
}

// A Clock tells the time in seconds since any moment. Each worker keeps to a thread of the
// operating system, so that a clock may be that of the thread's own work.
type Clock struct {
	Name string // what the seconds are of, such as "wall time"
	Now  func() float64
}

func (c *Clock) now() float64 {
	if c.Now == nil {
		return 0
	}
	return c.Now()
}

// each calls run(0) … run(n−1), and returns the errors of all, in order. After an error or
// the end of ctx no further run begins.
func (c *Crew) each(ctx context.Context, n int, run func(i int) error) error {
	p := pool.Pool{Workers: c.Workers, Done: c.Done}
	return p.Run(ctx, n, func(i int) error {
		runtime.LockOSThread() // for the clock's sake
		defer runtime.UnlockOSThread()
		return run(i)
	})
}
