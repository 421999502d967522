// Package frame returns data sets as gota data frames, and counts their values by class: what 'data describe' prints.
package frame

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"banditsim/datasets"
	"banditsim/internal/words"
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

// Describe writes, for every column but the first, which is the class, its values with the number of their rows and
// their share in each class. Values that do not occur are left out.
func Describe(w io.Writer, columns []datasets.Column) error {
	f, err := New(columns)
	if err != nil {
		return fmt.Errorf("frame: %w", err)
	}
	class := columns[0]
	size := make(map[string]int) // size of each class
	for _, v := range class.Values {
		size[v]++
	}
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(tw, "attribute\tvalue\tname\trows")
	for _, v := range class.Legend {
		fmt.Fprintf(tw, "\tof %s", v.Name)
	}
	fmt.Fprintln(tw)
	for _, c := range columns[1:] {
		count, err := counts(f, c.Name, class.Name)
		if err != nil {
			return fmt.Errorf("frame: %s: %w", c.Name, err)
		}
		name, counted := c.Name, 0
		for _, v := range c.Legend {
			rows, shares := 0, ""
			for _, k := range class.Legend {
				n := count[[2]string{v.Value, k.Value}]
				rows += n
				shares += "\t" + percent(n, size[k.Value])
			}
			counted += rows
			if rows == 0 {
				continue
			}
			fmt.Fprintf(tw, "%s\t%s\t%s\t%d%s\n", name, v.Value, v.Name, rows, shares)
			name = "" // once per attribute
		}
		if counted != len(c.Values) {
			return fmt.Errorf("frame: %s: %d of %d rows have a value or a class without a legend", c.Name, len(c.Values)-counted, len(c.Values))
		}
	}
	return tw.Flush() // with the first error of w
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

// percent writes the share of n in total, '-' if total is 0.
func percent(n, total int) string {
	if total == 0 {
		return "-"
	}
	return words.Percent(100 * float64(n) / float64(total))
}
