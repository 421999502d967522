package export

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"
)

// csvRows writes rows as CSV (RFC 4180), after a header with the names of the columns.
type csvRows struct {
	out     *csv.Writer
	columns []column
	record  []string
}

func newCSVRows(w io.Writer, columns []column) (*csvRows, error) {
	c := &csvRows{out: csv.NewWriter(w), columns: columns, record: make([]string, len(columns))}
	for i, column := range columns {
		c.record[i] = column.name
	}
	return c, c.out.Write(c.record)
}

func (c *csvRows) write(row []cell) error {
	for i, v := range row {
		c.record[i] = v.csv(c.columns[i].kind)
	}
	return c.out.Write(c.record)
}

func (c *csvRows) close() error {
	c.out.Flush()
	return c.out.Error()
}

func (v cell) csv(kind columnKind) string {
	switch {
	case v.null:
		return ""
	case kind == textColumn:
		return v.text
	case kind == boolColumn:
		return strconv.FormatBool(v.whole != 0)
	case kind == floatColumn:
		return csvFloat(v.float)
	}
	return strconv.FormatUint(v.whole, 10)
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
