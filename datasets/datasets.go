// Package datasets defines how an environment declares options, data and rows. The packages below are the environments.
package datasets

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/results"
)

// A Kind declares an environment with options of type O, which encoding/json encodes and decodes.
type Kind[O any] struct {
	Name, Doc string
	Defaults  func() O
	// Open validates the options and loads the data, once per experiment. The string data is the value of --data, ""
	// by default. If the data cannot be read, the error is a *DataError.
	Open func(ctx context.Context, o O, data string) (*World, error)
	// Takes, if not nil, reports whether a value of --data clearly belongs to this environment, for example by the
	// ending of a file's name. For such a value the user need not name the environment.
	Takes func(data string) bool
	// Rows, if not nil, describes the rows of the data on which the recorded trials of e ran.
	Rows func(ctx context.Context, e results.Environment) (*Rows, error)
}

// A World is an environment with its data loaded.
type World struct {
	Data    results.Data
	Warning string // about the data, such as that they are not the published file; or ""
	// Options, if not nil, identify trials in place of those that Open got. They also have values that Open found in data.
	Options json.RawMessage
	// Rows is the number of rows if the data run out: a trial draws each row at most Passes times, with a new random
	// order in each pass. It is 0 if the data never run out.
	Rows, Passes int
	// Repeat returns the world with another number of passes. It is nil if the options give the number, or if Rows is 0.
	Repeat func(passes int) (*World, error)
	Target string // where in the data the arms come from, such as "the values of column class"; or ""
	Detail string // lines of text about the data that --dry-run shows after the options; or ""
	// New returns an environment that draws from r. Each trial calls it once, and trials run in parallel.
	New func(r *stream.Stream) (bandit.Environment, error)
	// Describe, if not nil, writes a description of the data as plain text.
	Describe func(w io.Writer) error
	// Values, if not nil, returns the values of the data's columns, with their shares by class.
	Values func() (classes []string, values []Value)
}

// A Value is one value of a categorical column.
type Value struct {
	Column      string // name of the column; "" if it is the same as in the Value before
	Value, Name string // value in the data, and what it stands for
	Rows        int
	Shares      []float64 // share of each class's rows that have the value; NaN for a class without rows
}

// Rows describes the rows of a data set.
type Rows struct {
	Columns []string
	Values  [][]string // by row and column
	// Wrong reports whether pulling the arm in a context of the row is a mistake.
	Wrong func(row, arm int) bool
}

// A DataError reports that the data cannot be read. The experiment itself may be correct.
type DataError struct{ Err error }

func (e *DataError) Error() string { return e.Err.Error() }
func (e *DataError) Unwrap() error { return e.Err }

// OtherData returns the error for data at hand that have the SHA-256 have, while those of the trials have the SHA-256
// want. The argument variable is the name of the environment variable with the path of the data.
func OtherData(want, have, variable string) error {
	return fmt.Errorf("the trials ran on data with SHA-256 %.12s…, those at hand have %.12s…: set %s=FILE", want, have, variable)
}
