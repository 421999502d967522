package report

import (
	"fmt"
	"io"
	"strings"
)

// A latexPrinter writes tables as LaTeX with the rules of the package booktabs. Titles, sentences and notes, which a paper says in its own
// words, are comments.
type latexPrinter struct {
	w     io.Writer
	begun bool
}

// comments writes lines as comments, after an empty line unless they are the first.
func (p *latexPrinter) comments(lines []string) {
	p.gap()
	for _, line := range lines {
		fmt.Fprintln(p.w, strings.TrimRight("% "+line, " "))
	}
}

func (p *latexPrinter) gap() {
	if p.begun {
		fmt.Fprintln(p.w)
	}
	p.begun = true
}

func (p *latexPrinter) title(text string)       { p.comments([]string{text}) }
func (p *latexPrinter) sentences(list []string) { p.comments(list) }
func (p *latexPrinter) notes(lines []string)    { p.comments(lines) }

func (p *latexPrinter) table(t Table) error {
	p.gap()
	fmt.Fprintln(p.w, "% \\usepackage{booktabs}\n\\begin{table}\n\\centering")
	if len(t.Caption) > 0 {
		fmt.Fprintf(p.w, "\\caption{%s.}\n", escapeLaTeX(strings.Join(t.Caption, ". ")))
	}
	var headers []string
	for _, c := range t.Columns {
		headers = append(headers, c.Header)
	}
	fmt.Fprintf(p.w, "\\begin{tabular}{l%s}\n\\toprule\n%s\\midrule\n", strings.Repeat("r", len(t.Columns)-1), latexRow(headers))
	for _, row := range t.Rows {
		io.WriteString(p.w, latexRow(row))
	}
	fmt.Fprintln(p.w, "\\bottomrule\n\\end{tabular}\n\\end{table}")
	if len(t.Notes) > 0 {
		p.comments(t.Notes)
	}
	return nil
}

// latexRow returns a row of a tabular. Braces keep a cell that begins with [ from being the option of the \\ before it.
func latexRow(cells []string) string {
	escaped := make([]string, len(cells))
	for i, c := range cells {
		escaped[i] = escapeLaTeX(c)
		if strings.HasPrefix(c, "[") || strings.HasPrefix(c, "*") {
			escaped[i] = "{" + escaped[i] + "}"
		}
	}
	return strings.Join(escaped, " & ") + " \\\\\n"
}

// latexEscapes has the characters that LaTeX reads as commands, and those that tables have and text fonts lack.
var latexEscapes = strings.NewReplacer(
	`\`, `\textbackslash{}`, `{`, `\{`, `}`, `\}`, `$`, `\$`, `&`, `\&`, `#`, `\#`, `_`, `\_`, `%`, `\%`, `~`, `\textasciitilde{}`, `^`, `\textasciicircum{}`,
	`<`, `$<$`, `>`, `$>$`, `|`, `\textbar{}`, `"`, `''`,
	`−`, `$-$`, `±`, `$\pm$`, `×`, `$\times$`, `·`, `$\cdot$`, `≤`, `$\le$`, `≥`, `$\ge$`, `∞`, `$\infty$`, `‖`, `$\|$`, `…`, `\dots{}`, `–`, `--`, `²`, `$^2$`,
	`α`, `$\alpha$`, `β`, `$\beta$`, `γ`, `$\gamma$`, `δ`, `$\delta$`, `ε`, `$\varepsilon$`, `ζ`, `$\zeta$`, `η`, `$\eta$`, `θ`, `$\theta$`, `λ`, `$\lambda$`, `μ`, `$\mu$`,
	`π`, `$\pi$`, `ρ`, `$\rho$`, `σ`, `$\sigma$`, `τ`, `$\tau$`, `φ`, `$\varphi$`, `ω`, `$\omega$`, `Σ`, `$\Sigma$`, `χ`, `$\chi$`,
)

func escapeLaTeX(s string) string { return latexEscapes.Replace(s) }
