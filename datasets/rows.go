package datasets

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/internal/check"
	"banditsim/internal/state"
	"banditsim/internal/wholefile"
)

var gzipMagic = []byte{0x1f, 0x8b}

// ReadFile returns a regular file's text, decompressed if it is gzip. A text above limit bytes is not loaded: an error.
func ReadFile(ctx context.Context, path string, limit int64) ([]byte, error) {
	f, info, err := wholefile.Open(path) // rejects pipes and devices, on which reading might never end
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var r io.Reader = wholefile.WithContext(ctx, f)
	size := info.Size()
	magic := make([]byte, 2)
	if f.ReadAt(magic, 0); bytes.Equal(magic, gzipMagic) {
		z, err := gzip.NewReader(r)
		if err == nil { // the size that gzip stores is wrong if the file was cut or has several members
			size, err = io.Copy(io.Discard, io.LimitReader(z, limit+1))
		}
		if err == nil {
			_, err = f.Seek(0, io.SeekStart)
		}
		if err == nil {
			err = z.Reset(r)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: decompress: %w", path, err)
		}
		r = z
	}
	if size > limit {
		return nil, fmt.Errorf("%s has more than %d MiB of text", path, limit>>20)
	}
	text := make([]byte, size)
	if _, err := io.ReadFull(r, text); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return text, nil
}

// Unpack returns an embedded text, decompressed if it is in gzip format.
func Unpack(b []byte) ([]byte, error) {
	if !bytes.HasPrefix(b, gzipMagic) {
		return b, nil
	}
	r, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

// Drawing are the options of environments that draw rows of data.
type Drawing struct {
	Replacement bool `json:"replacement"`     // whether rows are drawn with replacement; else each once in a pass, in a random order
	Passes      int  `json:"passes,omitzero"` // passes over the rows without replacement, each in a new order; 0: as many as the pulls need
}

// Validate returns an error for options out of range.
func (d Drawing) Validate() error {
	return cmp.Or(check.Within("passes", d.Passes, 0, 1_000_000),
		check.That(!d.Replacement || d.Passes == 0, "passes: %d, but rows are drawn with replacement: want replacement: false", d.Passes))
}

// World returns w with Options and New set; without replacement also Rows, Passes and, if d.Passes is 0, Repeat. The
// argument options returns the environment's options with a given Drawing, and table the Table of each new environment.
func (d Drawing) World(w World, table func() Table, options func(Drawing) any) (*World, error) {
	given, passes := w, d.Passes
	if passes == 1 {
		d.Passes = 0
	}
	var err error
	if w.Options, err = json.Marshal(options(d)); err != nil {
		return nil, err
	}
	w.New = func(r *stream.Stream) (bandit.Environment, error) { return table().New(d, r), nil }
	if d.Replacement {
		return &w, nil
	}
	w.Rows, w.Passes = table().Rows, max(passes, 1)
	if passes == 0 {
		w.Repeat = func(passes int) (*World, error) { return Drawing{Passes: passes}.World(given, table, options) }
	}
	return &w, nil
}

// A Table describes an environment that draws rows of data, with rewards that depend on the row alone.
type Table struct {
	Spec   bandit.Spec
	Rows   int
	Put    func(context []float32, row int) // writes the context of a row that was drawn
	Reward func(reward []float64, row int)  // writes the rewards of all arms
	State  func(*state.Codec)               // saves or restores the state of Put; nil if it has none
}

// New returns an environment that draws rows from the stream r, as d says.
func (t Table) New(d Drawing, r *stream.Stream) bandit.Environment {
	e := &rowEnvironment{Table: t, stream: r}
	e.Fields = e.state
	if !d.Replacement {
		e.order = make([]int32, t.Rows)
		e.Table.Spec.Pulls = t.Rows * max(d.Passes, 1)
		e.shuffle()
	}
	return e
}

// rowEnvironment is not safe for concurrent use.
type rowEnvironment struct {
	state.Fields
	Table
	stream *stream.Stream
	pulls  int
	order  []int32 // rows in the order of the current pass; nil with replacement
}

func (e *rowEnvironment) Spec() bandit.Spec { return e.Table.Spec }

// Next draws a row. It returns io.EOF after the last pass.
func (e *rowEnvironment) Next(r *bandit.Round, o *bandit.Outcome) error {
	switch {
	case e.order == nil:
		r.Row = e.stream.IntN(e.Rows)
	case e.pulls == e.Table.Spec.Pulls:
		return io.EOF
	default:
		if e.pulls > 0 && e.pulls%e.Rows == 0 {
			e.shuffle()
		}
		r.Row = int(e.order[e.pulls%e.Rows])
	}
	e.pulls++
	e.Put(r.Context, r.Row)
	e.Reward(o.Reward, r.Row)
	copy(o.Mean, o.Reward)
	return nil
}

// shuffle sets order for the pass of the next pull. It draws from a child of the stream, which does not depend on the
// numbers drawn so far, so that a restored environment gets the same order.
func (e *rowEnvironment) shuffle() {
	orders := e.stream.Child("order")
	if pass := e.pulls / e.Rows; pass > 0 {
		orders = orders.Child("pass", pass)
	}
	orders.Permutation(e.order)
}

func (e *rowEnvironment) state(c *state.Codec) {
	c.Object(e.stream)
	most := math.MaxInt
	if e.order != nil {
		most = e.Table.Spec.Pulls
	}
	c.Int("pulls", &e.pulls, 0, most)
	if c.Reading() && e.order != nil {
		e.shuffle()
	}
	if e.State != nil {
		e.State(c)
	}
}
