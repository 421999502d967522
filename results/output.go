package results

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"banditsim/internal/nearest"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
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
	return "", fmt.Errorf("results: unknown table format %q%s, want one of %s", name, nearest.DidYouMean(name, formats), strings.Join(formats, ", "))
}

// A table is for people. The first column is of names, the others are of
// numbers.
type table struct {
	caption []string // lines above
	header  []string
	rows    [][]string
	notes   []string // lines below
}

// A sheet is for programs.
type sheet struct {
	header []string
	rows   [][]string
}

// render writes one of the three in the format.
func render(w io.Writer, f Format, t func() table, s func() sheet, v any) error {
	var b bytes.Buffer // so that an error leaves no half table
	var err error
	switch f {
	case Text:
		err = t().text(&b)
	case Markdown:
		err = t().markdown(&b)
	case CSV:
		err = s().csv(&b)
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
		return fmt.Errorf("results: write table: %w", err)
	}
	return nil
}

func (t table) text(w io.Writer) error {
	for _, line := range t.caption {
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
	if len(t.notes) > 0 {
		fmt.Fprintln(w)
	}
	for _, line := range t.notes {
		fmt.Fprintln(w, line)
	}
	return err
}

func (t table) markdown(w io.Writer) error {
	for _, line := range t.caption {
		fmt.Fprintln(w, escapeMarkdown(line)+"  ") // two blanks break the line
	}
	fmt.Fprintln(w)
	// The renderer does not escape what would end a cell.
	e := table{header: escapeAll(t.header)}
	for _, row := range t.rows {
		e.rows = append(e.rows, escapeAll(row))
	}
	err := e.write(w, renderer.NewMarkdown())
	if len(t.notes) > 0 {
		fmt.Fprintln(w)
	}
	for _, line := range t.notes {
		item := strings.TrimLeft(line, " ")
		if item == "" {
			fmt.Fprintln(w)
			continue
		}
		fmt.Fprintln(w, line[:len(line)-len(item)]+"- "+escapeMarkdown(item))
	}
	return err
}

func (t table) write(w io.Writer, r tw.Renderer) error {
	align := make([]tw.Align, len(t.header))
	for i := range align {
		align[i] = tw.AlignRight
	}
	align[0] = tw.AlignLeft
	// Headers and cells stay as they are: nothing is capitalised, wrapped or cut.
	out := tablewriter.NewTable(w, tablewriter.WithRenderer(r),
		tablewriter.WithHeaderAutoFormat(tw.Off), tablewriter.WithHeaderAutoWrap(tw.WrapNone), tablewriter.WithRowAutoWrap(tw.WrapNone),
		tablewriter.WithHeaderAlignmentConfig(tw.CellAlignment{PerColumn: align}), tablewriter.WithRowAlignmentConfig(tw.CellAlignment{PerColumn: align}))
	out.Header(t.header)
	for _, row := range t.rows {
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

func (s sheet) csv(w io.Writer) error {
	out := csv.NewWriter(w)
	return out.WriteAll(append([][]string{s.header}, s.rows...))
}
