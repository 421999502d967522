package logged

import (
	"bufio"
	"bytes"
	"fmt"
	"hash/maphash"
	"io"
	"math"
	"slices"

	"banditsim/bandit"
)

// lines reads lines that are not blank.
type lines struct {
	in   *bufio.Reader
	line int // number of the last line read, from 1
}

func (l *lines) next() ([]byte, error) {
	for {
		line, err := l.in.ReadBytes('\n')
		if len(line) == 0 || err != nil && err != io.EOF {
			return nil, err
		}
		if l.line++; len(bytes.TrimSpace(line)) > 0 {
			return line, nil
		}
	}
}

// events is a format with one pull per line and named features.
type events struct {
	title           string
	arms            *arms
	context, action dictionary // features of contexts and of arms
	options         ReadOptions
	learn           bool // true in the first pass
	lines           lines
	// read reads the pull of a line; ok is false if the line has none.
	read func(r *Row, line []byte) (ok bool, err error)
}

func newEvents(title string, o ReadOptions) events {
	return events{title: title, options: o, learn: true, arms: newArms(o.Arms), context: dictionary{index: map[string]int{}}, action: dictionary{index: map[string]int{}}}
}

func (e *events) name() string { return e.title }

func (e *events) begin(in *bufio.Reader) error {
	e.lines = lines{in: in}
	return nil
}

func (e *events) next(r *Row) error {
	for {
		line, err := e.lines.next()
		if err != nil {
			return err
		}
		ok, err := e.read(r, line)
		if err != nil {
			return fmt.Errorf("line %d: %w", e.lines.line, err)
		}
		if ok {
			if e.learn {
				r.hash = maphash.Bytes(hashSeed, line)
			}
			return nil
		}
	}
}

// newContext returns n zeros, or [1] if n is 0, for a context without features. It reuses the memory of v.
func newContext(v []float32, n int) []float32 {
	v = zeros(v, max(n, 1))
	if n == 0 {
		v[0] = 1
	}
	return v
}

func (e *events) spec() (bandit.Spec, []string, []int) {
	e.learn = false
	order := e.arms.learned()
	columns := e.context.names
	if len(columns) == 0 {
		columns = []string{"1"}
	}
	return bandit.Spec{Dim: len(columns), Arms: e.arms.names, ArmDim: len(e.action.names), IgnoresActions: true, UniformRegret: math.NaN()}, columns, order
}

func zeros(v []float32, n int) []float32 {
	v = slices.Grow(v[:0], n)[:n]
	clear(v)
	return v
}

// maxFeatures is the largest number of features in a dictionary.
const maxFeatures = 10_000

// A dictionary numbers the names of features.
type dictionary struct {
	index map[string]int
	names []string
}

// set sets a feature in a vector or, in the first pass (learn), only adds its name.
func (d *dictionary) set(into []float32, name string, v float64, learn bool) error {
	i, ok := d.index[name]
	switch {
	case ok && !learn:
		into[i] = float32(v)
	case ok:
	case !learn:
		return fmt.Errorf("the feature %s was not there when the file was read before: was the file changed?", name)
	case len(d.names) == maxFeatures:
		return fmt.Errorf("more than %d features, such as %s: leave out those that tell events apart", maxFeatures, name)
	default:
		d.index[name], d.names = len(d.names), append(d.names, name)
	}
	return nil
}
