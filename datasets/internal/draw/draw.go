// Package draw draws the rows of a data set.
package draw

import (
	"io"
	"math"

	"banditsim/bandit/stream"
	"banditsim/internal/state"
)

// Rows draws rows with replacement, or in a random order that ends with them. It is not safe for concurrent use.
type Rows struct {
	stream   *stream.Stream
	n, pulls int
	order    []int32 // rows as they come; nil with replacement
}

// New returns a Rows of n rows that draws from r.
func New(n int, replacement bool, r *stream.Stream) *Rows {
	d := &Rows{stream: r, n: n}
	if !replacement {
		d.order = make([]int32, n)
		d.shuffle()
	}
	return d
}

// Pulls returns the number of rows until the end, 0 with replacement.
func (d *Rows) Pulls() int { return len(d.order) }

// Next returns the next row. Without replacement the error is io.EOF after the last one.
func (d *Rows) Next() (row int, err error) {
	switch {
	case d.order == nil:
		row = d.stream.IntN(d.n)
	case d.pulls == len(d.order):
		return 0, io.EOF
	default:
		row = int(d.order[d.pulls])
	}
	d.pulls++
	return row, nil
}

// State saves or restores the stream and the number of pulls.
func (d *Rows) State(c *state.Codec) {
	c.Object(d.stream)
	most := math.MaxInt
	if d.order != nil {
		most = len(d.order)
	}
	c.Int("pulls", &d.pulls, 0, most)
	if c.Reading() && d.order != nil {
		d.shuffle()
	}
}

// shuffle fills order from a child of the stream, which a restored environment has again.
func (d *Rows) shuffle() { d.stream.Child("order").Permutation(d.order) }
