// Package tables renders the results of packages simulation and deep, which repeat the experiments of the ICSGLD paper
// (Deng et al., ICLR 2022), as tables and figures.
package tables

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"banditsim/internal/lists"
	"banditsim/internal/report"
	"banditsim/internal/wholefile"
	"banditsim/results/plot"
	"banditsim/results/stats"
)

// A measure computes a number from a record of type R, such as the result of one method on one seed. Without a header
// it has no column in text tables.
type measure[R any] struct {
	name, header string
	get          func(r R) float64
}

// A summary is a method with its records, one per seed, and an estimate of each measure over the records.
type summary[R any] struct {
	name      string
	records   []R
	estimates []stats.Estimate
}

// methodsOf groups records by method, in order of first appearance, and estimates the measures.
func methodsOf[R any](records []R, method func(R) string, measures []measure[R]) []summary[R] {
	var list []summary[R]
	for i := range records {
		name := method(records[i])
		k := slices.IndexFunc(list, func(m summary[R]) bool { return m.name == name })
		if k < 0 {
			k, list = len(list), append(list, summary[R]{name: name})
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

// measureColumns returns one group of columns per measure, for tables with one row per method.
func measureColumns[R any](measures []measure[R]) (list report.Columns[summary[R]]) {
	for i, m := range measures {
		c := report.Column[summary[R]]{Name: m.name, Header: m.header}
		list = append(list, report.Estimate(c, m.name+"_", func(r summary[R]) stats.Estimate { return r.estimates[i] })...)
	}
	return list
}

// exactColumn returns a column that text tables omit.
func exactColumn[R any](name string, get func(R) any) report.Column[R] {
	return report.Column[R]{Name: name, Exact: get}
}

// rowColumns returns one column per measure, for data with one row per record.
func rowColumns[R any](measures []measure[R]) report.Columns[R] {
	return lists.Each(measures, func(m measure[R]) report.Column[R] {
		return exactColumn(m.name, func(r R) any { return m.get(r) })
	})
}

// A Report has the printed result of an experiment and the content of its output folder.
type Report struct {
	report.Result
	name    string                 // base name of the files
	numbers any                    // content of the JSON file
	rows    report.Table           // content of the CSV file
	figures map[string]plot.Figure // by the suffix of the file's base name
}

// Write writes the figures and the JSON and CSV files to dir, and returns the paths of all files.
func (r Report) Write(dir string) (paths []string, err error) {
	path := filepath.Join(dir, r.name)
	for _, name := range slices.Sorted(maps.Keys(r.figures)) {
		paths = append(paths, path+name+".svg")
		if err := plot.Write(path+name+".svg", r.figures[name]); err != nil {
			return nil, err
		}
	}
	b, err := json.Marshal(r.numbers)
	if err != nil {
		return nil, fmt.Errorf("tables: encode %s.json: %w", path, err)
	}
	if err := wholefile.Write(path+".json", append(b, '\n')); err != nil {
		return nil, err
	}
	return append(paths, path+".json", path+".csv"), wholefile.WriteFunc(path+".csv", r.rows.CSV)
}
