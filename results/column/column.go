// Package column declares the columns of tables: each once, for text, Markdown, CSV, JSON, pages and docs.
package column

import (
	"fmt"
	"slices"
	"strings"

	"banditsim/internal/words"
	"banditsim/results/stats"
)

// A Column of tables whose rows are R. To add a column is to add an entry to a List.
type Column[R any] struct {
	Name   string // in CSV and JSON, and by which pages know it
	Header string // in text, Markdown and pages
	Short  string // the header on a narrow terminal; "" for the same
	Doc    string // what it is, in the docs
	Unit   string // unit of Exact; "" for texts, counts, shares and p-values

	// Text returns the cell of text, Markdown and pages, rounded; nil if these do not have the column.
	Text func(R) string
	// Exact returns the cell of CSV and the value in JSON, in full: a text, a number, a bool, seeds, a list of texts, or nil if there is none.
	// A column with neither Exact nor JSON is in text alone.
	Exact func(R) any
	// JSON returns the value in JSON, in place of Exact: a list or an object. A column with JSON alone is not in CSV, and if it has no name the
	// fields of its object are fields of the row.
	JSON func(R) any
	// Flat says that JSON lacks the column, as the value is part of another column's object or of the document.
	Flat bool

	// After is the name of the column that this one follows in text, if that is not the one before it in the list.
	After string
	// Wide says that text has the column only if it is asked for all columns. Markdown and pages always have it.
	Wide bool
	// Leaves is the priority on a narrow terminal: columns leave a table that is too wide in this order, the lowest first. 0 stays.
	Leaves int
	// Right aligns the column to the right in lines without rules, as all but the first are in tables.
	Right bool
}

// A List has the columns of a table in the order of CSV and JSON.
type List[R any] []Column[R]

// A Head is what a table of text keeps of a column.
type Head struct {
	Name, Header, Short string
	Wide, Right         bool
	Left                bool // aligns the column to the left in a table, as its first is
	Leaves              int
}

// Texts returns the heads of the columns that text has, in its order, and the cells of rows.
func (l List[R]) Texts(rows []R) (heads []Head, cells [][]string) {
	shown := l.shown()
	for _, c := range shown {
		heads = append(heads, Head{Name: c.Name, Header: c.Header, Short: c.Short, Wide: c.Wide, Right: c.Right, Leaves: c.Leaves})
	}
	for _, r := range rows {
		row := make([]string, len(shown))
		for k, c := range shown {
			row[k] = c.Text(r)
		}
		cells = append(cells, row)
	}
	return heads, cells
}

// shown returns the columns that text has, in its order.
func (l List[R]) shown() List[R] {
	var shown, rest List[R]
	for _, c := range l {
		switch {
		case c.Text == nil:
		case c.After == "":
			shown = append(shown, c)
		default:
			rest = append(rest, c)
		}
	}
	for len(rest) > 0 {
		var waiting List[R] // for a column that waits itself
		for _, c := range rest {
			if i := slices.IndexFunc(shown, func(s Column[R]) bool { return s.Name == c.After }); i >= 0 {
				shown = slices.Insert(shown, i+1, c)
			} else {
				waiting = append(waiting, c)
			}
		}
		if len(waiting) == len(rest) {
			panic(fmt.Sprintf("column: %s stands after %q, which text does not have", rest[0].Name, rest[0].After))
		}
		rest = waiting
	}
	return shown
}

// Known returns the list without the columns of text in which every row has words.None.
func (l List[R]) Known(rows []R) List[R] {
	unknown := func(c Column[R]) bool {
		return c.Text != nil && len(rows) > 0 && !slices.ContainsFunc(rows, func(r R) bool { return c.Text(r) != words.None })
	}
	return slices.DeleteFunc(slices.Clone(l), unknown)
}

// Without returns the list without the columns of the given names.
func (l List[R]) Without(names ...string) List[R] {
	return slices.DeleteFunc(slices.Clone(l), func(c Column[R]) bool { return slices.Contains(names, c.Name) })
}

// Of returns the columns of a part of the row. Rows without the part have words.None and no exact value.
func Of[R, S any](l List[S], part func(R) (s S, ok bool)) List[R] {
	var out List[R]
	for _, c := range l {
		o := Column[R]{Name: c.Name, Header: c.Header, Short: c.Short, Doc: c.Doc, Unit: c.Unit, Flat: c.Flat, After: c.After, Wide: c.Wide, Leaves: c.Leaves, Right: c.Right}
		if c.Text != nil {
			o.Text = func(r R) string {
				if s, ok := part(r); ok {
					return c.Text(s)
				}
				return words.None
			}
		}
		o.Exact, o.JSON = exactOf(c.Exact, part), exactOf(c.JSON, part)
		out = append(out, o)
	}
	return out
}

func exactOf[R, S any](exact func(S) any, part func(R) (S, bool)) func(R) any {
	if exact == nil {
		return nil
	}
	return func(r R) any {
		if s, ok := part(r); ok {
			return exact(s)
		}
		return nil
	}
}

// Estimate returns c with the mean of an estimate, and behind it the columns that CSV has of its error and its interval. Their names begin
// with prefix.
func Estimate[R any](c Column[R], prefix string, of func(R) stats.Estimate) List[R] {
	c.Exact = func(r R) any { return of(r).Mean }
	return List[R]{
		c,
		{Name: prefix + "standard_error", Doc: "its standard error", Unit: c.Unit, Flat: true, Exact: func(r R) any { return of(r).StdErr }},
		{Name: prefix + "low", Doc: "its 95 % interval: lower end", Unit: c.Unit, Flat: true, Exact: func(r R) any { return of(r).Low }},
		{Name: prefix + "high", Doc: "upper end", Unit: c.Unit, Flat: true, Exact: func(r R) any { return of(r).High }},
	}
}

// Docs returns the columns that CSV and JSON have as a table in Markdown, without fields of JSON that are taken in line and so have
// no name. A unit follows what the column is.
func (l List[R]) Docs() string {
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
