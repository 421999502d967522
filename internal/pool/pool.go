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
// starts, and Run returns when the running jobs have ended. Without an error of a job it returns that of ctx.
func (p *Pool) Run(ctx context.Context, n int, job func(i int) error) error {
	if p.Workers < 1 {
		return fmt.Errorf("pool: %d workers, want at least 1", p.Workers)
	}
	var (
		mutex      sync.Mutex
		next, done int
		failed     bool
		errs       = make([]error, n)
		jobs, all  sync.WaitGroup
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
		errs[i] = err
		done++
		failed = failed || err != nil
		if p.Done != nil && !failed {
			p.Done(done, n)
		}
	}
	p.loops = make(chan *loop)
	for range p.Workers {
		jobs.Add(1)
		all.Go(func() {
			for i, ok := take(); ok; i, ok = take() {
				end(i, job(i))
			}
			jobs.Done()
			p.help()
		})
	}
	jobs.Wait()
	close(p.loops)
	all.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	return ctx.Err()
}

// A loop is one call of Parallel whose iterations several workers share.
type loop struct {
	n       int64
	f       func(i int)
	meter   *Meter         // meter of the job, or nil
	next    atomic.Int64   // next i for which f is called
	helpers sync.WaitGroup // workers of other jobs that work on the loop
}

// Parallel calls f(0) … f(n−1), once each, and returns when all calls have returned. It must be called from a job. Workers
// that are idle help. If no worker is idle, the calls are sequential and nothing is allocated.
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
		l.helpers.Add(1)
		select {
		case p.loops <- l: // a worker is waiting and takes the loop
		default:
			l.helpers.Done()
		}
	}
	l.work()
	if m != nil {
		m.leave(m.since)
	}
	l.helpers.Wait()
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
		l.helpers.Done()
		p.idle.Add(1)
	}
	p.idle.Add(-1)
}
