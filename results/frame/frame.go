// Package frame returns the results of trials as gota data frames, for Go programs and Go notebooks that filter,
// group and join them. Columns have the names, values and order of exports. Their types (docs/export.md) become:
//
//	column   gota
//	string   String
//	bool     Bool
//	int32    Int
//	uint64   Int; a value above the largest int is an error
//	float64  Float
//
// A null is NaN, gota's missing value, in every type.
//
// A frame is in memory and takes several times the size of its rows. For the rounds of many long trials, export CSV
// instead. Limitations of gota v0.12.0:
//   - GroupBy rounds floats to six digits after the point in its keys: group by strings and integers. Its groups are in
//     random order: sort the result of Aggregation with Arrange.
//   - Printing rounds floats to six digits after the point; Float returns them unrounded.
//   - Methods do not return errors, but frames with Err set: check Err after the last step.
package frame

import (
	"fmt"
	"math"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"banditsim/internal/export"
	"banditsim/internal/report"
	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/compare"
)

// Trials returns one row per trial, with its totals, as export --trials does.
func Trials(sets ...*results.Set) (dataframe.DataFrame, error) {
	return exported(export.NewTable(sets, export.Options{Of: export.Trials}))
}

// Rounds returns one row per trial and round, as export does.
func Rounds(sets ...*results.Set) (dataframe.DataFrame, error) {
	return exported(export.NewTable(sets, export.Options{}))
}

// Pulls returns one row per pull, as export --pulls does. A trial whose pulls were not recorded is an error.
func Pulls(sets ...*results.Set) (dataframe.DataFrame, error) {
	return exported(export.NewTable(sets, export.Options{Of: export.Pulls}))
}

var types = map[string]series.Type{
	"string": series.String, "bool": series.Bool, "int32": series.Int, "uint64": series.Int, "float64": series.Float,
}

// exported returns the rows of t as a frame. t and err are the results of export.NewTable.
func exported(t *export.Table, err error) (dataframe.DataFrame, error) {
	if err != nil {
		return dataframe.DataFrame{}, fmt.Errorf("frame: %w", err)
	}
	values := make([][]any, len(t.Columns))
	err = t.Each(func(row []any) error {
		for k, v := range row {
			converted, err := value(v)
			if err != nil {
				return fmt.Errorf("column %s: %w", t.Columns[k].Name, err)
			}
			values[k] = append(values[k], converted)
		}
		return nil
	})
	if err != nil {
		return dataframe.DataFrame{}, fmt.Errorf("frame: %w", err)
	}
	columns := make([]series.Series, len(t.Columns))
	for k, c := range t.Columns {
		columns[k] = series.New(values[k], types[c.Type], c.Name)
	}
	f := dataframe.New(columns...)
	return f, f.Err
}

// value converts v to a type that gota supports. Gota silently turns values of other types into NaN.
func value(v any) (any, error) {
	switch v := v.(type) {
	case int32:
		return int(v), nil
	case uint64:
		if v > math.MaxInt {
			return nil, fmt.Errorf("%d is above %d, the largest number in a gota frame: export CSV, which has it", v, math.MaxInt)
		}
		return int(v), nil
	}
	return v, nil
}

// Comparison returns one row per policy other than the baseline, with the columns of 'compare -o csv'. Booleans are
// Bool, all numbers are Float, and other values String. A column without any value is Float, with NaN in all rows.
func Comparison(c *compare.Comparison) (dataframe.DataFrame, error) {
	names, rows := report.Comparison(c).Data.Values()
	var columns []series.Series
	for k, name := range names {
		kind := series.Float // type of a column without any value
		cells := make([]any, len(rows))
		for i, row := range rows {
			cells[i], kind = cell(row[k], kind)
		}
		columns = append(columns, series.New(cells, kind, name))
	}
	f := dataframe.New(columns...)
	return f, f.Err
}

// cell converts a value of a table to one for gota and returns its column's type, or kind for nil, which has none.
func cell(v any, kind series.Type) (any, series.Type) {
	switch v := v.(type) {
	case nil:
		return nil, kind
	case bool:
		return v, series.Bool
	case int, float64:
		return v, series.Float
	case words.Float:
		return float64(v), series.Float
	}
	return report.Cell(v), series.String
}
