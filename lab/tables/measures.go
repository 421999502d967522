// Package tables renders the results of packages simulation and deep as tables and figures.
package tables

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"

	"banditsim/internal/lists"
	"banditsim/internal/report"
	"banditsim/internal/wholefile"
	"banditsim/results/plot"
	"banditsim/results/stats"
)

// A measure is a number that is computed from a record of type R, the result of one method on one seed. A measure without a header
// is left out of text tables.
type measure[R any] struct {
	name, header string
	get          func(r R) float64
}

// A measured is a method with its records, one for each seed, and an estimate of each measure over them.
type measured[R any] struct {
	name      string
	records   []R
	estimates []stats.Estimate
}

// methodsOf groups records by method, in the order in which methods first appear.
func methodsOf[R any](records []R, method func(R) string, measures []measure[R]) []measured[R] {
	var list []measured[R]
	for i := range records {
		name := method(records[i])
		k := slices.IndexFunc(list, func(m measured[R]) bool { return m.name == name })
		if k < 0 {
			k, list = len(list), append(list, measured[R]{name: name})
		}
		list[k].records = append(list[k].records, records[i])
	}
	for k := range list {
		for _, m := range measures {
			list[k].estimates = append(list[k].estimates, stats.NewEstimate(lists.Each(list[k].records, m.get)))
		}
	}
	return list
}

// measureColumns returns columns of methods with the estimates of the measures.
func measureColumns[R any](measures []measure[R]) (list report.Columns[measured[R]]) {
	for i, m := range measures {
		c := report.Column[measured[R]]{Name: m.name, Header: m.header}
		list = append(list, report.Estimate(c, m.name+"_", func(r measured[R]) stats.Estimate { return r.estimates[i] })...)
	}
	return list
}

// exactColumn returns a column that is left out of text tables.
func exactColumn[R any](name string, get func(R) any) report.Column[R] {
	return report.Column[R]{Name: name, Exact: get}
}

// rowColumns returns columns of records with the values of the measures.
func rowColumns[R any](measures []measure[R]) report.Columns[R] {
	return lists.Each(measures, func(m measure[R]) report.Column[R] {
		return exactColumn(m.name, func(r R) any { return m.get(r) })
	})
}

// write writes to dir figures, v as JSON to name.json, and rows as CSV to name.csv. It returns the paths.
func write(dir, name string, v any, rows report.Table, figures ...namedFigure) (paths []string, err error) {
	for _, f := range figures {
		path := filepath.Join(dir, f.name)
		if err := plot.Write(path, f.figure); err != nil {
			return nil, err
		}
		paths = append(paths, path)
	}
	path := filepath.Join(dir, name)
	b, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("samplers: encode %s.json: %w", path, err)
	}
	if err := wholefile.Write(path+".json", append(b, '\n')); err != nil {
		return nil, err
	}
	return append(paths, path+".json", path+".csv"), wholefile.WriteFunc(path+".csv", rows.CSV)
}

// A namedFigure is a figure and the name of its file.
type namedFigure struct {
	name   string
	figure plot.Figure
}
