// Package frame returns data sets as gota data frames, and counts their values by class, for 'data describe'.
package frame

import (
	"fmt"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"banditsim/datasets"
)

// New returns the columns as a frame of strings.
func New(columns []datasets.Column) (dataframe.DataFrame, error) {
	all := make([]series.Series, len(columns))
	for k, c := range columns {
		all[k] = series.New(c.Values, series.String, c.Name)
	}
	f := dataframe.New(all...)
	return f, f.Err
}

// A Value is a value of a column, with the number of its rows and its share in each class.
type Value struct {
	Column      string // name of the column
	Value, Name string // as the data have it, and what it stands for
	First       bool   // whether it is the first value of its column
	Rows        int
	Shares      []float64 // of the rows of each class, in the order of its legend; NaN of a class without rows
}

// Values returns the values of every column but the first, which is the class, in the order of their legends. Values that do not
// occur are left out.
func Values(columns []datasets.Column) ([]Value, error) {
	f, err := New(columns)
	if err != nil {
		return nil, fmt.Errorf("frame: %w", err)
	}
	class := columns[0]
	size := make(map[string]int) // size of each class
	for _, v := range class.Values {
		size[v]++
	}
	var values []Value
	for _, c := range columns[1:] {
		count, err := counts(f, c.Name, class.Name)
		if err != nil {
			return nil, fmt.Errorf("frame: %s: %w", c.Name, err)
		}
		first, counted := true, 0
		for _, l := range c.Legend {
			v := Value{Column: c.Name, Value: l.Value, Name: l.Name, First: first}
			for _, k := range class.Legend {
				n := count[[2]string{l.Value, k.Value}]
				v.Rows += n
				v.Shares = append(v.Shares, float64(n)/float64(size[k.Value]))
			}
			if counted += v.Rows; v.Rows > 0 {
				values, first = append(values, v), false
			}
		}
		if counted != len(c.Values) {
			return nil, fmt.Errorf("frame: %s: %d of %d rows have a value or a class without a legend", c.Name, len(c.Values)-counted, len(c.Values))
		}
	}
	return values, nil
}

// counts returns the number of rows with each value of a column, by value and class.
func counts(f dataframe.DataFrame, column, class string) (map[[2]string]int, error) {
	groups := f.Select([]string{column, class}).GroupBy(column, class).
		Aggregation([]dataframe.AggregationType{dataframe.Aggregation_COUNT}, []string{class})
	if groups.Err != nil {
		return nil, groups.Err
	}
	count := make(map[[2]string]int)
	values, classes, sizes := groups.Col(column).Records(), groups.Col(class).Records(), groups.Col(class+"_COUNT").Float()
	for i := range values {
		count[[2]string{values[i], classes[i]}] = int(sizes[i])
	}
	return count, nil
}
