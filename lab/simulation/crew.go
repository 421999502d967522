// Package simulation has the two simulation experiments of the ICSGLD paper (Deng, Liang, Hao,
// Lin, Liang: Interacting Contour Stochastic Gradient Langevin Dynamics, ICLR 2022) on densities
// with known answers:
//
//   - Landscape: how fast samplers find the masses of 25 modes (section 'Simulations
//     of multi-modal distributions').
//   - Variance: how far θ of ten interacting chains varies, against that of one chain
//     of ten times the length (section 'Empirical validation of reduced variance').
//
// A Crew spreads runs over goroutines. The numbers do not depend on how many there are, except
// for the measured times. They may differ in the last bits between machines, see package density.
package simulation

import (
	"context"
	"runtime"

	"banditsim/internal/pool"
)

// A Crew runs the repeats of an experiment side by side.
type Crew struct {
	// Workers is the number of runs at a time, at least 1.
	Workers int
	// Clock times the runs. The zero value measures nothing: all times are 0.
	Clock Clock
	// Done, if not nil, is called after each run with the number of runs done and of all. Its
	// calls do not overlap.
	Done func(done, total int)
}

// A Clock measures time in seconds since any moment. Each run stays on one thread of the
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

// each calls run(0) … run(n−1), as pool.Pool does.
func (c *Crew) each(ctx context.Context, n int, run func(i int) error) error {
	p := pool.Pool{Workers: c.Workers, Done: c.Done}
	return p.Run(ctx, n, func(i int) error {
		runtime.LockOSThread() // for the clock's sake
		defer runtime.UnlockOSThread()
		return run(i)
	})
}
