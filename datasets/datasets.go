// Package datasets defines how an environment is declared: its options, its data and how its
// rows are described. Each folder below holds one environment.
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

// A Kind declares an environment with options of type O, which encoding/json must encode and
// decode.
type Kind[O any] struct {
	Name, Doc string
	Defaults  func() O
	// Open validates the options and loads the data, once per experiment. The string data is the
	// value of --data, "" by default. If the data cannot be had the error is a *DataError.
	Open func(ctx context.Context, o O, data string) (*World, error)
	// Takes, if not nil, reports whether a value of --data is plainly for this environment, such as by the end of a
	// file's name, so that the environment need not be named.
	Takes func(data string) bool
	// Rows, if not nil, describes the rows of the data of recorded trials.
	Rows func(ctx context.Context, e results.Environment) (*Rows, error)
}

// A World is an environment with its data loaded.
type World struct {
	Data    results.Data
	Warning string // about the data, such as that they are not the published file; or ""
	// Options, if not nil, are the options as the data complete them. They take the place of those given in the identity of
	// trials.
	Options json.RawMessage
	// Rows is the number of rows of data that end: a trial meets each Passes times at most, in one random order after another.
	// 0: the data do not end.
	Rows, Passes int
	// Repeat, if not nil, returns the world with another number of passes. It is nil if the options give the number.
	Repeat func(passes int) (*World, error)
	Detail string // what a plan shows of the data beside the options, as lines of text; or ""
	// New returns an environment that draws from r. Each trial calls it once.
	New func(r *stream.Stream) (bandit.Environment, error)
	// Describe, if not nil, writes what the data hold as plain text.
	Describe func(w io.Writer) error
	// Values, if not nil, counts the values of the data's columns by class.
	Values func() (classes []string, values []Value)
}

// A Value is a value of a column of letters, words or codes.
type Value struct {
	Column      string // name of the column; "" if it is that of the value before
	Value, Name string // as the data have it, and what it stands for
	Rows        int
	Shares      []float64 // of the rows of each class; NaN of a class without rows
}

// Rows describes the rows of a data set.
type Rows struct {
	Columns []string
	Values  [][]string // by row and column
	// Wrong reports whether pulling the arm in a context of the row is a mistake.
	Wrong func(row, arm int) bool
}

// A DataError reports that the data cannot be had. The experiment itself may be correct.
type DataError struct{ Err error }

func (e *DataError) Error() string { return e.Err.Error() }
func (e *DataError) Unwrap() error { return e.Err }

// OtherData returns the error of data at hand, with the SHA-256 have, that are not those of the trials, want; the variable names
// the file.
func OtherData(want, have, variable string) error {
	return fmt.Errorf("the trials ran on data with SHA-256 %.12s…, those at hand have %.12s…: set %s=FILE", want, have, variable)
}
