package export

import (
	"banditsim/internal/words"
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// csvRows writes rows as CSV (RFC 4180), after a header with the names of the columns.
type csvRows struct {
	out    *csv.Writer
	record []string
}

func newCSVRows(w io.Writer, columns []Column) (*csvRows, error) {
	c := &csvRows{out: csv.NewWriter(w), record: make([]string, len(columns))}
	for i, column := range columns {
		c.record[i] = column.Name
	}
	return c, c.out.Write(c.record)
}

func (c *csvRows) Write(row []any) error {
	for i, v := range row {
		switch v := v.(type) {
		case nil:
			c.record[i] = ""
		case float64:
			c.record[i] = csvFloat(v)
		case string:
			c.record[i] = words.Cell(v)
		default:
			c.record[i] = fmt.Sprint(v)
		}
	}
	return c.out.Write(c.record)
}

func (c *csvRows) Close() error {
	c.out.Flush()
	return c.out.Error()
}

// csvFloat returns the shortest decimal that reads back as v, with a point or an exponent, so that
// readers that guess types from the first rows do not take the column for integers; or NaN, +Inf
// or -Inf.
func csvFloat(v float64) string {
	s := strconv.FormatFloat(v, 'g', -1, 64)
	if strings.Trim(s, "-0123456789") == "" {
		s += ".0"
	}
	return s
}
