package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/olekukonko/tablewriter/renderer"
)

// A markdownPrinter writes Markdown.
type markdownPrinter struct {
	w     io.Writer
	begun bool
}

// gap writes an empty line, unless nothing was written.
func (p *markdownPrinter) gap() {
	if p.begun {
		fmt.Fprintln(p.w)
	}
	p.begun = true
}

func (p *markdownPrinter) title(text string) {
	p.gap()
	fmt.Fprintln(p.w, "## "+escapeMarkdown(text))
}

func (p *markdownPrinter) sentences(list []string) {
	for _, text := range list {
		p.gap()
		fmt.Fprintln(p.w, escapeMarkdown(text))
	}
}

func (p *markdownPrinter) table(t Table) error {
	p.gap()
	for _, line := range t.Caption {
		fmt.Fprintln(p.w, escapeMarkdown(line)+"  ") // two spaces break the line
	}
	if len(t.Caption) > 0 {
		p.gap()
	}
	// The renderer does not escape what ends a cell.
	var e Table
	for _, c := range t.Columns {
		e.Columns = append(e.Columns, Head{Header: escapeMarkdown(c.Header)})
	}
	for _, row := range t.Rows {
		var escaped []string
		for _, cell := range row {
			escaped = append(escaped, escapeMarkdown(cell))
		}
		e.Rows = append(e.Rows, escaped)
	}
	err := e.write(p.w, renderer.NewMarkdown())
	if len(t.Notes) > 0 {
		p.notes(t.Notes)
	}
	return err
}

func (p *markdownPrinter) notes(lines []string) {
	p.gap()
	for _, line := range lines {
		item := strings.TrimLeft(line, " ")
		if item == "" {
			fmt.Fprintln(p.w)
			continue
		}
		fmt.Fprintln(p.w, line[:len(line)-len(item)]+"- "+escapeMarkdown(item))
	}
}

var markdownEscapes = strings.NewReplacer(`\`, `\\`, "|", `\|`, "`", "\\`", "*", `\*`, "_", `\_`, "<", `\<`, "[", `\[`, "]", `\]`, "~", `\~`)

func escapeMarkdown(s string) string { return markdownEscapes.Replace(s) }
