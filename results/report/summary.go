package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/column"
	"banditsim/results/compare"
)

// Summary writes a summary; text and Markdown end with its verdict, if there is one.
func Summary(w io.Writer, f Format, s *compare.Summary) error {
	err := Render(w, f, func() Table { return SummaryTable(s) }, summaryColumns(s).CSV(summaryRows(s)), newSummaryJSON(s))
	if err != nil || f == CSV || f == JSON {
		return err
	}
	return conclude(w, f, s.Verdict)
}

// conclude writes what is said below a table of text or Markdown.
func conclude(w io.Writer, f Format, text string) error {
	if text == "" {
		return nil
	}
	if f == Markdown {
		text = escapeMarkdown(text)
	}
	if _, err := fmt.Fprintf(w, "\n%s\n", WrapText(w, text)); err != nil {
		return fmt.Errorf("report: write what is below a table: %w", err)
	}
	return nil
}

// SummaryTable returns the table of a summary: the first metric in full, and the mean of the others.
func SummaryTable(s *compare.Summary) Table {
	t := summaryTable(s, summaryColumns(s))
	t.Notes = slices.Concat(spreadNotes(s), t.Notes)
	return t
}

// SummaryPage is SummaryTable with columns of the seeds' median, best and worst in place of notes.
func SummaryPage(s *compare.Summary) Table {
	l := summaryColumns(s)
	if slices.ContainsFunc(s.Policies, func(p compare.PolicySummary) bool { return len(p.Seeds) > 2 }) {
		l = append(l, seedColumns()...)
	}
	return summaryTable(s, l)
}

// seedColumns are the columns of SummaryPage alone.
func seedColumns() column.List[summaryRow] {
	of := func(r summaryRow) compare.Regret { return r.Regret[compare.Metrics()[0]] }
	seed := func(header string, of func(summaryRow) compare.SeedRegret) column.Column[summaryRow] {
		return column.Column[summaryRow]{Header: header, Text: func(r summaryRow) string {
			if len(r.Seeds) == 0 {
				return words.None
			}
			return fmt.Sprintf("%s (seed %d)", words.Amount(of(r).Regret), of(r).Seed)
		}}
	}
	return column.List[summaryRow]{
		{Header: "median", Text: func(r summaryRow) string { return words.Amount(float64(of(r).Median)) }},
		seed("best", func(r summaryRow) compare.SeedRegret { return of(r).Best }),
		seed("worst", func(r summaryRow) compare.SeedRegret { return of(r).Worst }),
		{Header: "departs in round", Text: func(r summaryRow) string {
			if of(r).Worst.Departs == 0 {
				return words.None
			}
			return words.Int(of(r).Worst.Departs)
		}},
	}
}

// summaryTable is without the notes on the spread of seeds.
func summaryTable(s *compare.Summary, columns column.List[summaryRow]) Table {
	t := NewTable(columns, summaryRows(s), seedsCaption(s), s.Conditions.DataName()+" · "+s.Conditions.ProtocolName())
	t.Caption = append(t.Caption, constantLine(s.Constant)...)
	t.Bars, t.Winner = summaryBars(s)
	t.Notes = slices.Concat(warningNotes(s.Warnings), failureNotes(s), damagedNotes(s.Damaged))
	if s.Provenance != nil {
		if len(t.Notes) > 0 {
			t.Notes = append(t.Notes, "")
		}
		t.Notes = append(t.Notes, provenanceLines(s.Provenance)...)
	}
	return t
}

// summaryBars returns the bars of the means of the first metric, and the row of the lowest, if there are two means or more.
func summaryBars(s *compare.Summary) (bars Bars, winner []int) {
	m := compare.Metrics()[0]
	most, finished := 0.0, 0
	for _, p := range s.Policies {
		if len(p.Seeds) > 0 {
			most = max(most, p.Regret[m].All.Mean)
			finished++
		}
	}
	if finished < 2 || most <= 0 {
		return Bars{}, nil
	}
	bars.After = m.String()
	for _, p := range s.Policies {
		share := 0.0
		if len(p.Seeds) > 0 {
			share = p.Regret[m].All.Mean / most
		}
		bars.Shares = append(bars.Shares, share)
	}
	return bars, []int{0} // policies are sorted by this mean
}

// constantLine returns the line of captions about the best constant arm, if it is known.
func constantLine(c *compare.Constant) []string {
	if c == nil {
		return nil
	}
	return []string{c.String()}
}

// seedsCaption says which regret, which interval and how many seeds.
func seedsCaption(s *compare.Summary) string {
	switch seeds, interval := s.SeedsText(); {
	case seeds == "":
		return "Cumulative regret: no trial did all its rounds"
	case interval:
		return "Cumulative regret, mean ± half of the 95 % t-interval over " + seeds
	default:
		return "Cumulative regret of " + seeds + ": no interval"
	}
}

// spreadNotes returns a line for each policy of three seeds or more: median, best and worst seed, which
// a mean with its interval does not show.
func spreadNotes(s *compare.Summary) []string {
	rows := slices.DeleteFunc(slices.Clone(s.Policies), func(p compare.PolicySummary) bool { return len(p.Seeds) < 3 })
	if len(rows) == 0 {
		return nil
	}
	return append([]string{"Of the " + compare.Metrics()[0].String() + " regrets of the seeds:"}, Lines(spreads, rows)...)
}

var spreads = column.List[compare.PolicySummary]{
	{Text: func(p compare.PolicySummary) string { return words.Plain(p.Policy) + ":" }},
	{Right: true, Text: func(p compare.PolicySummary) string {
		return "median " + words.Amount(float64(p.Regret[compare.Metrics()[0]].Median)) + ","
	}},
	{Right: true, Text: func(p compare.PolicySummary) string {
		best := p.Regret[compare.Metrics()[0]].Best
		return fmt.Sprintf("best %s (seed %d),", words.Amount(best.Regret), best.Seed)
	}},
	{Text: func(p compare.PolicySummary) string {
		worst, departs := p.Regret[compare.Metrics()[0]].Worst, ""
		if worst.Departs > 0 {
			departs = ", departs in round " + words.Int(worst.Departs)
		}
		return fmt.Sprintf("worst %s (seed %d%s)", words.Amount(worst.Regret), worst.Seed, departs)
	}},
}

func warningNotes(warnings []compare.Warning) []string {
	var notes []string
	for _, w := range warnings {
		notes = append(notes, "warning: "+words.Plain(w.Message))
	}
	return notes
}

func failureNotes(s *compare.Summary) []string {
	var notes []string
	for _, p := range s.Policies {
		if len(p.Failed) > 0 {
			notes = append(notes, words.Plain(p.Policy)+": "+p.Failed.String()+" (not in the means)")
			notes = append(notes, trialNotes(p.Failed)...)
		}
	}
	return notes
}

// trialNotes returns a line for each failed trial, with its round and cause.
func trialNotes(failed []compare.FailedTrial) []string {
	var notes []string
	for _, f := range failed {
		notes = append(notes, fmt.Sprintf("  seed %d, round %d: %s", f.Seed, f.Round, words.Plain(words.Shorten(f.Cause, 200))))
	}
	return atMost(notes, "  ")
}

func damagedNotes(damaged []results.Damaged) []string {
	if len(damaged) == 0 {
		return nil
	}
	var notes []string
	for _, d := range damaged {
		notes = append(notes, "  "+words.Plain(strings.TrimPrefix(d.Err.Error(), "results: ")))
	}
	return append([]string{words.Count(len(damaged), "damaged file") + " left out; run what they are of again, or delete them:"}, atMost(notes, "  ")...)
}

// maxNotes bounds the failures and damaged files that notes name.
const maxNotes = 10

// atMost returns the first maxNotes lines and the number of the others.
func atMost(lines []string, indent string) []string {
	if len(lines) <= maxNotes {
		return lines
	}
	return append(lines[:maxNotes:maxNotes], fmt.Sprintf("%sand %d more", indent, len(lines)-maxNotes))
}
