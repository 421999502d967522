// Package logged reads logs of pulls: which arm was pulled in which context, with which probability (propensity), and
// what it earned. Open reads pulls recorded by this program, journals of agents, CSV, JSON lines, and Vowpal Wabbit's
// text and dsjson. Rows are read one by one and not kept. Evaluate estimates what other policies would have earned.
package logged

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"path/filepath"
	"slices"

	"banditsim/bandit"
	"banditsim/internal/lists"
	"banditsim/internal/moments"
	"banditsim/internal/words"
)

// A Row is one pull of a log.
type Row struct {
	Number int // number of the row, from 1; headers, and lines that the format skips, do not count
	// Context and Arms are as in bandit.Round, with categories one-hot encoded.
	Context []float32
	Arms    [][]float32
	Arm     int
	Reward  float64
	// Propensity is the probability with which the arm was chosen, in (0, 1]; NaN if it was not recorded.
	Propensity    float64
	Probabilities []float64 // probabilities of all arms; nil if the log does not have them
	Position      int       // position of the arm on a page; 0 if unknown
	Available     []bool    // whether each arm was available, as in bandit.Round; nil: all were
	Time          float64   // a number as the log has it, or a date in seconds since 1970; NaN if the log has no times
	// Means and Rewards are every arm's expected and drawn reward if the log is of a simulated environment; else nil.
	Means, Rewards []float64

	hash uint64 // hash of the cells or of the line, to count duplicates; set in the first pass
}

// ReadOptions say how to read a file. The zero value suits a file whose first line shows its format and columns.
type ReadOptions struct {
	// Names of columns of a table. "" stands for the column that the format has, or for one with a usual name (see
	// docs/logged.md). If Propensity is EstimatedPropensity, propensities are not read, unless a column has that name.
	Arm, Reward, Propensity, Position, Time string
	Available                               string   // column of the available arms: a|b|c or a JSON list; an empty cell means all
	Context                                 []string // columns of the context; nil: those of the format or with usual names; empty: none
	Probabilities                           []string // one column per arm with its probability, in the order of the arms
	// Arms are the names of all arms, in order; nil for those found in the log.
	Arms []string
	// Pulls is called for the file of a trial's pulls, which has no contexts. It returns the environment, nil if unknown.
	Pulls      func() (*Simulated, error)
	Unrecorded bool // accept a log without propensities
	Duplicates bool // count the rows that are equal in all columns
}

// Simulated is an environment that can draw the contexts of recorded pulls again.
type Simulated struct {
	Spec bandit.Spec
	// New returns the environment before its first pull.
	New func() (bandit.Environment, error)
}

// A Log is a file of pulls that Open has read and checked, or rows in memory.
type Log struct {
	Path        string
	Format      string // name of the format, for display
	Spec        bandit.Spec
	Columns     []string // names of the elements of a context
	Context     []string // context columns of the file; nil: none was recognized, and every context is [1]
	Ignored     []string // columns of the file that are not used
	Exported    bool     // the file is from 'banditsim export --pulls', and has no contexts
	Unrecorded  bool     // some or all propensities are NaN
	Description Description

	format       format
	rows         []Row     // rows of a log in memory, whose format is nil
	standardized bool      // contexts are standardized as they are read
	propensity   []float64 // estimated propensities by row; nil: those in the log are used
	doubt        string    // evidence that the estimated propensities are wrong, or ""
}

// ErrNoPropensities is returned for a log without propensities, on which other policies cannot be evaluated.
var ErrNoPropensities = errors.New("the log has no propensities")

// A format reads one kind of file.
type format interface {
	// name returns the name of the format, for display.
	name() string
	// begin is called before each pass. In the first pass next collects arms and categories, and contexts are not valid.
	begin(in *bufio.Reader) error
	// next reads the next row into r, whose slices it may reuse, and returns io.EOF after the last.
	next(r *Row) error
	// spec ends the first pass. columns names a context's elements; order[i] is the final number of arm i in that pass.
	spec() (spec bandit.Spec, columns []string, order []int)
}

// Open reads the file at path, checks every row and returns the log with its description.
func Open(path string, o ReadOptions) (*Log, error) {
	l := &Log{Path: path}
	o.Unrecorded = o.Unrecorded || o.Propensity == EstimatedPropensity
	for i, arm := range o.Arms {
		if slices.Contains(o.Arms[:i], arm) {
			return nil, &InputError{fmt.Sprintf("--arms: %q is named twice", arm)}
		}
	}
	f, err := recognize(path, o)
	if err != nil {
		return nil, l.wrap(err)
	}
	l.Format, l.format = f.name(), f
	d := newDescriber(o.Duplicates)
	if err := l.pass(func(r *Row) bool { d.add(r); return true }); err != nil {
		return nil, err
	}
	if d.d.Rows == 0 {
		return nil, l.wrap(errors.New("no rows"))
	}
	var order []int
	l.Spec, l.Columns, order = f.spec()
	t, isTable := f.(*table)
	if isTable {
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
	if isTable && t.propensity < 0 && t.probabilities != nil { // propensities that the first pass could not read
		if err := l.describeAgain(context.Background()); err != nil {
			return nil, err
		}
	}
	l.Unrecorded = math.IsNaN(float64(l.Description.Least))
	return l, nil
}

// New returns a log of rows in memory. It keeps the slice, sets Number in each row, and checks Arm, Propensity (which
// must be recorded), Reward, Available and the lengths of Context and Arms, but not Probabilities, Means and Rewards.
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
		case slices.ContainsFunc(r.Arms, func(features []float32) bool { return len(features) != spec.ArmDim }):
			err = fmt.Errorf("row %d: not all arms have %d features", r.Number, spec.ArmDim)
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
	return lists.Each(bandit.NumberColumns(n), func(c bandit.Column) string { return c.Name })
}

// Rows yields the rows in order; each is valid until the next one.
func (l *Log) Rows() iter.Seq2[*Row, error] {
	return func(yield func(*Row, error) bool) {
		err := l.pass(func(r *Row) bool {
			if l.propensity != nil {
				r.Propensity = l.propensity[r.Number-1]
			}
			return yield(r, nil)
		})
		if err != nil {
			yield(nil, err)
		}
	}
}

// pass calls f with a copy of every row until f returns false.
func (l *Log) pass(f func(*Row) (more bool)) error {
	for _, r := range l.rows {
		if !f(&r) {
			break
		}
	}
	if l.rows != nil {
		return nil
	}
	err := read(l.Path, func(in *bufio.Reader) error {
		if err := l.format.begin(in); err != nil {
			return err
		}
		r := Row{Number: 1}
		all := l.Description.Rows // 0 in the first pass; later ones leave out rows that were appended to the file after it
		for all == 0 || r.Number <= all {
			switch err := l.format.next(&r); {
			case err == io.EOF && all > 0:
				return fmt.Errorf("%d rows, but %d when the file was read before: was the file changed?", r.Number-1, all)
			case err != nil:
				return err
			}
			if l.standardized {
				eachNumber(l.Spec.Columns, r.Context, func(i int, v *float32) { *v = l.Spec.Columns[i].Standardize(float64(*v)) })
			}
			if !f(&r) {
				break
			}
			r.Number++
		}
		return nil
	})
	if err == nil || err == io.EOF {
		return nil
	}
	return l.wrap(err)
}

// Standardize shifts and scales the numeric columns of the context to mean 0 and standard deviation 1 over the log, and
// sets their Mean and SD in Spec.Columns. It does nothing for a log in memory, or if Spec.Columns is nil or has an SD.
func (l *Log) Standardize() error {
	columns := l.Spec.Columns
	if columns == nil || l.rows != nil || slices.ContainsFunc(columns, func(c bandit.Column) bool { return c.SD > 0 }) {
		return nil
	}
	seen := make([]moments.Running, len(columns))
	for row, err := range l.Rows() {
		if err != nil {
			return err
		}
		eachNumber(columns, row.Context, func(i int, v *float32) { seen[i].Add(float64(*v)) })
	}
	for i, m := range seen {
		if sd := math.Sqrt(m.Squares / (m.N - 1)); sd > 0 {
			columns[i].Mean, columns[i].SD = m.Mean, sd
		}
	}
	l.standardized = true
	return nil
}

// eachNumber calls f with the index of each numeric column not missing in context, and a pointer to the value.
func eachNumber(columns []bandit.Column, context []float32, f func(column int, element *float32)) {
	at := 0
	for i := range columns {
		if c := &columns[i]; c.Values == nil && !(c.Missing && context[at+1] == 1) {
			f(i, &context[at])
		}
		at += columns[i].Width()
	}
}

func (l *Log) wrap(err error) error { return fmt.Errorf("log %s: %w", l.Path, err) }

// Name returns the file's name without its folder.
func (l *Log) Name() string { return filepath.Base(l.Path) }

// An InputError is an error in a row of the log or in an option. The text names the option by its flag.
type InputError struct{ text string }

func (e *InputError) Error() string { return e.text }

func rowError(row int, column, value, want string) error {
	return &InputError{fmt.Sprintf("row %d, column %s: %q: want %s", row, column, value, want)}
}
