// Package mushroom is the UCI Mushroom data set as a contextual bandit: eating or leaving a mushroom. The file has
// 8,124 rows: the class (e edible, 4,208 rows; p poisonous, 3,916 rows), then 22 categorical attributes, one letter
// each. A missing value ('?', in stalk-root only) counts as a value of its own.
//
// Source: Mushroom, UCI Machine Learning Repository, data set 73, 1981, https://doi.org/10.24432/C5959T, license CC BY
// 4.0. The rows describe hypothetical samples of 23 species after The Audubon Society Field Guide to North American
// Mushrooms (G. H. Lincoff, 1981). They do not say which mushrooms can be eaten.
package mushroom

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"text/tabwriter"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/datasets"
	"banditsim/internal/check"
	"banditsim/internal/words"
	"banditsim/internal/workdir"
	"banditsim/results"
)

// Options are the options of the environment.
type Options struct {
	// Encoding of the contexts: onehot (117 wide) or ordinal (22 wide).
	Encoding string `json:"encoding" enum:"onehot,ordinal"`
}

// Kind declares the environment for catalogs.
func Kind() datasets.Kind[Options] {
	return datasets.Kind[Options]{
		Name: "mushroom", Doc: "UCI Mushroom: eat or leave; +5, or for a poisonous one −35 or +5",
		Defaults: func() Options { return Options{Encoding: "onehot"} },
		Open:     openWorld,
		Rows:     describeRows,
	}
}

// envVar is the environment variable with the data's path for describeRows, if the trials did not run on the UCI file.
const envVar = "BANDITSIM_DATA"

func openWorld(ctx context.Context, o Options, data string) (*datasets.World, error) {
	if err := check.OneOf("encoding", o.Encoding, "onehot", "ordinal"); err != nil {
		return nil, err
	}
	t, err := open(ctx, data)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) && ctx.Err() == nil {
			err = fmt.Errorf("%w; any other table is for --environment table", err)
		}
		return nil, &datasets.DataError{Err: err}
	}
	name, warning := "uci", ""
	if !t.isUCI() {
		name, warning = "other", fmt.Sprintf("%s is not the UCI file: SHA-256 %s, want %s", data, t.sha256, uciSHA256)
	}
	e := newEnvironment(t, o.Encoding)
	return &datasets.World{
		Data:    results.Data{Name: name, SHA256: t.sha256},
		Warning: warning,
		New: func(r *stream.Stream) (bandit.Environment, error) {
			e := e
			e.stream = r
			return &e, nil
		},
		Describe: t.describe,
		Values:   t.values,
	}, nil
}

func (t *table) describe(w io.Writer) error {
	source := fmt.Sprintf("own file, not UCI's (SHA-256 %.12s)", t.sha256)
	if t.isUCI() {
		source = "UCI Mushroom"
	}
	share := 100 * float64(t.edible) / float64(len(t.rows))
	spec := newEnvironment(t, "onehot").spec
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(tw, "data\t%s, %s\n", source, words.Count(len(t.rows), "row"))
	fmt.Fprintf(tw, "SHA-256\t%s\n", t.sha256)
	fmt.Fprintf(tw, "edible\t%d (%s)\n", t.edible, words.Percent(share))
	fmt.Fprintf(tw, "poisonous\t%d (%s)\n", len(t.rows)-t.edible, words.Percent(100-share))
	fmt.Fprintf(tw, "one-hot\t%d wide\n", spec.Dim)
	fmt.Fprintf(tw, "uniform\tregret %.6g a pull\n", spec.UniformRegret)
	fmt.Fprintf(tw, "best constant arm\t%s\n", spec.ConstantArm)
	if t.isUCI() {
		fmt.Fprintln(tw, "source\tMushroom, UCI Machine Learning Repository, data set 73, doi:10.24432/C5959T, CC BY 4.0")
	}
	return tw.Flush()
}

// values returns the values that occur in each attribute, with their shares by class.
func (t *table) values() (classes []string, values []datasets.Value) {
	rows := [2]float64{float64(t.edible), float64(len(t.rows) - t.edible)}
	var count [numFields][256][2]float64 // by attribute, letter and class
	for _, r := range t.rows {
		class := 0
		if !r.edible() {
			class = 1
		}
		for a, letter := range r {
			count[a][letter][class]++
		}
	}
	for a := 1; a < numFields; a++ {
		column := schema[a].name
		for i, letter := range []byte(schema[a].letters) {
			if of := count[a][letter]; of[0]+of[1] > 0 {
				values = append(values, datasets.Value{Column: column, Value: string(letter), Name: schema[a].names[i], Rows: int(of[0] + of[1]),
					Shares: []float64{of[0] / rows[0], of[1] / rows[1]}})
				column = ""
			}
		}
	}
	return []string{"edible", "poisonous"}, values
}

// describeRows describes the rows of the file that the trials ran on: UCI's, or the one that $BANDITSIM_DATA names.
func describeRows(ctx context.Context, e results.Environment) (*datasets.Rows, error) {
	path := ""
	if e.Data.SHA256 != uciSHA256 {
		path = workdir.Getenv(ctx, envVar)
	}
	t, err := open(ctx, path)
	if err != nil {
		return nil, err
	}
	if t.sha256 != e.Data.SHA256 {
		return nil, datasets.OtherData(e.Data.SHA256, t.sha256, envVar)
	}
	rows := &datasets.Rows{Wrong: func(row, arm int) bool { return t.rows[row].edible() == (arm == leave) }}
	for _, a := range schema[1:] {
		rows.Columns = append(rows.Columns, a.name)
	}
	for _, row := range t.rows {
		var values []string
		for a, letter := range row[1:] {
			values = append(values, schema[a+1].names[schema[a+1].find(letter)])
		}
		rows.Values = append(rows.Values, values)
	}
	return rows, nil
}
