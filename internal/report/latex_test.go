package report

import (
	"bytes"
	"strings"
	"testing"
)

// TestLaTeX: a table with the rules of booktabs, whose texts LaTeX takes for text; the rest is comments.
func TestLaTeX(t *testing.T) {
	r := Result{Title: "a title", Sentences: []string{"A is better."}, Warnings: []string{"few seeds\n  seed 1"}, Tables: []Table{{
		Caption: []string{"Regret in % of uniform", "50_000 pulls"},
		Columns: []Head{{Header: "policy"}, {Header: "95 % interval"}, {Header: ""}},
		Rows:    [][]string{{`a_b & #1 $x$ {\y} ~^ <"z">`, "[−1, 2 ± 3]", "~"}, {"*", "–", "ε ≤ 0.1"}},
		Notes:   []string{"a note"},
	}}}
	const want = `% a title

% A is better.

% \usepackage{booktabs}
\begin{table}
\centering
\caption{Regret in \% of uniform. 50\_000 pulls.}
\begin{tabular}{lrr}
\toprule
policy & 95 \% interval &  \\
\midrule
a\_b \& \#1 \$x\$ \{\textbackslash{}y\} \textasciitilde{}\textasciicircum{} $<$''z''$>$ & {[$-$1, 2 $\pm$ 3]} & \textasciitilde{} \\
{*} & -- & $\varepsilon$ $\le$ 0.1 \\
\bottomrule
\end{tabular}
\end{table}

% a note
% warning: few seeds
%   seed 1
`
	var b bytes.Buffer
	if err := r.Render(&b, LaTeX); err != nil {
		t.Fatal(err)
	}
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
	if open, closed := unescaped(b.String(), '{'), unescaped(b.String(), '}'); open != closed {
		t.Errorf("%d braces are opened, %d closed", open, closed)
	}
	if f, err := ParseFormat("latex"); err != nil || f != LaTeX {
		t.Errorf("latex: %s, %v", f, err)
	}
}

// unescaped counts the braces that LaTeX takes for groups.
func unescaped(s string, brace rune) int {
	return strings.Count(s, string(brace)) - strings.Count(s, `\`+string(brace))
}

// TestParts: parts follow the rest with an empty line between, and JSON has the documents of all.
func TestParts(t *testing.T) {
	one := Result{Title: "one", Document: 1}
	r := Result{Sentences: []string{"First."}, Parts: []Result{one, {Notes: []string{"n"}, Document: "two"}}}
	for f, want := range map[Format]string{
		Text: "First.\n\none\n\nn\n", Markdown: "First.\n\n## one\n\n- n\n", LaTeX: "% First.\n\n% one\n\n% n\n", JSON: "[\n  1,\n  \"two\"\n]\n",
	} {
		var b bytes.Buffer
		if err := r.Render(&b, f); err != nil || b.String() != want {
			t.Errorf("%s: %q, %v, want %q", f, b.String(), err, want)
		}
	}
}
