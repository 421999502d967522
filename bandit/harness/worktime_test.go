package harness

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"banditsim/bandit"
	"banditsim/bandit/internal/toytest"
	"banditsim/internal/cputime"
	"banditsim/internal/must"
	"banditsim/internal/pool"
	"banditsim/policy"
	"banditsim/posterior"
)

// busy is a policy that uses a known processor time on each of several goroutines in every pull.
type busy struct {
	stateless
	parallel posterior.Parallel
	on       *atomic.Int64 // number of calls by nested loops
}

const (
	chains = 8
	each   = 500 * time.Microsecond
)

func (b busy) Act(bandit.Round) (int, error) {
	b.parallel.Do(chains, func(int) {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		for from, _ := cputime.Thread(); ; {
			if now, _ := cputime.Thread(); now-from > each {
				break
			}
		}
		b.parallel.Do(2, func(int) { b.on.Add(1) })
	})
	return 1, nil
}

// outside is a policy that uses a child process.
type outside struct{ stateless }

func (outside) Printed() string { return "" }

// TestProcessorTime checks that a trial has the time of its loop with any number of workers, at most wall time × workers, and that it has
// no time if it uses another process.
func TestProcessorTime(t *testing.T) {
	if !pool.HasMeter() {
		t.Skip("no clock of a thread's processor time")
	}
	for _, workers := range []int{1, chains} {
		c, nested := toytest.Catalog(t), &atomic.Int64{}
		must.OK(t, toytest.AddPolicy(c, "Busy", struct{}{}, func(_ struct{}, s policy.Setup) (bandit.Policy, error) {
			return busy{parallel: s.Parallel, on: nested}, nil
		}))
		must.OK(t, toytest.AddPolicy(c, "Outside", struct{}{}, func(struct{}, policy.Setup) (bandit.Policy, error) { return outside{}, nil }))
		f := newFolder(t, toyPlan(t, c, "Busy", 1, "protocol.rounds=10", "protocol.pulls=4", "protocol.burn_in=0"), 0)
		f.runner.Workers = workers
		began := time.Now()
		f.run()
		wall := time.Since(began).Seconds()
		s, acts := f.sidecar(), 10*4.0
		must.Equal(t, "nested calls", nested.Load(), int64(acts*chains*2))
		if got, want := s.ProcessorTime(), acts*chains*each.Seconds(); got < want || got > wall*float64(workers) {
			t.Errorf("%d workers: %.3f s of processor time, want %.3f to %.3f", workers, got, want, wall*float64(workers))
		}
		f = newFolder(t, toyPlan(t, c, "Outside", 1), 0)
		f.run()
		if s := f.sidecar(); s.ProcessorSeconds != nil || s.Seconds <= 0 {
			t.Errorf("a policy outside: %+v", s)
		}
	}
}

// TestProcessorTimeAddsUp checks that the time of a resumed trial is the sum over its runs.
func TestProcessorTimeAddsUp(t *testing.T) {
	if !pool.HasMeter() {
		t.Skip("no clock of a thread's processor time")
	}
	plan, b := oneTrial(t)
	f := newFolder(t, plan, 2)
	f.stop(b, 4)
	must.Equal(t, "resumed", f.run().Resumed, 1)
	s := f.sidecar()
	if first, last := *s.Earlier[0].ProcessorSeconds, *s.ProcessorSeconds; first <= 0 || last <= 0 || s.ProcessorTime() != first+last {
		t.Errorf("%g s and %g s, in all %g s", first, last, s.ProcessorTime())
	}
}
