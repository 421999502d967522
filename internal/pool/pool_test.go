package pool

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"
	"testing"

	"banditsim/internal/must"
)

func TestRun(t *testing.T) {
	const n = 100
	var runs [n]atomic.Int64
	var counts []int
	p := Pool{Workers: 4, Done: func(done, total int) {
		must.Equal(t, "in all", total, n)
		counts = append(counts, done)
	}}
	for range 2 { // a pool can be used again
		counts = nil
		must.OK(t, p.Run(context.Background(), n, func(i int) error { runs[i].Add(1); return nil }))
		for i := range runs {
			must.That(t, runs[i].Swap(0) == 1 && counts[i] == i+1,
				"job %d did not run once, or the count after it is %d", i, counts[i])
		}
	}

	broken := errors.New("broken")
	done := 0
	p = Pool{Workers: 1}
	err := p.Run(context.Background(), n, func(i int) error {
		done++
		if i == 2 {
			return broken
		}
		return nil
	})
	must.That(t, errors.Is(err, broken) && done == 3, "error %v after %d jobs, want %v after 3", err, done, broken)

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	must.Is(t, p.Run(ctx, n, func(int) error { t.Error("a job began"); return nil }), context.Canceled)
	if err := (&Pool{}).Run(context.Background(), 1, nil); err == nil {
		t.Error("no workers, and no error")
	}
}

// TestErrorsInOrder checks that errors are in the order of the jobs, whichever fails first.
func TestErrorsInOrder(t *testing.T) {
	first, second := errors.New("first"), errors.New("second")
	failed := make(chan bool)
	err := (&Pool{Workers: 2}).Run(context.Background(), 2, func(i int) error {
		if i == 1 {
			close(failed)
			return second
		}
		<-failed
		return first
	})
	want := errors.Join(first, second)
	must.That(t, err != nil && err.Error() == want.Error(), "error %q, want %q", err, want)
}

// TestParallel checks that every index is called once, with and without idle workers.
func TestParallel(t *testing.T) {
	for _, helpers := range []int{0, 1, 3} {
		p := Pool{Workers: helpers + 1}
		must.OK(t, p.Run(context.Background(), 1, func(int) error {
			for p.idle.Load() < int64(helpers) {
				runtime.Gosched()
			}
			for n := range 200 {
				turns := make([]atomic.Int64, n)
				p.Parallel(n, func(i int) {
					turns[i].Add(1)
					runtime.Gosched()
				})
				if i := wrong(turns); i >= 0 {
					t.Errorf("%d helpers: turn %d of %d done %d times", helpers, i, n, turns[i].Load())
				}
			}
			return nil
		}))
		turns := 0
		if p.Parallel(5, func(int) { turns++ }); turns != 5 {
			t.Errorf("%d turns after the jobs, want 5", turns)
		}
	}
}

// wrong returns the first index that was not called once, or −1.
func wrong(turns []atomic.Int64) int {
	for i := range turns {
		if turns[i].Load() != 1 {
			return i
		}
	}
	return -1
}
