package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/tw"

	"banditsim/internal/lists"
	"banditsim/internal/words"
)

// A Table has the same rows in two forms: rounded strings for people (Rows), and exact values for programs (CSV,
// MarshalJSON, Values). For people, the first column is aligned to the left and the others to the right.
type Table struct {
	Caption []string // lines above the table
	// Key, if not nil, has lines that the format Text shows below the table. It then shows only the first line of Caption.
	Key     []string
	Columns Columns[int]
	Rows    [][]string
	Notes   []string // lines below the table

	Bars   Bars  // bars to show on a Screen, if there is room
	Winner []int // indices of rows to show in color on a Screen

	exact Columns[int] // all columns, as functions of the row's index
	rows  int          // number of rows with exact values
}

// Data returns a table of rows with exact values only, for CSV and JSON.
func Data[R any](columns Columns[R], rows []R) Table {
	return Table{exact: lift(columns, func(row int) (R, bool) { return rows[row], true }), rows: len(rows)}
}

// NewTable returns a table of rows with a caption.
func NewTable[R any](columns Columns[R], rows []R, caption ...string) Table {
	t := Data(columns, rows)
	t.Caption, t.Columns = caption, t.exact.shown()
	for i := range rows {
		t.Rows = append(t.Rows, lists.Each(t.Columns, func(c Column[int]) string { return c.Text(i) }))
	}
	return t
}

// Known returns the table without the columns with words.None in each row of Rows. The exact values keep all columns.
func (t Table) Known() Table {
	return t.without(func(k int) bool {
		return len(t.Rows) > 0 && !slices.ContainsFunc(t.Rows, func(row []string) bool { return row[k] != words.None })
	})
}

// without returns the table without each of t.Columns whose index k makes drop(k) true. CSV and JSON keep all columns.
func (t Table) without(drop func(k int) bool) Table {
	k := -1
	t.Columns = slices.DeleteFunc(slices.Clone(t.Columns), func(Column[int]) bool { k++; return drop(k) })
	return t.mapRows(func(_ int, row []string) []string {
		k := -1
		return slices.DeleteFunc(row, func(string) bool { k++; return drop(k) })
	})
}

// mapRows returns the table with each of Rows replaced by the result of f, which may change its argument row.
func (t Table) mapRows(f func(i int, row []string) []string) Table {
	rows := make([][]string, len(t.Rows))
	for i, row := range t.Rows {
		rows[i] = f(i, slices.Clone(row))
	}
	t.Rows = rows
	return t
}

// Values returns the names of the columns of CSV, and for each row their exact values: strings, numbers, bools, seeds,
// lists of strings, or nil if there is no value.
func (t Table) Values() (names []string, rows [][]any) {
	rows = make([][]any, t.rows)
	for _, c := range t.exact {
		if c.Exact == nil {
			continue
		}
		names = append(names, c.Name)
		for i := range rows {
			rows[i] = append(rows[i], c.Exact(i))
		}
	}
	return names, rows
}

// CSV writes the exact values of the rows, with all digits.
func (t Table) CSV(w io.Writer) error {
	out := csv.NewWriter(w)
	names, rows := t.Values()
	out.Write(names) // out.Error below returns the error of any write
	for _, row := range rows {
		out.Write(lists.Each(row, func(v any) string { return words.Cell(Cell(v)) }))
	}
	out.Flush()
	return out.Error()
}

// Cell returns an exact value as a string, with all digits.
func Cell(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case float64:
		return words.Exact(v)
	case words.Float:
		return words.Exact(float64(v))
	case []uint64:
		return strings.Trim(fmt.Sprint(v), "[]")
	case []string:
		b, _ := json.Marshal(v) // cannot fail for strings
		return string(b)
	}
	return fmt.Sprint(v)
}

// MarshalJSON returns the rows as a list of objects, whose keys are the names of columns in their order.
func (t Table) MarshalJSON() ([]byte, error) {
	rows := make([]string, t.rows)
	for i := range rows {
		var fields []string
		for _, c := range t.exact {
			field, err := field(c, i)
			if err != nil {
				return nil, fmt.Errorf("column %s: %w", c.Name, err)
			}
			if field != "" {
				fields = append(fields, field)
			}
		}
		rows[i] = "{" + strings.Join(fields, ",") + "}"
	}
	return []byte("[" + strings.Join(rows, ",") + "]"), nil
}

// field returns the key and the value of a column in a row as JSON; "" if the column is not in JSON. For a column
// without a name, whose value is an object, it returns the fields of the object.
func field(c Column[int], row int) (string, error) {
	value := c.JSON
	if value == nil {
		value = c.Exact
	}
	if c.Flat || value == nil {
		return "", nil
	}
	v := value(row)
	if f, ok := v.(float64); ok {
		v = words.Float(f)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return "", err
	}
	text := strings.TrimSuffix(b.String(), "\n")
	if c.Name == "" {
		return text[1 : len(text)-1], nil // without the braces
	}
	return fmt.Sprintf("%q:%s", c.Name, text), nil
}

// WriteJSON writes v as indented JSON. It escapes unprintable characters, but not <, > and &.
func WriteJSON(w io.Writer, v any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return err
	}
	_, err := w.Write(words.PlainJSON(b.Bytes()))
	return err
}

// Lines returns Rows as lines, after a line with the headers if any is not "". Two spaces separate columns.
func (t Table) Lines() []string {
	headers := lists.Each(t.Columns, func(h Column[int]) string { return h.Header })
	cells := t.Rows
	if strings.Join(headers, "") != "" {
		cells = slices.Insert(slices.Clone(cells), 0, headers)
	}
	lines := make([]string, len(cells))
	for k, h := range t.Columns {
		wide := t.columnWidth(k)
		if !h.Right {
			wide = -wide // aligns to the left
		}
		for i, row := range cells {
			cell := row[k]
			if k < len(t.Columns)-1 {
				cell = fmt.Sprintf("%*s  ", wide, cell)
			}
			lines[i] += cell
		}
	}
	return lines
}

// write writes the text rows with a renderer of tablewriter. escape is applied to headers and cells.
func (t Table) write(w io.Writer, r tw.Renderer, escape func(string) string) error {
	var headers []string
	align := make([]tw.Align, len(t.Columns))
	for i, c := range t.Columns {
		headers, align[i] = append(headers, escape(c.Header)), tw.AlignRight
		if c.left {
			align[i] = tw.AlignLeft
		}
	}
	align[0] = tw.AlignLeft
	// The options keep tablewriter from capitalizing, wrapping or cutting headers and cells.
	out := tablewriter.NewTable(w, tablewriter.WithRenderer(r),
		tablewriter.WithHeaderAutoFormat(tw.Off), tablewriter.WithHeaderAutoWrap(tw.WrapNone), tablewriter.WithRowAutoWrap(tw.WrapNone),
		tablewriter.WithHeaderAlignmentConfig(tw.CellAlignment{PerColumn: align}), tablewriter.WithRowAlignmentConfig(tw.CellAlignment{PerColumn: align}))
	out.Header(headers)
	for _, row := range t.Rows {
		if err := out.Append(lists.Each(row, escape)); err != nil {
			return err
		}
	}
	return out.Render()
}
