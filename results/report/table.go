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
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"

	"banditsim/internal/nearest"
)

// A Format is a form of tables.
type Format string

// Text and Markdown are for people, CSV and JSON have all digits.
const (
	Text     Format = "table"
	Markdown Format = "md"
	CSV      Format = "csv"
	JSON     Format = "json"
)

var formats = []string{string(Text), string(Markdown), string(CSV), string(JSON)}

// ParseFormat returns the format of that name: table, md, csv or json.
func ParseFormat(name string) (Format, error) {
	if slices.Contains(formats, name) {
		return Format(name), nil
	}
	return "", fmt.Errorf("report: unknown table format %q%s, want one of %s", name, nearest.DidYouMean(name, formats), strings.Join(formats, ", "))
}

// A Table is for people. The first column has names, the others have numbers.
type Table struct {
	Caption []string // lines above
	Header  []string
	Rows    [][]string
	Notes   []string // lines below: failures, damaged files, warnings
}

// A Sheet is for programs.
type Sheet struct {
	Header []string
	Rows   [][]string
}

// Render writes a table as text or Markdown, a sheet as CSV, or v as JSON.
func Render(w io.Writer, f Format, t func() Table, s func() Sheet, v any) error {
	var b bytes.Buffer // so that an error leaves no half table
	var err error
	switch f {
	case Text:
		err = t().text(&b)
	case Markdown:
		err = t().markdown(&b)
	case CSV:
		err = s().CSV(&b)
	case JSON:
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		err = e.Encode(v)
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

func (t Table) text(w io.Writer) error {
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
	for line := range strings.Lines(b.String()) {
		fmt.Fprintln(w, strings.TrimRight(line, " \n"))
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
		fmt.Fprintln(w, escapeMarkdown(line)+"  ") // two blanks break the line
	}
	fmt.Fprintln(w)
	// The renderer does not escape what would end a cell.
	e := Table{Header: escapeAll(t.Header)}
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
	align := make([]tw.Align, len(t.Header))
	for i := range align {
		align[i] = tw.AlignRight
	}
	align[0] = tw.AlignLeft
	// Headers and cells stay as they are: nothing is capitalised, wrapped or cut.
	out := tablewriter.NewTable(w, tablewriter.WithRenderer(r),
		tablewriter.WithHeaderAutoFormat(tw.Off), tablewriter.WithHeaderAutoWrap(tw.WrapNone), tablewriter.WithRowAutoWrap(tw.WrapNone),
		tablewriter.WithHeaderAlignmentConfig(tw.CellAlignment{PerColumn: align}), tablewriter.WithRowAlignmentConfig(tw.CellAlignment{PerColumn: align}))
	out.Header(t.Header)
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

// CSV writes the sheet.
func (s Sheet) CSV(w io.Writer) error {
	out := csv.NewWriter(w)
	return out.WriteAll(append([][]string{s.Header}, s.Rows...))
}
