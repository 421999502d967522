package cli

import (
	"context"
	"fmt"
	"os"

	"banditsim/datasets/mushroom"
	"banditsim/results"
	"banditsim/results/page"
)

// writePage writes the page of a set that --html asks for. It does nothing without.
func (a *app) writePage(ctx context.Context, path string, set *results.Set) error {
	if path == "" {
		return nil
	}
	rows, err := rows(ctx, set.Setting.Environment)
	if err != nil {
		a.warn("the page numbers the data's rows but does not describe them: %v", err)
	}
	if err := page.Write(path, set, page.Options{Rows: rows}); err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.stderr, "page         %s\n", path)
	return err
}

// rows describes the rows of the data that trials ran on. It is nil for environments that are
// not known to have any. Nothing is downloaded.
func rows(ctx context.Context, e results.Environment) (*page.Rows, error) {
	if e.Name != "mushroom" {
		return nil, nil
	}
	spec := mushroom.SpecAuto
	if e.Data.Replica {
		spec = mushroom.SpecReplica
	}
	var t *mushroom.Table
	var err error
	if path := os.Getenv(mushroom.EnvVar); path != "" && spec == mushroom.SpecAuto {
		t, err = mushroom.Open(ctx, path, mushroom.DefaultOptions())
	} else {
		t, err = mushroom.Verify(ctx, spec, mushroom.DefaultOptions())
	}
	if err != nil {
		return nil, err
	}
	if t.SHA256 != e.Data.SHA256 {
		return nil, fmt.Errorf("the trials ran on data with SHA-256 %.12s…, those at hand have %.12s…", e.Data.SHA256, t.SHA256)
	}
	return describeMushrooms(t), nil
}

func describeMushrooms(t *mushroom.Table) *page.Rows {
	rows := &page.Rows{Wrong: func(row, arm int) bool { return t.Rows[row].Edible() == (arm == mushroom.Leave) }}
	for _, attribute := range mushroom.Schema() {
		rows.Columns = append(rows.Columns, attribute.Name)
	}
	for _, row := range t.Rows {
		values := make([]string, len(rows.Columns))
		for i, attribute := range mushroom.Schema() {
			values[i] = attribute.Values[attribute.Index(row.Values[i])].Name
		}
		rows.Values = append(rows.Values, values)
	}
	return rows
}
