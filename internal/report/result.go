// Package report has the common form of all output: a Result has sentences, tables with exact values, warnings and
// notes. It is rendered as text, Markdown or LaTeX for people, or with all digits as CSV or JSON for programs. The
// package also makes the reports of regret; other packages make those of logs, searches and samplers.
package report

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"banditsim/bandit"
	"banditsim/internal/lists"
	"banditsim/internal/nearest"
	"banditsim/results"
	"banditsim/results/compare"
)

// A Result is the content of a report, independent of the format in which it is shown.
type Result struct {
	Title     string   // heading above the rest; "" for none
	Sentences []string // findings, shown first
	Tables    []Table
	Warnings  []string // reasons to doubt the findings; further lines of a warning are details
	Notes     []string // lines below the tables and the warnings

	// Data has the rows of CSV; if it is nil, CSV has the rows of the first of Tables.
	Data *Table
	// Document is encoded as JSON; a Table in it becomes a list of objects. If Document is nil, JSON is a list of the
	// documents of Parts. Without Parts, it has the rows of CSV.
	Document any
	// Parts are results to show below this one, such as one per environment.
	Parts []Result
}

// A Format is an output format of results.
type Format string

// The formats. Text, Wide, Markdown and LaTeX round numbers; CSV and JSON have all digits.
const (
	Text     Format = "table"
	Wide     Format = "wide" // text with all columns, even if they do not fit a Screen
	Markdown Format = "md"
	LaTeX    Format = "tex" // tables for the package booktabs
	CSV      Format = "csv"
	JSON     Format = "json"
)

// ForPrograms reports whether the format is for programs rather than people.
func (f Format) ForPrograms() bool { return f == CSV || f == JSON }

var formats = []Format{Text, Markdown, LaTeX, CSV, JSON}

// ParseFormat returns the format with the given name: table, md, tex or latex, csv or json.
func ParseFormat(name string) (Format, error) {
	if name == "latex" {
		return LaTeX, nil
	}
	return nearest.Parse("unknown table format", name, formats)
}

// Render writes the result in a format. Text fits the width of w if w is a Screen.
func (r Result) Render(w io.Writer, f Format) error {
	var b bytes.Buffer // so that nothing is written if there is an error
	var err error
	switch f {
	case Text, Wide:
		s, _ := w.(Screen)
		err = r.print(&textPrinter{blocks: blocks{Writer: &b}, screen: s, wide: f == Wide})
	case Markdown:
		err = r.print(&markdownPrinter{blocks{Writer: &b}})
	case LaTeX:
		err = r.print(&latexPrinter{blocks{Writer: &b}})
	case CSV:
		err = r.data().CSV(&b)
	case JSON:
		err = WriteJSON(&b, r.document())
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

func (r Result) print(p printer) error {
	if r.Title != "" {
		p.title(r.Title)
	}
	p.sentences(r.Sentences)
	below := r.Below()
	for i, t := range r.Tables {
		if i == len(r.Tables)-1 {
			t.Notes = slices.Concat(t.Notes, below)
		}
		if err := p.table(t); err != nil {
			return err
		}
	}
	if len(r.Tables) == 0 {
		p.notes(below)
	}
	for _, part := range r.Parts {
		if err := part.print(p); err != nil {
			return err
		}
	}
	return nil
}

// Below returns the lines of the warnings and the notes.
func (r Result) Below() []string {
	var lines []string
	for _, w := range r.Warnings {
		lines = append(lines, strings.Split("warning: "+w, "\n")...)
	}
	return append(lines, r.Notes...)
}

// A setDocument is the JSON document of one set in a Result of perSet.
type setDocument struct {
	Environment string               `json:"environment"` // label
	Conditions  results.Conditions   `json:"setting"`
	How         *bandit.ScoreOptions `json:"scored_by,omitempty"`
	Policies    any                  `json:"policies"`
	Parameters  compare.Parameters   `json:"parameters,omitempty"`
	Warnings    []compare.Warning    `json:"warnings"`
}

// perSet returns a Result with one part per set; CSV has the rows of all sets. The function f returns the rows, the
// table and the JSON document of a set. perSet sets the document's Environment, Conditions and Warnings, and to the
// table its Policies if they are nil.
func perSet[R any](sets []*results.Set, columns func([]R) Columns[R], f func(*results.Set) ([]R, Table, setDocument, error)) (Result, error) {
	var all []R
	var r Result
	for _, set := range sets {
		rows, t, document, err := f(set)
		if err != nil {
			return Result{}, err
		}
		document.Environment, document.Conditions, document.Warnings = set.Label, set.Conditions, compare.Totals(set).Warnings
		if document.Policies == nil {
			document.Policies = t
		}
		all = append(all, rows...)
		r.Parts = append(r.Parts, Result{Tables: []Table{t}, Warnings: messages(document.Warnings), Document: document})
	}
	r.Data = new(Data(columns(all), all))
	return r, nil
}

func (r Result) data() Table {
	if r.Data != nil {
		return *r.Data
	}
	if len(r.Tables) == 0 {
		return Table{}
	}
	return r.Tables[0]
}

func (r Result) document() any {
	if r.Document != nil {
		return r.Document
	}
	if len(r.Parts) == 0 {
		return r.data()
	}
	return lists.Each(r.Parts, func(part Result) any { return part.document() })
}
