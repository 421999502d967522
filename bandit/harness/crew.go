package harness

import (
	"sync"
	"sync/atomic"
)

// A crew are the workers of a run. One that has no trial left to run helps the
// trials that are still under way with their chains.
type crew struct {
	tasks chan *task
	idle  atomic.Int64 // helpers that wait for a task, or are about to
}

// A task is a loop whose turns may run side by side.
type task struct {
	n       int64
	f       func(i int)
	next    atomic.Int64
	helpers sync.WaitGroup
}

func newCrew() *crew { return &crew{tasks: make(chan *task)} }

// parallel is a posterior.Parallel: it runs the loop with whoever is idle at this
// moment, in turn if nobody is. It allocates nothing then.
func (c *crew) parallel(n int, f func(i int)) {
	if c.idle.Load() > 0 {
		c.share(n, f)
		return
	}
	for i := range n {
		f(i)
	}
}

func (c *crew) share(n int, f func(i int)) {
	t := &task{n: int64(n), f: f}
	for range n - 1 {
		t.helpers.Add(1)
		select {
		case c.tasks <- t: // somebody stands ready: this never waits
		default:
			t.helpers.Done()
		}
	}
	t.work()
	t.helpers.Wait()
}

func (t *task) work() {
	for {
		i := t.next.Add(1) - 1
		if i >= t.n {
			return
		}
		t.f(int(i))
	}
}

// help works on the tasks of others until the crew is dismissed.
func (c *crew) help() {
	c.idle.Add(1)
	for t := range c.tasks {
		c.idle.Add(-1)
		t.work()
		t.helpers.Done()
		c.idle.Add(1)
	}
}

// dismiss sends the helpers home. No parallel may be under way.
func (c *crew) dismiss() { close(c.tasks) }
