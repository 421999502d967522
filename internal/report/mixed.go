package report

import (
	"fmt"

	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/compare"
)

// Summaries reports summaries of several conditions, each under a title that says in what it differs
// from the others, or names the environment. In JSON they are a list; in CSV the last column has the difference.
func Summaries(all []*compare.Summary) Result {
	conditions := make([]results.Conditions, len(all))
	for i, s := range all {
		conditions[i] = s.Conditions
	}
	var r Result
	var rows []summaryRow
	for i, difference := range results.Distinctions(conditions) {
		s, what := all[i], "Setting"
		if s.Environment != "" {
			what, difference = "Environment", s.Environment
		}
		part := Summary(s)
		if part.Sentences != nil { // nothing is paired between settings: the captions say what is known of each
			part.Sentences = nil
			part.Tables[0].Caption = append(part.Tables[0].Caption, constantLine(s.Constant)...)
		}
		part.Title = fmt.Sprintf("%s %d of %d", what, i+1, len(all))
		if difference != "" {
			part.Title += ": " + words.Plain(difference)
		}
		r.Parts = append(r.Parts, part)
		for _, row := range summaryRows(s) {
			row.setting = difference
			rows = append(rows, row)
		}
	}
	t := Data(mixedColumns(all), rows)
	r.Data = &t
	return r
}

// mixedColumns returns the columns of several summaries.
func mixedColumns(all []*compare.Summary) Columns[summaryRow] {
	return append(summaryColumns(all...), Column[summaryRow]{Name: "setting", Doc: "in what the conditions differ from the others, or the name of the environment; of several settings",
		Exact: func(r summaryRow) any { return r.setting }})
}
