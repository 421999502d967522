package frame

import (
	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"banditsim/internal/report"
	"banditsim/internal/words"
	"banditsim/results/compare"
)

// Comparison returns one row per policy other than the baseline, with the columns of 'compare -o csv'. Columns of
// booleans are Bool, of numbers Float, and all others String. A column without values is Float, with NaN in all rows.
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

// cell converts a value of a table to one for gota, and returns the type of its column. For nil, that is the argument kind.
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
