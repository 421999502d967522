package draw

import (
	"io"
	"slices"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/internal/state"
)

// Each row comes once a pass, in another order, and a restored Rows goes on as if it had not stopped, wherever it was.
func TestPasses(t *testing.T) {
	const n, passes = 7, 3
	var all []int
	d := New(n, passes, stream.Root(1))
	for {
		row, err := d.Next()
		if err == io.EOF {
			break
		}
		all = append(all, row)
	}
	if len(all) != d.Pulls() {
		t.Fatalf("%d rows, want %d", len(all), d.Pulls())
	}
	for pass := range passes {
		rows := slices.Sorted(slices.Values(all[pass*n : (pass+1)*n]))
		if !slices.Equal(rows, []int{0, 1, 2, 3, 4, 5, 6}) {
			t.Errorf("pass %d has the rows %v", pass, rows)
		}
	}
	if slices.Equal(all[:n], all[n:2*n]) {
		t.Error("two passes have one order")
	}
	for done := range all {
		a, b := New(n, passes, stream.Root(1)), New(n, passes, stream.Root(1))
		for range done {
			a.Next()
		}
		saved, err := state.Save(a.State)
		if err == nil {
			err = state.Restore(saved, b.State)
		}
		if err != nil {
			t.Fatal(err)
		}
		for i := done; i < len(all); i++ {
			if row, err := b.Next(); err != nil || row != all[i] {
				t.Fatalf("restored after %d rows: row %d is %d (%v), want %d", done, i, row, err, all[i])
			}
		}
	}
}
