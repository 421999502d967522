package frame

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strconv"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"banditsim/results/compare"
	"banditsim/results/report"
)

// Comparison returns one row per policy other than the baseline, with the columns of 'compare -o csv': truth values
// are Bool, numbers Float, all others String. A column without a value is of NaN.
func Comparison(c *compare.Comparison) (dataframe.DataFrame, error) {
	var b bytes.Buffer
	if err := report.Comparison(&b, report.CSV, c); err != nil {
		return dataframe.DataFrame{}, fmt.Errorf("frame: %w", err)
	}
	records, err := csv.NewReader(&b).ReadAll()
	if err != nil {
		return dataframe.DataFrame{}, fmt.Errorf("frame: %w", err)
	}
	var columns []series.Series
	for k, name := range records[0] {
		cells := make([]string, 0, len(records)-1)
		for _, record := range records[1:] {
			cells = append(cells, record[k])
		}
		columns = append(columns, series.New(cells, typeOf(cells), name))
	}
	f := dataframe.New(columns...)
	return f, f.Err
}

// typeOf returns the type of a column of a CSV. An empty cell is a value of strings alone.
func typeOf(cells []string) series.Type {
	numbers, truths := true, false
	for _, cell := range cells {
		switch _, err := strconv.ParseFloat(cell, 64); {
		case cell == "true" || cell == "false":
			truths = true
			numbers = false
		case cell != "" && err != nil:
			return series.String
		}
	}
	switch {
	case truths:
		return series.Bool
	case numbers:
		return series.Float
	}
	return series.String
}
