package cli

import (
	"context"
	"fmt"

	"banditsim/results"
	"banditsim/results/page"
)

// writePage writes the page of a set to path, unless path is "".
func (a *app) writePage(ctx context.Context, path string, set *results.Set) error {
	if path == "" {
		return nil
	}
	rows, err := a.catalog.Rows(ctx, set.Conditions.Environment)
	if err != nil {
		a.warn("the page numbers the rows of the data but does not describe them: %v", err)
	}
	if err := page.Write(path, set, page.Options{Rows: (*page.Rows)(rows)}); err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.stderr, "page         %s\n", path)
	return err
}
