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

// A Column of tables whose rows are R, declared once for text, Markdown, LaTeX, CSV, JSON, pages and docs.
type Column[R any] struct {
	Name   string // in CSV and JSON, and by which pages know it
	Header string // in text, Markdown, LaTeX and pages
	Short  string // the header on a narrow terminal; "" for the same
	Doc    string // what it is, in the docs
	Unit   string // unit of Exact; "" for texts, counts, shares and p-values

	// Exact returns the cell of CSV and the value in JSON, in full: a text, a number, a bool, seeds, a list of texts, or nil if there is none.
	// A column with neither Exact nor JSON is in text alone.
	Exact func(R) any
	// Text returns the cell of text, rounded. If it is nil, text has the exact value of a column with a header, and no column without.
	Text func(R) string
	// JSON returns the value in JSON, in place of Exact: a list or an object. A column with JSON alone is not in CSV, and if it has no name the
	// fields of its object are fields of the row.
	JSON func(R) any

	// Flat says that JSON lacks the column, as the value is part of another column's object or of the document.
	Flat bool
	// After is the name of the column that this one follows in text, if that is not the one before it in the list.
	After string
	// Wide says that text has the column only if it is asked for all columns. Other forms always have it.
	Wide bool
	// Leaves is the priority on a narrow terminal: columns leave a table that is too wide in this order, the lowest first. 0 stays.
	Leaves int
	// Right aligns the column to the right in Lines, as all but the first are in tables.
	Right bool
}

// Columns are those of a table in the order of CSV and JSON. To add a column is to add an entry.
type Columns[R any] []Column[R]

// Without returns the list without the columns of the given names.
func (l Columns[R]) Without(names ...string) Columns[R] {
	return slices.DeleteFunc(slices.Clone(l), func(c Column[R]) bool { return slices.Contains(names, c.Name) })
}

// Estimate returns c with the mean of an estimate, and behind it the columns that CSV has of its error and its interval, whose names begin
// with prefix. Unless c says otherwise, text has the mean with half of the interval, and JSON the estimate.
func Estimate[R any](c Column[R], prefix string, of func(R) stats.Estimate) Columns[R] {
	if c.Text == nil && c.Header != "" {
		c.Text = func(r R) string { return of(r).String() }
	}
	if c.JSON == nil && !c.Flat {
		c.JSON = func(r R) any { return of(r) }
	}
	c.Exact = func(r R) any { return of(r).Mean }
	return Columns[R]{
		c,
		{Name: prefix + "standard_error", Doc: "its standard error", Unit: c.Unit, Flat: true, Exact: func(r R) any { return of(r).StdErr }},
		{Name: prefix + "low", Doc: "its 95 % interval: lower end", Unit: c.Unit, Flat: true, Exact: func(r R) any { return of(r).Low }},
		{Name: prefix + "high", Doc: "upper end", Unit: c.Unit, Flat: true, Exact: func(r R) any { return of(r).High }},
	}
}

// Docs returns the columns that CSV and JSON have as a table in Markdown, without fields of JSON that are taken in line and so have
// no name. A unit follows what the column is.
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

// withParameters returns the columns with one for each parameter of the names behind policy. of returns
// the parameters and the label of a row. On a narrow terminal parameters are the first to leave, as labels have the values too.
func withParameters[R any](l Columns[R], names []string, of func(R) (compare.Parameters, string)) Columns[R] {
	var parameters Columns[R]
	for k, name := range names {
		value := func(r R) string {
			p, label := of(r)
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

func parameterNames(all ...compare.Parameters) []string {
	var names []string
	for _, p := range all {
		names = append(names, p.Names()...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}
