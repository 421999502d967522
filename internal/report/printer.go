package report

import (
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/olekukonko/tablewriter/renderer"

	"banditsim/internal/lists"
)

// A printer writes the parts of a result in one of the formats for people.
type printer interface {
	title(string)
	sentences([]string)
	table(Table) error // writes a table with its caption and notes
	notes([]string)
}

// blocks writes blocks of lines, separated by empty lines.
type blocks struct {
	io.Writer
	begun bool
}

// begin writes an empty line before each block except the first.
func (b *blocks) begin() {
	if b.begun {
		fmt.Fprintln(b)
	}
	b.begun = true
}

// block writes a block of lines, or nothing if there are none.
func (b *blocks) block(lines ...string) {
	for i, line := range lines {
		if i == 0 {
			b.begin()
		}
		fmt.Fprintln(b, line)
	}
}

// A markdownPrinter writes Markdown.
type markdownPrinter struct{ blocks }

func (p *markdownPrinter) title(text string) { p.block("## " + escapeMarkdown(text)) }

func (p *markdownPrinter) sentences(list []string) {
	for _, text := range list {
		p.block(escapeMarkdown(text))
	}
}

func (p *markdownPrinter) table(t Table) error {
	broken := func(line string) string { return escapeMarkdown(line) + "  " } // two spaces make a line break
	p.block(lists.Each(t.Caption, broken)...)
	p.begin()
	err := t.write(p, renderer.NewMarkdown(), escapeMarkdown) // the renderer itself does not escape "|"
	p.notes(t.Notes)
	return err
}

func (p *markdownPrinter) notes(lines []string) {
	var list []string
	for _, line := range lines {
		if item := strings.TrimLeft(line, " "); item != "" {
			line = line[:len(line)-len(item)] + "- " + escapeMarkdown(item)
		}
		list = append(list, line)
	}
	p.block(list...)
}

// markdownSpecial matches what is markup anywhere in a text (& begins entities such as &amp;) or only at its beginning.
var markdownSpecial = regexp.MustCompile("[\\\\|`*_<[\\]~$&]|^[-+>#]")

func escapeMarkdown(s string) string { return markdownSpecial.ReplaceAllString(s, `\$0`) }

// A latexPrinter writes tables as LaTeX with the rules of the package booktabs, and all other text as comments.
type latexPrinter struct{ blocks }

func (p *latexPrinter) title(text string)       { p.notes([]string{text}) }
func (p *latexPrinter) sentences(list []string) { p.notes(list) }

func (p *latexPrinter) notes(lines []string) {
	p.block(lists.Each(lines, func(line string) string { return strings.TrimRight("% "+line, " ") })...)
}

func (p *latexPrinter) table(t Table) error {
	lines := []string{"% \\usepackage{booktabs}", "\\begin{table}", "\\centering"}
	if len(t.Caption) > 0 {
		lines = append(lines, "\\caption{"+latexEscapes.Replace(strings.Join(t.Caption, ". "))+".}")
	}
	headers := lists.Each(t.Columns, func(c Column[int]) string { return c.Header })
	lines = append(lines, "\\begin{tabular}{l"+strings.Repeat("r", len(t.Columns)-1)+"}", "\\toprule", latexRow(headers), "\\midrule")
	for _, row := range t.Rows {
		lines = append(lines, latexRow(row))
	}
	p.block(append(lines, "\\bottomrule", "\\end{tabular}", "\\end{table}")...)
	p.notes(t.Notes)
	return nil
}

// latexRow returns a row of a tabular. It puts cells that begin with [ or * into braces: as the first cell of a row
// they would otherwise be read as an option of \\, the command at the end of the row above.
func latexRow(cells []string) string {
	escaped := lists.Each(cells, func(c string) string {
		if strings.HasPrefix(c, "[") || strings.HasPrefix(c, "*") {
			return "{" + latexEscapes.Replace(c) + "}"
		}
		return latexEscapes.Replace(c)
	})
	return strings.Join(escaped, " & ") + " \\\\"
}

// latexEscapes replaces characters that are special in LaTeX, and characters of tables that its text fonts lack.
var latexEscapes = strings.NewReplacer(
	`\`, `\textbackslash{}`, `{`, `\{`, `}`, `\}`, `$`, `\$`, `&`, `\&`, `--`, `{-}{-}`, `#`, `\#`, `_`, `\_`, `%`, `\%`, `~`, `\textasciitilde{}`, `^`, `\textasciicircum{}`,
	`<`, `$<$`, `>`, `$>$`, `|`, `\textbar{}`, `"`, `''`,
	`−`, `$-$`, `±`, `$\pm$`, `×`, `$\times$`, `·`, `$\cdot$`, `≤`, `$\le$`, `≥`, `$\ge$`, `∞`, `$\infty$`, `‖`, `$\|$`, `…`, `\dots{}`, `–`, `--`, `²`, `$^2$`,
	`α`, `$\alpha$`, `β`, `$\beta$`, `γ`, `$\gamma$`, `δ`, `$\delta$`, `ε`, `$\varepsilon$`, `ζ`, `$\zeta$`, `η`, `$\eta$`, `θ`, `$\theta$`, `λ`, `$\lambda$`, `μ`, `$\mu$`,
	`π`, `$\pi$`, `ρ`, `$\rho$`, `σ`, `$\sigma$`, `τ`, `$\tau$`, `φ`, `$\varphi$`, `ω`, `$\omega$`, `Σ`, `$\Sigma$`, `χ`, `$\chi$`,
)
