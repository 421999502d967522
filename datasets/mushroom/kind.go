package mushroom

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/datasets"
	"banditsim/internal/workdir"
	"banditsim/results"
)

// Options are the options of the environment.
type Options struct {
	// Encoding of the contexts: onehot (117 wide) or ordinal (22 wide).
	Encoding Encoding `json:"encoding" enum:"onehot,ordinal"`
}

// Kind declares the environment for catalogs.
func Kind() datasets.Kind[Options] {
	return datasets.Kind[Options]{
		Name: "mushroom", Doc: "UCI Mushroom: eat or leave; +5, or for a poisonous one −35 or +5",
		Defaults: func() Options { return Options{Encoding: OneHot} },
		Open:     openWorld,
		Rows:     describeRows,
	}
}

// EnvVar is the environment variable that names the file of trials on a file of one's own, so that its rows can be
// described.
const EnvVar = "BANDITSIM_DATA"

func openWorld(ctx context.Context, o Options, data string) (*datasets.World, error) {
	table, err := Open(ctx, data)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) && ctx.Err() == nil {
			err = fmt.Errorf("%w; any other table is for --environment table", err)
		}
		return nil, &datasets.DataError{Err: err}
	}
	contexts, err := table.Encode(o.Encoding)
	if err != nil {
		return nil, err
	}
	name, warning := "uci", ""
	if !table.IsUCI() {
		name, warning = "other", fmt.Sprintf("%s is not the UCI file: SHA-256 %s, want %s", data, table.SHA256, UCISHA256)
	}
	return &datasets.World{
		Data:    results.Data{Name: name, SHA256: table.SHA256},
		Warning: warning,
		New: func(r *stream.Stream) (bandit.Environment, error) {
			return NewEnvironment(contexts, r), nil
		},
		Describe: func(w io.Writer) error { return Describe(w, table) },
		Columns:  table.columns,
	}, nil
}

// describeRows describes the rows of the file that the trials ran on: UCI's, or the one that $BANDITSIM_DATA names.
func describeRows(ctx context.Context, e results.Environment) (*datasets.Rows, error) {
	path := ""
	if e.Data.SHA256 != UCISHA256 {
		path = workdir.Getenv(ctx, EnvVar)
	}
	t, err := Open(ctx, path)
	if err != nil {
		return nil, err
	}
	if t.SHA256 != e.Data.SHA256 {
		return nil, datasets.OtherData(e.Data.SHA256, t.SHA256, EnvVar)
	}
	rows := &datasets.Rows{Wrong: func(row, arm int) bool { return t.Rows[row].Edible() == (arm == Leave) }}
	for _, attribute := range schema {
		rows.Columns = append(rows.Columns, attribute.Name)
	}
	for _, row := range t.Rows {
		values := make([]string, len(rows.Columns))
		for i, attribute := range schema {
			values[i] = attribute.Values[attribute.Index(row.Values[i])].Name
		}
		rows.Values = append(rows.Values, values)
	}
	return rows, nil
}
