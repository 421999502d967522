package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"banditsim/internal/words"
	"banditsim/results/compare"
	"banditsim/results/stats"
)

// A Column is a column of a table with rows of type R, for text, Markdown, LaTeX, CSV, JSON, pages and documentation.
type Column[R any] struct {
	Name   string // name in CSV and JSON, and ID in pages
	Header string // header in text, Markdown, LaTeX and pages
	Short  string // header on a narrow terminal; "" for Header
	Doc    string // description in the documentation
	Unit   string // unit of Exact; "" for texts, counts, shares and p-values

	// Exact returns the cell in CSV and the value in JSON, with all digits: a string, a number, a bool, seeds, a list of
	// strings, or nil if there is no value. Without Exact the column is not in CSV.
	Exact func(R) any
	// Text returns the rounded cell in the formats for people. If it is nil, they show the result of Exact, or lack the
	// column if Header is "" too.
	Text func(R) string
	// JSON, if not nil, replaces Exact in JSON, to return a list or an object. If the column has no Name, the fields of
	// the object become fields of the row.
	JSON func(R) any

	// Flat leaves the column out of JSON, where its value is part of another column's object or of the document.
	Flat bool
	// After is the Name of the column after which the formats for people show this one; "" keeps the order of the list.
	After string
	// Wide leaves the column out of the format Text; the others have it.
	Wide bool
	// Leaves ranks columns for a narrow terminal, which leaves out the lowest first. A column with 0 is never left out.
	Leaves int
	// Right aligns the column to the right in Table.Lines. In tables, all columns but the first are aligned to the right.
	Right bool

	left bool // aligns the column to the left in tables
}

// Columns has the columns of a table, in the order of CSV and JSON.
type Columns[R any] []Column[R]

// Without returns the list without the columns that have one of the names.
func (l Columns[R]) Without(names ...string) Columns[R] {
	return slices.DeleteFunc(slices.Clone(l), func(c Column[R]) bool { return slices.Contains(names, c.Name) })
}

// lift converts columns of rows of type R to columns of rows of type S. The function row converts a row of type S to
// one of type R. If it returns false, the row has no value in these columns, and words.None as text.
func lift[S, R any](l Columns[R], row func(S) (R, bool)) Columns[S] {
	exact := func(value func(R) any) func(S) any {
		if value == nil {
			return nil
		}
		return func(s S) any {
			if r, ok := row(s); ok {
				return value(r)
			}
			return nil
		}
	}
	lifted := make(Columns[S], len(l))
	for k, c := range l {
		lifted[k] = Column[S]{Name: c.Name, Header: c.Header, Short: c.Short, Doc: c.Doc, Unit: c.Unit, Exact: exact(c.Exact),
			JSON: exact(c.JSON), Flat: c.Flat, After: c.After, Wide: c.Wide, Leaves: c.Leaves, Right: c.Right}
		if c.inText() {
			lifted[k].Text = func(s S) string {
				if r, ok := row(s); ok {
					return c.text(r)
				}
				return words.None
			}
		}
	}
	return lifted
}

// Estimate returns columns for an estimate: first c with the mean, then columns for CSV with the standard error and the
// interval, whose names begin with prefix. If c has a Header and no Text, it shows people the mean and half the width
// of the interval. If it has no JSON and is not Flat, it has the whole estimate in JSON.
func Estimate[R any](c Column[R], prefix string, value func(R) stats.Estimate) Columns[R] {
	if c.Text == nil && c.Header != "" {
		c.Text = func(r R) string { return value(r).String() }
	}
	if c.JSON == nil && !c.Flat {
		c.JSON = func(r R) any { return value(r) }
	}
	c.Exact = func(r R) any { return value(r).Mean }
	return Columns[R]{
		c,
		{Name: prefix + "standard_error", Doc: "its standard error", Unit: c.Unit, Flat: true, Exact: func(r R) any { return value(r).StdErr }},
		{Name: prefix + "low", Doc: "its 95 % interval: lower end", Unit: c.Unit, Flat: true, Exact: func(r R) any { return value(r).Low }},
		{Name: prefix + "high", Doc: "upper end", Unit: c.Unit, Flat: true, Exact: func(r R) any { return value(r).High }},
	}
}

// positive returns n, or nil if it is 0.
func positive(n int) any {
	if n == 0 {
		return nil
	}
	return n
}

// Docs returns a table in Markdown that describes the columns of CSV and JSON, except those without a name.
func (l Columns[R]) Docs() string {
	var b strings.Builder
	b.WriteString("| column | what |\n| --- | --- |\n")
	for _, c := range l {
		if c.Name == "" || c.Exact == nil && c.JSON == nil {
			continue
		}
		what := c.Doc
		if c.Unit != "" {
			what += ", in " + c.Unit
		}
		fmt.Fprintf(&b, "| `%s` | %s |\n", c.Name, what)
	}
	return b.String()
}

func (c Column[R]) inText() bool { return c.Text != nil || c.Header != "" && c.Exact != nil }

func (c Column[R]) text(r R) string {
	if c.Text != nil {
		return c.Text(r)
	}
	switch v := c.Exact(r).(type) {
	case nil:
		return words.None
	case string:
		return words.Plain(v)
	case int:
		return words.Int(v)
	case float64:
		return words.Amount(v)
	case words.Float:
		return words.Amount(float64(v))
	case bool:
		if v {
			return "yes"
		}
		return "no"
	default:
		return words.Plain(fmt.Sprint(v))
	}
}

// shown returns the columns that the formats for people have, in their order.
func (l Columns[R]) shown() Columns[R] {
	var shown Columns[R]
	var add func(after string)
	add = func(after string) {
		for _, c := range l {
			if c.inText() && c.After == after {
				if shown = append(shown, c); c.Name != "" {
					add(c.Name)
				}
			}
		}
	}
	add("")
	for _, c := range l {
		if c.After != "" && c.inText() && !slices.ContainsFunc(shown, func(s Column[R]) bool { return s.Name == c.Name }) {
			panic(fmt.Sprintf("report: column %s stands after %q, which text does not have", c.Name, c.After))
		}
	}
	return shown
}

// withParameters inserts columns after the column "policy": one for each different name in the list "names". The
// function find returns a row's parameters and the label of its policy. A narrow terminal leaves these columns out
// first, because labels contain the same values.
func withParameters[R any](l Columns[R], names []string, find func(R) (compare.Parameters, string)) Columns[R] {
	var parameters Columns[R]
	for k, name := range slices.Compact(slices.Sorted(slices.Values(names))) {
		value := func(r R) string {
			p, label := find(r)
			return p.Text(label, name)
		}
		parameters = append(parameters, Column[R]{
			Name: "option_" + name, Header: name, Short: name[strings.LastIndex(name, ".")+1:], Leaves: -1 - k, Flat: true,
			Text:  func(r R) string { return cmp.Or(value(r), words.None) },
			Exact: func(r R) any { return value(r) },
		})
	}
	at := slices.IndexFunc(l, func(c Column[R]) bool { return c.Name == "policy" })
	return slices.Insert(l, at+1, parameters...)
}
