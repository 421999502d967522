package simulation

import (
	"context"
	"errors"
	"testing"

	"banditsim/internal/checktest"
)

// TestCrew: an early end, and the clock.
func TestCrew(t *testing.T) {
	c := Crew{Workers: 1}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
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
		checktest.Near(t, "seconds", p.Seconds, float64(i+1), 0)
	}
}
