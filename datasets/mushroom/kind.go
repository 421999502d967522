package mushroom

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/datasets"
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
		Fetch:    fetch,
		Verify:   verify,
	}
}

// openOptions returns the default options with what downloads.
func openOptions(ctx context.Context) OpenOptions {
	o := DefaultOpenOptions()
	o.Get = datasets.GetterOf(ctx)
	return o
}

func fetch(ctx context.Context, data string) (string, error) {
	if data != "" && data != SpecAuto && data != SpecUCI {
		return "", fmt.Errorf("--data %s: only uci can be fetched", data)
	}
	t, err := Fetch(ctx, openOptions(ctx))
	if err != nil {
		return "", &datasets.DataError{Err: err}
	}
	return fmt.Sprintf("%s: %s", t.Path, t), nil
}

func verify(ctx context.Context, data string) (string, error) {
	if data == "" {
		data = SpecAuto
	}
	t, err := Verify(ctx, data, openOptions(ctx))
	if err != nil {
		return "", &datasets.DataError{Err: err}
	}
	return fmt.Sprintf("%s, SHA-256 %s", t, t.SHA256), nil
}

func openWorld(ctx context.Context, o Options, data string) (*datasets.World, error) {
	if data == "" {
		data = SpecAuto
	}
	table, err := Open(ctx, data, openOptions(ctx))
	if err != nil {
		if named := data != SpecAuto && data != SpecUCI && data != SpecReplica; named && !errors.Is(err, fs.ErrNotExist) && ctx.Err() == nil {
			err = fmt.Errorf("%w; any other table is for --environment table", err)
		}
		return nil, &datasets.DataError{Err: err}
	}
	contexts, err := table.Encode(o.Encoding)
	if err != nil {
		return nil, err
	}
	name := string(table.Source)
	if table.Source == SourceFile {
		name = "other"
	}
	return &datasets.World{
		Data:    results.Data{Name: name, SHA256: table.SHA256, Replica: table.Replica()},
		Warning: table.Warning,
		New: func(r *stream.Stream) (bandit.Environment, error) {
			return NewEnvironment(contexts, r), nil
		},
		Describe: func(w io.Writer) error { return Describe(w, table) },
		Columns:  table.columns,
	}, nil
}

// describeRows describes the rows of the replica or of the file at hand, which must be the one
// that the trials ran on.
func describeRows(ctx context.Context, e results.Environment) (*datasets.Rows, error) {
	open, spec := Verify, SpecAuto
	if e.Data.Replica {
		spec = SpecReplica
	} else if path := os.Getenv(EnvVar); path != "" {
		open, spec = Open, path
	}
	t, err := open(ctx, spec, DefaultOpenOptions())
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
