package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"

	"banditsim/internal/nearest"
	"banditsim/internal/words"
	"banditsim/results/column"
)

// A Format of tables.
type Format string

// Text, Wide and Markdown round numbers, CSV and JSON have all digits.
const (
	Text     Format = "table"
	Wide     Format = "wide" // text with all columns, on a Screen too
	Markdown Format = "md"
	CSV      Format = "csv"
	JSON     Format = "json"
)

var formats = []Format{Text, Markdown, CSV, JSON}

// ParseFormat returns the format with the given name: table, md, csv or json.
func ParseFormat(name string) (Format, error) {
	return nearest.Parse("unknown table format", name, formats)
}

// A Table is rounded, for people. The first column is left-aligned, the others right-aligned.
type Table struct {
	Caption []string // lines above
	// Key are lines below a table of text that stand for the caption, of which the first line stays above; nil if the whole
	// caption stays. Markdown, pages and Wide have the caption.
	Key     []string
	Columns []column.Head
	Rows    [][]string
	Notes   []string // lines below
	// A Screen shows the bars, and the rows of the winner in color; nil for none.
	Bars   Bars
	Winner []int
}

// NewTable returns the table of rows below a caption.
func NewTable[R any](columns column.List[R], rows []R, caption ...string) Table {
	t := Table{Caption: caption}
	t.Columns, t.Rows = columns.Texts(rows)
	return t
}

// renderEach writes a table for each element, with a line between, or the CSV or JSON of all.
func renderEach[E any](w io.Writer, f Format, all []E, table func(E) Table, csv func(io.Writer) error, v any) error {
	if f == CSV || f == JSON {
		return Render(w, f, nil, csv, v)
	}
	for i, e := range all {
		if i > 0 {
			if _, err := fmt.Fprintln(w); err != nil {
				return err
			}
		}
		if err := Render(w, f, func() Table { return table(e) }, nil, nil); err != nil {
			return err
		}
	}
	return nil
}

// Render writes the table as text or Markdown, what csv writes as CSV, or v as JSON. Only what the format
// needs is called.
func Render(w io.Writer, f Format, t func() Table, csv func(io.Writer) error, v any) error {
	var b bytes.Buffer // an error leaves no part of a table
	var err error
	switch f {
	case Text:
		table := t().without(func(h column.Head) bool { return h.Wide })
		if table.Key != nil {
			table.Caption, table.Notes = table.Caption[:1], slices.Concat(table.Key, table.Notes)
		}
		s, ok := w.(Screen)
		if ok {
			table = table.fit(s)
		}
		err = table.text(&b, s.Color)
	case Wide:
		s, _ := w.(Screen)
		err = t().text(&b, s.Color)
	case Markdown:
		err = t().markdown(&b)
	case CSV:
		err = csv(&b)
	case JSON:
		err = WriteJSON(&b, v)
	default:
		_, err = ParseFormat(string(f))
		return err
	}
	if err == nil {
		_, err = w.Write(b.Bytes())
	}
	if err != nil {
		return fmt.Errorf("report: write table: %w", err)
	}
	return nil
}

// WriteJSON writes v as indented JSON, without escapes for HTML, and with escapes for characters that are not printable.
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

// Lines returns rows as lines without rules, below the headers if there are some: columns are two spaces apart. The last is not padded.
func Lines[R any](columns column.List[R], rows []R) []string {
	heads, cells := columns.Texts(rows)
	var headers []string
	for _, h := range heads {
		headers = append(headers, h.Header)
	}
	if strings.Join(headers, "") != "" {
		cells = slices.Insert(cells, 0, headers)
	}
	lines := make([]string, len(cells))
	for k, h := range heads {
		wide := 0
		for _, row := range cells {
			wide = max(wide, utf8.RuneCountInString(row[k]))
		}
		for i, row := range cells {
			switch {
			case k == len(heads)-1:
				lines[i] += row[k]
			case h.Right:
				lines[i] += fmt.Sprintf("%*s  ", wide, row[k])
			default:
				lines[i] += fmt.Sprintf("%-*s  ", wide, row[k])
			}
		}
	}
	return lines
}

func (t Table) text(w io.Writer, color bool) error {
	for _, line := range t.Caption {
		fmt.Fprintln(w, line)
	}
	fmt.Fprintln(w)
	var b bytes.Buffer
	err := t.write(&b, renderer.NewBlueprint(tw.Rendition{
		Symbols:  tw.NewSymbols(tw.StyleLight),
		Borders:  tw.BorderNone,
		Settings: tw.Settings{Separators: tw.Separators{BetweenColumns: tw.Off}},
	}))
	var lines []string
	for line := range strings.Lines(b.String()) {
		lines = append(lines, strings.TrimRight(line, " \n"))
	}
	if color {
		lines = t.paint(lines)
	}
	for _, line := range lines {
		fmt.Fprintln(w, line)
	}
	if len(t.Notes) > 0 {
		fmt.Fprintln(w)
	}
	for _, line := range t.Notes {
		fmt.Fprintln(w, line)
	}
	return err
}

func (t Table) markdown(w io.Writer) error {
	for _, line := range t.Caption {
		fmt.Fprintln(w, escapeMarkdown(line)+"  ") // two spaces break the line
	}
	fmt.Fprintln(w)
	// The renderer does not escape what ends a cell.
	var e Table
	for _, c := range t.Columns {
		e.Columns = append(e.Columns, column.Head{Header: escapeMarkdown(c.Header)})
	}
	for _, row := range t.Rows {
		e.Rows = append(e.Rows, escapeAll(row))
	}
	err := e.write(w, renderer.NewMarkdown())
	if len(t.Notes) > 0 {
		fmt.Fprintln(w)
	}
	for _, line := range t.Notes {
		item := strings.TrimLeft(line, " ")
		if item == "" {
			fmt.Fprintln(w)
			continue
		}
		fmt.Fprintln(w, line[:len(line)-len(item)]+"- "+escapeMarkdown(item))
	}
	return err
}

func (t Table) write(w io.Writer, r tw.Renderer) error {
	var headers []string
	align := make([]tw.Align, len(t.Columns))
	for i, c := range t.Columns {
		headers, align[i] = append(headers, c.Header), tw.AlignRight
		if c.Left {
			align[i] = tw.AlignLeft
		}
	}
	align[0] = tw.AlignLeft
	// Nothing in headers and cells is capitalized, wrapped or cut.
	out := tablewriter.NewTable(w, tablewriter.WithRenderer(r),
		tablewriter.WithHeaderAutoFormat(tw.Off), tablewriter.WithHeaderAutoWrap(tw.WrapNone), tablewriter.WithRowAutoWrap(tw.WrapNone),
		tablewriter.WithHeaderAlignmentConfig(tw.CellAlignment{PerColumn: align}), tablewriter.WithRowAlignmentConfig(tw.CellAlignment{PerColumn: align}))
	out.Header(headers)
	for _, row := range t.Rows {
		if err := out.Append(row); err != nil {
			return err
		}
	}
	return out.Render()
}

var markdownEscapes = strings.NewReplacer(`\`, `\\`, "|", `\|`, "`", "\\`", "*", `\*`, "_", `\_`, "<", `\<`, "[", `\[`, "]", `\]`, "~", `\~`)

func escapeMarkdown(s string) string { return markdownEscapes.Replace(s) }

func escapeAll(cells []string) []string {
	escaped := make([]string, len(cells))
	for i, c := range cells {
		escaped[i] = escapeMarkdown(c)
	}
	return escaped
}
