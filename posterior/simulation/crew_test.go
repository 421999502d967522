package simulation

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
)

// TestCrew: each run once, the clock and the count, and an early end.
func TestCrew(t *testing.T) {
	const n = 100
	var runs [n]atomic.Int64
	var told []int
	c := Crew{Workers: 4, Done: func(done, total int) {
		if total != n {
			t.Errorf("%d in all, want %d", total, n)
		}
		told = append(told, done)
	}}
	if err := c.each(context.Background(), n, func(i int) error { runs[i].Add(1); return nil }); err != nil {
		t.Fatal(err)
	}
	for i := range runs {
		if runs[i].Load() != 1 || told[i] != i+1 {
			t.Errorf("run %d done %d times, told of %d", i, runs[i].Load(), told[i])
		}
	}

	broken := errors.New("broken")
	done := 0
	c = Crew{Workers: 1}
	err := c.each(context.Background(), n, func(i int) error {
		done++
		if i == 2 {
			return broken
		}
		return nil
	})
	if !errors.Is(err, broken) || done != 3 {
		t.Errorf("error %v after %d runs, want %v after 3", err, done, broken)
	}

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := c.each(ctx, n, func(int) error { t.Error("a run began"); return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
	if _, err := Landscape(ctx, small(), &c); !errors.Is(err, context.Canceled) {
		t.Errorf("landscape: error %v, want %v", err, context.Canceled)
	}

	// Time that passes while an estimate is judged does not count.
	ticks := 0.0
	o := small()
	o.Methods, o.Repeats = []string{"SGLD"}, 1
	r, err := Landscape(context.Background(), o, &Crew{Workers: 1, Clock: Clock{"ticks", func() float64 { ticks++; return ticks }}})
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range r.Methods[0].Runs[0].Points {
		check(t, "seconds", p.Seconds, float64(i+1), 0)
	}
}
