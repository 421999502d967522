// Package pool runs independent jobs on a number of goroutines.
package pool

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
)

// A Pool runs jobs in parallel. Workers that are out of jobs help with the loops (see Parallel) of the jobs that are
// still running. Run must not be called again before it has returned.
type Pool struct {
	// Workers is the number of jobs that run at a time, at least 1.
	Workers int
	// Done, if not nil, is called after each job with the number of jobs done and the total, until a job returns an
	// error. Its calls do not overlap.
	Done func(done, total int)

	loops chan *loop
	idle  atomic.Int64 // number of workers that wait for a loop, or are about to
}

// Run calls job(0) … job(n−1) and joins their errors in that order. After an error, or when ctx ends, no further job
// starts, and Run returns when the running jobs have ended. If no job returned an error, Run returns that of ctx.
func (p *Pool) Run(ctx context.Context, n int, job func(i int) error) error {
	if p.Workers < 1 {
		return fmt.Errorf("pool: %d workers, want at least 1", p.Workers)
	}
	var (
		mutex  sync.Mutex
		done   int
		failed atomic.Bool
		errs   = make([]error, n)
		all    sync.WaitGroup
	)
	jobs := &loop{n: int64(n), f: func(i int) {
		if failed.Load() || ctx.Err() != nil {
			return
		}
		err := job(i)
		mutex.Lock()
		defer mutex.Unlock()
		errs[i] = err
		done++
		if err != nil {
			failed.Store(true)
		}
		if p.Done != nil && !failed.Load() {
			p.Done(done, n)
		}
	}}
	p.loops = make(chan *loop)
	for range p.Workers {
		jobs.workers.Add(1)
		all.Go(func() {
			jobs.work()
			jobs.workers.Done()
			p.help()
		})
	}
	jobs.workers.Wait()
	close(p.loops)
	all.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	return ctx.Err()
}

// A loop is what several workers share: the iterations of one call of Parallel, or all jobs of a Run.
type loop struct {
	n       int64
	f       func(i int)
	meter   *Meter         // meter of the job that called Parallel, or nil
	next    atomic.Int64   // next i for which f is called
	workers sync.WaitGroup // workers on the loop, in Parallel without the one that called it
}

// Parallel calls f(0) … f(n−1), once each, and returns when all calls have returned. It must be called from a job. Idle
// workers make some of the calls. If no worker is idle, the calls are sequential and nothing is allocated.
func (p *Pool) Parallel(n int, f func(i int)) { p.parallel(n, f, nil) }

func (p *Pool) parallel(n int, f func(i int), m *Meter) {
	if p.idle.Load() > 0 && (m == nil || !m.split) {
		p.share(n, f, m)
		return
	}
	for i := range n {
		f(i)
	}
}

func (p *Pool) share(n int, f func(i int), m *Meter) {
	l := &loop{n: int64(n), f: f, meter: m}
	if m != nil {
		m.split = true
		defer func() { m.since, m.split = m.enter(), false }()
	}
	for range n - 1 {
		l.workers.Add(1)
		select {
		case p.loops <- l: // a worker is waiting and takes the loop
		default:
			l.workers.Done()
		}
	}
	l.work()
	if m != nil {
		m.leave(m.since)
	}
	l.workers.Wait()
}

func (l *loop) work() {
	for i := l.next.Add(1); i <= l.n; i = l.next.Add(1) {
		l.f(int(i - 1))
	}
}

// help works on the loops of other workers' jobs until all jobs have ended.
func (p *Pool) help() {
	p.idle.Add(1)
	for l := range p.loops {
		p.idle.Add(-1)
		if l.next.Load() < l.n { // otherwise nothing is left to do, and the clock need not be read
			since := l.meter.enter()
			l.work()
			l.meter.leave(since)
		}
		l.workers.Done()
		p.idle.Add(1)
	}
	p.idle.Add(-1)
}
