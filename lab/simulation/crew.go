// Package simulation has the two simulation experiments of the ICSGLD paper (Deng, Liang, Hao, Lin, Liang: Interacting
// Contour Stochastic Gradient Langevin Dynamics, ICLR 2022), on densities whose true masses are known:
//
//   - Landscape: how fast samplers find the masses of 25 modes (section 'Simulations
//     of multi-modal distributions').
//   - Variance: whether θ, the numbers that a contour learns for its energy bins, varies less between repeats with ten
//     interacting chains than with one chain of ten times the length (section 'Empirical validation of reduced variance').
//
// A Crew runs the repeats on several goroutines. Except for measured times the results do not
// depend on Crew.Workers. They may differ in the last bits between machines, see package density.
package simulation

import (
	"context"
	"runtime"

	"banditsim/internal/pool"
)

// A Crew runs the repeats of an experiment concurrently.
type Crew struct {
	// Workers is the number of concurrent runs, at least 1.
	Workers int
	// Clock measures the duration of runs. With the zero value all times are 0.
	Clock Clock
	// Done, if not nil, is called after each run with the number of runs done and the total number. Calls do not overlap.
	Done func(done, total int)
}

// A Clock measures seconds since some fixed moment. Each run stays on one thread of the
// operating system, so that a clock may measure the CPU time of the calling thread.
type Clock struct {
	Name string // what is measured, such as "wall time"
	Now  func() float64
}

// now returns the clock's time, 0 for the zero value.
func (c *Clock) now() float64 {
	if c.Now == nil {
		return 0
	}
	return c.Now()
}

// each calls run(0) … run(n−1) on the workers of a pool.Pool.
func (c *Crew) each(ctx context.Context, n int, run func(i int) error) error {
	p := pool.Pool{Workers: c.Workers, Done: c.Done}
	return p.Run(ctx, n, func(i int) error {
		runtime.LockOSThread() // Clock may measure the thread's CPU time
		defer runtime.UnlockOSThread()
		return run(i)
	})
}
