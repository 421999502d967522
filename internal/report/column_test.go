package report

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"banditsim/internal/lists"
	"banditsim/internal/must"
	"banditsim/internal/words"
	"banditsim/results/compare"
	"banditsim/results/stats"
)

type point struct{ x, y float64 }

func text(s string) func(point) string { return func(point) string { return s } }

func headers[R any](l Columns[R], rows ...R) string {
	heads := NewTable(l, rows).Columns
	names := lists.Each(heads, func(h Column[int]) string { return h.Header })
	return strings.Join(names, " ")
}

// TestOrder checks that text shows columns in the order of the list, or after the column that After names.
func TestOrder(t *testing.T) {
	a, b, c, d := Column[point]{Name: "a", Header: "A", Text: text("a")}, Column[point]{Name: "b", Header: "B", Text: text("b")},
		Column[point]{Name: "c", Header: "C", Text: text("c")}, Column[point]{Name: "d", Exact: func(p point) any { return p.x }}
	after := func(c Column[point], name string) Column[point] { c.After = name; return c }
	for _, test := range []struct {
		name, want string
		list       Columns[point]
	}{
		{"in order", "A B C", Columns[point]{a, b, d, c}},
		{"behind a later one", "B A C", Columns[point]{after(a, "b"), b, c}},
		{"behind one that waits", "C B A", Columns[point]{after(a, "b"), after(b, "c"), c}},
		{"two behind one", "A B C", Columns[point]{a, after(b, "a"), after(c, "a")}},
	} {
		must.Equal(t, test.name, headers(test.list), test.want)
	}
	for name, list := range map[string]Columns[point]{"none": {after(a, "z")}, "one that text lacks": {after(a, "d"), d}, "a circle": {after(a, "b"), after(b, "a")}} {
		func() {
			defer func() {
				must.That(t, recover() != nil, "behind %s: no panic", name)
			}()
			headers(list)
		}()
	}
}

// TestTextOfExact checks that a column with a header and without Text shows its exact value in text.
func TestTextOfExact(t *testing.T) {
	for value, want := range map[any]string{"a\x1b": "a?", 1234: "1,234", 0.01234: "0.0123", words.Float(math.NaN()): words.None, true: "yes", false: "no", nil: words.None} {
		exact := func(point) any { return value }
		got := NewTable(Columns[point]{{Header: "h", Exact: exact}, {Name: "n", Exact: exact}}, []point{{}})
		must.That(t, len(got.Columns) == 1 && got.Rows[0][0] == want, "%v: %q, want %q", value, got.Rows, want)
	}
}

// TestExact checks the exact values of columns in CSV and JSON, also missing ones, and their documentation.
func TestExact(t *testing.T) {
	nan := math.NaN()
	l := append(Columns[point]{
		{Name: "policy", Exact: func(point) any { return "=a <b>" }},
		{Name: "n", Doc: "count", Exact: func(point) any { return 3 }, JSON: func(point) any { return []uint64{1, 2} }},
		{Name: "seeds", Doc: "seeds", Flat: true, Exact: func(point) any { return []uint64{1, 2, 18446744073709551615} }},
		{Name: "texts", Exact: func(point) any { return []string{"a", "b"} }},
		{Name: "yes", Exact: func(point) any { return true }},
		{Name: "none", Exact: func(point) any { return nil }},
		{Name: "x", Unit: "nats", Doc: "number", Exact: func(p point) any { return p.x }},
		{Name: "float", Exact: func(p point) any { return words.Float(p.y) }},
		{Header: "text alone", Text: text("t")},
		{JSON: func(point) any { return map[string]int{"inline": 1} }},
	}, Estimate(Column[point]{Name: "mean", Doc: "mean", Flat: true}, "mean_", func(p point) stats.Estimate { return stats.Estimate{N: 2, Mean: p.x, StdErr: 1, Low: -1, High: nan} })...)
	rows := []point{{0.1, nan}, {nan, 2}}
	var b bytes.Buffer
	must.OK(t, Data(l, rows).CSV(&b))
	want := "policy,n,seeds,texts,yes,none,x,float,mean,mean_standard_error,mean_low,mean_high\n" +
		`'=a <b>,3,1 2 18446744073709551615,"[""a"",""b""]",true,,0.1,,0.1,1,-1,` + "\n" +
		`'=a <b>,3,1 2 18446744073709551615,"[""a"",""b""]",true,,,2,,1,-1,` + "\n"
	must.That(t, b.String() == want, "CSV\n%swant\n%s", b.String(), want)
	got, err := Data(l, rows).MarshalJSON()
	if err != nil || string(got) != `[{"policy":"=a <b>","n":[1,2],"texts":["a","b"],"yes":true,"none":null,"x":0.1,"float":null,"inline":1},`+
		`{"policy":"=a <b>","n":[1,2],"texts":["a","b"],"yes":true,"none":null,"x":null,"float":2,"inline":1}]` || !json.Valid(got) {
		t.Errorf("JSON %s, %v", got, err)
	}
	if empty, err := Data(l, nil).MarshalJSON(); err != nil || string(empty) != "[]" {
		t.Errorf("no rows: %s, %v", empty, err)
	}
	if docs := l.Docs(); !strings.Contains(docs, "| `x` | number, in nats |\n") || strings.Contains(docs, "text alone") || strings.Contains(docs, "| `` |") {
		t.Error(docs)
	}
}

// TestLaTeX checks a table with the rules of booktabs and escaped cells, and that everything else is in comments.
func TestLaTeX(t *testing.T) {
	r := Result{Title: "a title", Sentences: []string{"A is better."}, Warnings: []string{"few seeds\n  seed 1"}, Tables: []Table{{
		Caption: []string{"Regret in % of uniform", "50_000 pulls"},
		Columns: Columns[int]{{Header: "policy"}, {Header: "95 % interval"}, {Header: ""}},
		Rows:    [][]string{{`a_b & #1 $x$ {\y} ~^ <"z">`, "[−1, 2 ± 3]", "~"}, {"*", "–", "ε ≤ 0.1 --x"}},
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
{*} & -- & $\varepsilon$ $\le$ 0.1 {-}{-}x \\
\bottomrule
\end{tabular}
\end{table}

% a note
% warning: few seeds
%   seed 1
`
	var b bytes.Buffer
	must.OK(t, r.Render(&b, LaTeX))
	must.That(t, b.String() == want, "got\n%s\nwant\n%s", b.String(), want)
	must.Equal(t, "opened and closed braces", unescaped(b.String(), '{'), unescaped(b.String(), '}'))
	must.Equal(t, "latex", must.Get(ParseFormat("latex"))(t), LaTeX)
}

// unescaped returns the number of braces that are not escaped.
func unescaped(s string, brace rune) int {
	return strings.Count(s, string(brace)) - strings.Count(s, `\`+string(brace))
}

// TestParts checks that parts follow the rest after an empty line, and that JSON has the documents of all parts.
func TestParts(t *testing.T) {
	one := Result{Title: "one", Document: 1}
	r := Result{Sentences: []string{"First."}, Parts: []Result{one, {Notes: []string{"n"}, Document: "two"}}}
	for f, want := range map[Format]string{
		Text: "First.\n\none\n\nn\n", Markdown: "First.\n\n## one\n\n- n\n", LaTeX: "% First.\n\n% one\n\n% n\n", JSON: "[\n  1,\n  \"two\"\n]\n",
	} {
		var b bytes.Buffer
		err := r.Render(&b, f)
		must.That(t, err == nil && b.String() == want, "%s: %q, %v, want %q", f, b.String(), err, want)
	}
}

var update = flag.Bool("update", false, "renew docs/columns.md")

// TestColumnDocs checks that docs/columns.md is up to date. To renew it: go test ./internal/report -run ColumnDocs -update.
func TestColumnDocs(t *testing.T) {
	environments := []compare.AcrossEnvironment{{Label: "a"}}
	columns := described(t, "banditsim report", mixedColumns([]*compare.Summary{{}})) +
		described(t, "banditsim report --cost", costColumns(nil)) +
		described(t, "banditsim report --mistakes", mistakesColumns()) +
		described(t, "banditsim report --scores", scoreColumns([]compare.PolicyScore{{Regret: new(stats.Estimate)}})) +
		described(t, "banditsim compare, in one environment", comparisonColumns(nil)) +
		described(t, "banditsim compare, over environments", acrossColumns(&compare.Across{Environments: environments})) +
		described(t, "banditsim compare --anytime", anytimeColumns())
	const path, begin = "../../docs/columns.md", "<!-- columns -->\n"
	page := must.Get(os.ReadFile(path))(t)
	before, _, ok := strings.Cut(string(page), begin)
	must.Hold(t, ok, "%s has no %s", path, begin)
	want := before + begin + columns
	if *update {
		must.OK(t, os.WriteFile(path, []byte(want), 0o666))
	} else if want != string(page) {
		t.Errorf("%s is out of date: go test ./internal/report -run ColumnDocs -update", path)
	}
}

// described returns the docs of a list of columns, and checks that each has a description and a name of its own.
func described[R any](t *testing.T, title string, l Columns[R]) string {
	t.Helper()
	names, leaves := map[string]bool{}, map[int]bool{}
	for _, c := range l {
		must.That(t, c.Exact == nil || c.Doc != "", "%s: column %s has no description", title, c.Name)
		if c.Name != "" && c.Name != "pulls" && names[c.Name] { // mistakes have pulls of an arm and pulls of a round
			t.Errorf("%s: two columns %s", title, c.Name)
		}
		must.That(t, c.Leaves == 0 || !leaves[c.Leaves], "%s: two columns leave a narrow terminal at %d", title, c.Leaves)
		names[c.Name], leaves[c.Leaves] = true, true
	}
	return fmt.Sprintf("\n## %s\n\n%s", title, l.Docs())
}
