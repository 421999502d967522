// Package logged reads logs of pulls: which arm was pulled in which context, with which probability, and what it earned. One
// Log type reads our own pulls, any CSV, the Open Bandit Dataset's files and Vowpal Wabbit's dsjson, row by row: only the names
// of arms and columns are held in memory. Evaluate estimates from a log what other policies would have earned.
package logged

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"path/filepath"
	"strconv"

	"banditsim/bandit"
	"banditsim/internal/moments"
	"banditsim/internal/words"
)

// A Row is one pull of a log.
type Row struct {
	Number int // number of the row in the file, from 1, without its header
	// Context and Arms are as in bandit.Round: float32 numbers, categories as 0 and 1.
	Context []float32
	Arms    [][]float32
	Arm     int
	Reward  float64
	// Propensity is the probability with which the arm was chosen, above 0 and at most 1; NaN if it was not recorded.
	Propensity    float64
	Probabilities []float64 // probabilities of all arms; nil if the log does not have them
	Position      int       // position of the arm on a page, 0 if the log has none
	Available     []bool    // whether each arm could be pulled, as in bandit.Round; nil: all could
	Time          float64   // in seconds, NaN if the log has none
	// Means and Rewards are the expected and the drawn rewards of all arms, which only pulls of a simulated environment have; else nil.
	Means, Rewards []float64

	hash uint64 // hash of all columns but one without a name, in the first pass
}

// offered returns the number of arms that could be pulled, 0 for all.
func (r *Row) offered() (n int) {
	for _, can := range r.Available {
		if can {
			n++
		}
	}
	return n
}

// ReadOptions say how to read a file. The zero value reads all formats that are recognized by their header.
type ReadOptions struct {
	// Columns of a CSV file; "" for those that the format has, or for the usual names (see docs/logged.md). Propensity is
	// EstimatedPropensity for a log whose propensities are not read, unless it has a column of that name.
	Arm, Reward, Propensity, Position, Time string
	Available                               string   // column with the names of the arms that could be pulled: a|b|c or a list; empty: all
	Context                                 []string // columns of the context; empty, not nil: none
	Probabilities                           []string // columns of the probabilities of all arms, in their order
	// Arms are the names of all arms, in their order; nil for those that the log has.
	Arms []string
	// Pulls returns the environment of our own pulls, whose files have no contexts, or nil if it is not known.
	Pulls      func() (*Simulated, error)
	Unrecorded bool // a log without propensities is no error
	// Duplicates counts rows that are the same in all columns.
	Duplicates bool
}

// A Simulated is an environment that draws the contexts of recorded pulls once more.
type Simulated struct {
	Spec bandit.Spec
	// New returns the environment before its first pull.
	New func() (bandit.Environment, error)
}

// A Log is a file of pulls, which was read once.
type Log struct {
	Path        string
	Format      string // in words
	Spec        bandit.Spec
	Columns     []string // names of the numbers of a context
	Context     []string // columns of the file that they are of; nil: none was recognized, and the context is the number 1
	Ignored     []string // columns that are neither of the context nor anything else of a Row
	Exported    bool     // pulls of 'banditsim export --pulls', which have no contexts
	Unrecorded  bool     // propensities are NaN, at least of some rows
	Description Description

	format       format
	rows         []Row     // of a log in memory, which has no format
	standardized bool      // numbers of the context are standardized when they are read
	propensity   []float64 // estimates; nil: the recorded ones
	doubt        string    // why the estimates are wrong, "" if nothing shows it
}

// ErrNoPropensities is the error of a log without propensities, which tells nothing of other policies.
var ErrNoPropensities = errors.New("the log has no propensities")

// A format reads a kind of files.
type format interface {
	// name returns the format in words.
	name() string
	// begin is called before each pass. In the first, learn, arms and categories are collected, and what a row has of a context does not count.
	begin(in *bufio.Reader, learn bool) error
	// next reads the next row into r, which it may reuse, and returns io.EOF after the last.
	next(r *Row) error
	// spec ends the first pass and returns what it found, with the new number of each arm.
	spec() (spec bandit.Spec, columns []string, order []int)
}

// Open reads the file at path once, checks every row and returns the log with its description.
func Open(path string, o ReadOptions) (*Log, error) {
	l := &Log{Path: path}
	o.Unrecorded = o.Unrecorded || o.Propensity == EstimatedPropensity
	f, err := recognize(path, o)
	if err != nil {
		return nil, l.wrap(err)
	}
	l.Format, l.format = f.name(), f
	d := newDescriber(o.Duplicates)
	if err := l.pass(true, func(r *Row) bool { d.add(r); return true }); err != nil {
		return nil, err
	}
	if d.d.Rows == 0 {
		return nil, l.wrap(errors.New("no rows"))
	}
	var order []int
	l.Spec, l.Columns, order = f.spec()
	if t, ok := f.(*table); ok {
		l.Exported = t.title == exportedTitle
		if l.Context, l.Ignored = t.columns(); l.Context == nil {
			l.Context = o.Context
		}
	} else {
		l.Context = l.Columns
	}
	if len(l.Spec.Arms) < 2 {
		return nil, l.wrap(fmt.Errorf("all rows have the arm %s: want at least 2 arms; name those that were never pulled with --arms", l.Spec.Arms[0]))
	}
	l.Description = d.describe(l.Spec.Arms, order)
	l.Unrecorded = math.IsNaN(float64(l.Description.Least))
	return l, nil
}

// New returns a log of rows that a program has, which it keeps and does not change. Their numbers are set; arms, propensities, rewards and the lengths of
// contexts are checked.
func New(name string, spec bandit.Spec, rows []Row) (*Log, error) {
	columns := numbered(spec.Dim)
	l := &Log{Path: name, Format: "rows in memory", Spec: spec, Columns: columns, Context: columns, rows: rows}
	d := newDescriber(false)
	for i := range rows {
		r := &rows[i]
		r.Number = i + 1
		err := checkPropensity(r.Propensity, r.Number, "propensity")
		switch {
		case r.Arm < 0 || r.Arm >= len(spec.Arms):
			err = fmt.Errorf("row %d: arm %d, want 0 to %d", r.Number, r.Arm, len(spec.Arms)-1)
		case !words.Finite(r.Reward):
			err = fmt.Errorf("row %d: reward %g, want a finite number", r.Number, r.Reward)
		case r.Available != nil && (len(r.Available) != len(spec.Arms) || !r.Available[r.Arm]):
			err = fmt.Errorf("row %d: Available %v, want %d, of which arm %d is true", r.Number, r.Available, len(spec.Arms), r.Arm)
		case len(r.Context) != spec.Dim || spec.ArmDim > 0 && len(r.Arms) != len(spec.Arms):
			err = fmt.Errorf("row %d: a context of %d numbers with %d arms, want %d and %d", r.Number, len(r.Context), len(r.Arms), spec.Dim, len(spec.Arms))
		}
		if err != nil {
			return nil, l.wrap(err)
		}
		d.add(r)
	}
	if len(rows) == 0 {
		return nil, l.wrap(errors.New("no rows"))
	}
	l.Description = d.describe(spec.Arms, nil)
	return l, nil
}

func numbered(n int) []string {
	var list []string
	for i := range n {
		list = append(list, "x"+strconv.Itoa(i+1))
	}
	return list
}

// Rows yields the rows, in order; each is valid until the next.
func (l *Log) Rows() iter.Seq2[*Row, error] {
	return func(yield func(*Row, error) bool) {
		if err := l.pass(false, func(r *Row) bool { return yield(r, nil) }); err != nil {
			yield(nil, err)
		}
	}
}

// pass calls f with every row until it returns false.
func (l *Log) pass(learn bool, f func(*Row) (more bool)) error {
	if next := f; l.propensity != nil {
		f = func(r *Row) bool {
			estimated := *r
			estimated.Propensity = l.propensity[r.Number-1]
			return next(&estimated)
		}
	}
	for i := range l.rows {
		if !f(&l.rows[i]) {
			break
		}
	}
	if l.rows != nil {
		return nil
	}
	err := read(l.Path, func(in *bufio.Reader) error {
		if err := l.format.begin(in, learn); err != nil {
			return err
		}
		r := Row{Number: 1}
		err := l.format.next(&r)
		for ; err == nil; err = l.format.next(&r) {
			if l.standardized {
				l.standardize(r.Context)
			}
			if !f(&r) {
				break
			}
			r.Number++
		}
		return err
	})
	if err == nil || err == io.EOF {
		return nil
	}
	return l.wrap(err)
}

// Standardize makes the numbers of the contexts those less their mean, in units of their standard deviation over the rows of the
// log, which Spec.Columns has then. A log in memory and one whose context has no named columns are as they were.
func (l *Log) Standardize() error {
	columns := l.Spec.Columns
	if columns == nil || l.rows != nil {
		return nil
	}
	seen := make([]moments.Running, len(columns))
	for row, err := range l.Rows() {
		if err != nil {
			return err
		}
		at := 0
		for i := range columns {
			if columns[i].Values == nil {
				seen[i].Add(float64(row.Context[at]))
			}
			at += columns[i].Width()
		}
	}
	for i, m := range seen {
		if sd := math.Sqrt(m.Squares / (m.N - 1)); sd > 0 {
			columns[i].Mean, columns[i].SD = m.Mean, sd
		}
	}
	l.standardized = true
	return nil
}

func (l *Log) standardize(context []float32) {
	at := 0
	for i := range l.Spec.Columns {
		c := &l.Spec.Columns[i]
		if c.Values == nil {
			context[at] = c.Standardize(float64(context[at]))
		}
		at += c.Width()
	}
}

func (l *Log) wrap(err error) error { return fmt.Errorf("log %s: %w", l.Path, err) }

// Name returns the file's name without its folder.
func (l *Log) Name() string { return filepath.Base(l.Path) }

// An InputError is a fault of a row of the log, or of an option, whose name its text has as flags have it.
type InputError struct{ text string }

func (e *InputError) Error() string { return e.text }

func rowError(row int, column, value, want string) error {
	return &InputError{fmt.Sprintf("row %d, column %s: %q: want %s", row, column, value, want)}
}
