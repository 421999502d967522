package simulation

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
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
	if c.Workers < 1 {
		return fmt.Errorf("simulation: %d workers, want at least 1", c.Workers)
	}
	var (
		mutex      sync.Mutex
		next, done int
		errs       = make([]error, n)
		workers    sync.WaitGroup
		failed     bool
	)
	take := func() (i int, ok bool) {
		mutex.Lock()
		defer mutex.Unlock()
		if next == n || failed || ctx.Err() != nil {
			return 0, false
		}
		next++
		return next - 1, true
	}
	end := func(i int, err error) {
		mutex.Lock()
		defer mutex.Unlock()
		done++
		errs[i] = err
		failed = failed || err != nil
		if c.Done != nil && !failed {
			c.Done(done, n)
		}
	}
	for range min(c.Workers, n) {
		workers.Go(func() {
			runtime.LockOSThread() // for the clock's sake
			defer runtime.UnlockOSThread()
			for i, ok := take(); ok; i, ok = take() {
				end(i, run(i))
			}
		})
	}
	workers.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	return ctx.Err()
}
