package datasets

import (
	"fmt"
	"io"
	"slices"
	"testing"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/internal/must"
)

// TestPasses checks that each pass draws each row once in a new order, and that an environment restored at any pull continues alike.
func TestPasses(t *testing.T) {
	const n, passes = 7, 3
	table := Table{Rows: n, Put: func([]float32, int) {}, Reward: func([]float64, int) {}}
	begin := func() bandit.Environment { return table.New(Drawing{Passes: passes}, stream.Root(1)) }
	next := func(e bandit.Environment) (int, error) {
		var r bandit.Round
		err := e.Next(&r, &bandit.Outcome{})
		return r.Row, err
	}
	var all []int
	e := begin()
	for row, err := next(e); err != io.EOF; row, err = next(e) {
		all = append(all, row)
	}
	must.That(t, len(all) == n*passes && e.Spec().Pulls == n*passes,
		"%d rows of %d pulls, want %d", len(all), e.Spec().Pulls, n*passes)
	for pass := range passes {
		rows := slices.Sorted(slices.Values(all[pass*n : (pass+1)*n]))
		must.Equal(t, fmt.Sprintf("pass %d has the rows", pass), rows, []int{0, 1, 2, 3, 4, 5, 6})
	}
	must.That(t, !slices.Equal(all[:n], all[n:2*n]), "two passes have one order")
	for done := range all {
		a, b := begin().(*rowEnvironment), begin().(*rowEnvironment)
		for range done {
			next(a)
		}
		saved, err := a.MarshalBinary()
		if err == nil {
			err = b.UnmarshalBinary(saved)
		}
		must.OK(t, err)
		for i := done; i < len(all); i++ {
			must.Equal(t, fmt.Sprintf("restored after %d rows: row %d", done, i), must.Get(next(b))(t), all[i])
		}
	}
}
