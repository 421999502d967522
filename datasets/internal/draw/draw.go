// Package draw draws the rows of a data set.
package draw

import (
	"fmt"
	"io"
	"math"

	"banditsim/bandit/stream"
	"banditsim/datasets"
	"banditsim/internal/state"
)

// Rows draws rows with replacement, or each once in a pass, in a random order of the pass. It is not safe for concurrent use.
type Rows struct {
	stream    *stream.Stream
	n, passes int
	pulls     int
	order     []int32 // rows of a pass as they come; nil with replacement
}

// New returns a Rows of n rows that draws from r and ends after so many passes; 0: with replacement, without end.
func New(n, passes int, r *stream.Stream) *Rows {
	d := &Rows{stream: r, n: n, passes: passes}
	if passes > 0 {
		d.order = make([]int32, n)
		d.shuffle(0)
	}
	return d
}

// Pulls returns the number of rows until the end, 0 with replacement.
func (d *Rows) Pulls() int { return d.n * d.passes }

// Next returns the next row, or io.EOF after the last pass.
func (d *Rows) Next() (row int, err error) {
	switch {
	case d.order == nil:
		row = d.stream.IntN(d.n)
	case d.pulls == d.Pulls():
		return 0, io.EOF
	default:
		if at := d.pulls % d.n; at == 0 && d.pulls > 0 {
			d.shuffle(d.pulls / d.n)
		}
		row = int(d.order[d.pulls%d.n])
	}
	d.pulls++
	return row, nil
}

// State saves or restores the stream and the number of pulls.
func (d *Rows) State(c *state.Codec) {
	c.Object(d.stream)
	most := math.MaxInt
	if d.order != nil {
		most = d.Pulls()
	}
	c.Int("pulls", &d.pulls, 0, most)
	if c.Reading() && d.order != nil {
		d.shuffle(d.pulls / d.n)
	}
}

// shuffle fills order for a pass from a child of the stream, which a restored environment has again.
func (d *Rows) shuffle(pass int) {
	orders := d.stream.Child("order")
	if pass > 0 {
		orders = orders.Child("pass", pass)
	}
	orders.Permutation(d.order)
}

// World returns the world that open makes of a number of passes over so many rows, 0 for rows with replacement. Options
// with 0 passes leave their number to the pulls of a trial.
func World(rows int, replacement bool, passes int, open func(passes int) (*datasets.World, error)) (*datasets.World, error) {
	if replacement {
		return open(0)
	}
	w, err := open(max(passes, 1))
	if err != nil {
		return nil, err
	}
	w.Rows, w.Passes = rows, max(passes, 1)
	if passes == 0 {
		w.Repeat = func(passes int) (*datasets.World, error) { return World(rows, false, passes, open) }
	}
	return w, nil
}

// Check returns an error if the options of a World are out of range.
func Check(replacement bool, passes int) error {
	const most = 1_000_000
	if passes < 0 || passes > most {
		return fmt.Errorf("passes: %d, want 0 to %d", passes, most)
	}
	if replacement && passes > 0 {
		return fmt.Errorf("passes: %d, but rows are drawn with replacement: want replacement: false", passes)
	}
	return nil
}

// Identity returns the option passes in the identity of trials: 0 for a single pass, so that it has one form.
func Identity(passes int) int {
	if passes == 1 {
		return 0
	}
	return passes
}
