package report

import (
	"bytes"
	"fmt"
	"io"

	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/column"
	"banditsim/results/compare"
)

// Mixed writes summaries of several conditions, each under a heading that says in what it differs
// from the others, or names the environment. In JSON they are a list; in CSV the last column has the difference.
func Mixed(w io.Writer, f Format, all []*compare.Summary) error {
	conditions := make([]results.Conditions, len(all))
	for i, s := range all {
		conditions[i] = s.Conditions
	}
	differences := results.Distinctions(conditions)
	for i, s := range all {
		if s.Environment != "" {
			differences[i] = s.Environment
		}
	}
	if f == CSV || f == JSON {
		columns, rows, documents := mixedColumns(all), []summaryRow(nil), []summaryJSON{}
		for i, s := range all {
			documents = append(documents, newSummaryJSON(s))
			for _, row := range summaryRows(s) {
				row.setting = differences[i]
				rows = append(rows, row)
			}
		}
		return Render(w, f, nil, columns.CSV(rows), documents)
	}
	var b bytes.Buffer
	for i, s := range all {
		heading := fmt.Sprintf("Setting %d of %d", i+1, len(all))
		if all[i].Environment != "" {
			heading = fmt.Sprintf("Environment %d of %d", i+1, len(all))
		}
		if differences[i] != "" {
			heading += ": " + words.Plain(differences[i])
		}
		if f == Markdown {
			heading = "## " + escapeMarkdown(heading)
		}
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%s\n\n", heading)
		var to io.Writer = &b
		if screen, ok := w.(Screen); ok {
			screen.Writer = &b
			to = screen
		}
		if err := Summary(to, f, s); err != nil {
			return err
		}
	}
	if _, err := w.Write(b.Bytes()); err != nil {
		return fmt.Errorf("report: write table: %w", err)
	}
	return nil
}

// mixedColumns returns the columns of several summaries.
func mixedColumns(all []*compare.Summary) column.List[summaryRow] {
	return append(summaryColumns(all...), column.Column[summaryRow]{Name: "setting", Doc: "in what the conditions differ from the others, or the name of the environment; of several settings",
		Exact: func(r summaryRow) any { return r.setting }})
}
