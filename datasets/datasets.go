// Package datasets defines how an environment is declared: its options, its data and how its
// rows are described. Each folder below holds one environment.
package datasets

import (
	"context"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/results"
)

// A Kind declares an environment with options of type O, which must survive encoding/json.
type Kind[O any] struct {
	Name, Doc string
	Defaults  func() O
	// Open validates the options and loads the data. It is called once an experiment. The
	// string data is the value of --data, empty where none is given. If the data cannot be
	// had the error is a *DataError.
	Open func(ctx context.Context, o O, data string) (*World, error)
	// Rows, if not nil, describes the rows of the data that recorded trials ran on. It
	// downloads nothing.
	Rows func(ctx context.Context, e results.Environment) (*Rows, error)
}

// A World is an environment with its data loaded. Each trial gets an instance of its own.
type World struct {
	Data    results.Data
	Warning string // what the user should know of the data, such as that they are a stand-in
	// New returns an environment that draws from r.
	New func(r *stream.Stream) (bandit.Environment, error)
}

// Rows describes the rows of a data set.
type Rows struct {
	Columns []string
	Values  [][]string // by row and column
	// Wrong reports whether pulling the arm in a context of the row is a mistake.
	Wrong func(row, arm int) bool
}

// A DataError is returned by Open if the data cannot be had: the experiment may be right
// all the same.
type DataError struct{ Err error }

func (e *DataError) Error() string { return e.Err.Error() }
func (e *DataError) Unwrap() error { return e.Err }
