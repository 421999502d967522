package report

import (
	"fmt"
	"slices"
	"strings"

	"banditsim/internal/lists"
	"banditsim/internal/origin"
	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/compare"
)

// Summary reports the regret of the policies of a set. Of metrics other than the primary one, text has only the means.
func Summary(s *compare.Summary) Result {
	t := summaryTable(s, summaryColumns(s))
	t.Notes = spreadNotes(s)
	r := Result{Sentences: s.Sentences, Tables: []Table{t}, Notes: slices.Concat(failureNotes(s), damagedNotes(s.Damaged)), Document: struct {
		Environment string             `json:"environment,omitzero"`
		Conditions  results.Conditions `json:"setting"`
		Policies    Table              `json:"policies"`
		Parameters  compare.Parameters `json:"parameters,omitempty"`
		Constant    *compare.Constant  `json:"constant_arm,omitempty"`
		Ranks       []compare.Rank     `json:"ranks,omitempty"`
		Verdict     string             `json:"verdict,omitempty"`
		Warnings    []compare.Warning  `json:"warnings"`
		Damaged     []results.Damaged  `json:"damaged"`
		Provenance  *origin.Provenance `json:"provenance,omitempty"`
	}{s.Environment, s.Conditions, t, s.Parameters, s.Constant, s.Ranks, strings.Join(s.Sentences, " "), s.Warnings, s.Damaged, s.Provenance}}
	r.Warnings = messages(s.Warnings)
	if s.Provenance != nil {
		if len(t.Notes)+len(r.Warnings)+len(r.Notes) > 0 {
			r.Notes = append(r.Notes, "")
		}
		r.Notes = append(r.Notes, provenanceLines(s.Provenance)...)
	}
	return r
}

// SummaryPage is Summary with the median, the best and the worst seed in columns of the table instead of notes.
func SummaryPage(s *compare.Summary) Result {
	l := summaryColumns(s)
	if slices.ContainsFunc(s.Policies, func(p compare.PolicySummary) bool { return len(p.Seeds) > 2 }) {
		l = append(l, seedColumns()...)
	}
	r := Summary(s)
	r.Tables = []Table{summaryTable(s, l)}
	return r
}

// seedColumns returns the columns that only SummaryPage has.
func seedColumns() Columns[summaryRow] {
	seed := func(s compare.SeedRegret) string { return fmt.Sprintf("%s (seed %d)", words.Amount(s.Regret), s.Seed) }
	return lift(Columns[compare.Regret]{
		{Header: "median", Exact: func(r compare.Regret) any { return r.Median }},
		{Header: "best", Text: func(r compare.Regret) string { return seed(r.Best) }},
		{Header: "worst", Text: func(r compare.Regret) string { return seed(r.Worst) }},
		{Header: "departs in round", Exact: func(r compare.Regret) any { return positive(r.Worst.Departs) }},
	}, func(r summaryRow) (compare.Regret, bool) { return r.Regret[compare.Primary()], len(r.Seeds) > 0 })
}

func summaryTable(s *compare.Summary, columns Columns[summaryRow]) Table {
	t := NewTable(columns, summaryRows(s), seedsCaption(s), s.Conditions.DataName()+" · "+s.Conditions.ProtocolName())
	if len(s.Sentences) == 0 && s.Constant != nil { // if there are sentences, one of them names the constant arm
		t.Caption = append(t.Caption, s.Constant.String())
	}
	t.Bars, t.Winner = summaryBars(s)
	return t
}

// summaryBars returns bars of the means of the primary metric, and the row with the lowest mean as the winner. If fewer
// than two policies have a mean, or no mean is positive, it returns neither.
func summaryBars(s *compare.Summary) (bars Bars, winner []int) {
	m := compare.Primary()
	bars.After = m.String()
	most, finished := 0.0, 0
	for _, p := range s.Policies {
		mean := 0.0
		if len(p.Seeds) > 0 {
			mean = p.Regret[m].All.Mean
			finished++
		}
		most = max(most, mean)
		bars.Shares = append(bars.Shares, mean)
	}
	if finished < 2 || most <= 0 {
		return Bars{}, nil
	}
	for i := range bars.Shares {
		bars.Shares[i] /= most
	}
	return bars, []int{0} // policies are sorted by this mean
}

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

// spreadNotes returns a heading and, for each policy with at least three seeds, a line: the median, the best and the worst seed.
func spreadNotes(s *compare.Summary) []string {
	rows := slices.DeleteFunc(slices.Clone(s.Policies), func(p compare.PolicySummary) bool { return len(p.Seeds) < 3 })
	if len(rows) == 0 {
		return nil
	}
	return append([]string{strings.ToUpper(compare.Primary().String()[:1]) + compare.Primary().String()[1:] + " regret by seed:"}, NewTable(spreads, rows).Lines()...)
}

var spreads = Columns[compare.PolicySummary]{
	{Text: func(p compare.PolicySummary) string { return words.Plain(p.Policy) + ":" }},
	{Right: true, Text: func(p compare.PolicySummary) string {
		return "median " + words.Amount(float64(p.Regret[compare.Primary()].Median)) + ","
	}},
	{Right: true, Text: func(p compare.PolicySummary) string {
		best := p.Regret[compare.Primary()].Best
		return fmt.Sprintf("best %s (seed %d),", words.Amount(best.Regret), best.Seed)
	}},
	{Text: func(p compare.PolicySummary) string {
		worst, departs := p.Regret[compare.Primary()].Worst, ""
		if worst.Departs > 0 {
			departs = ", departs in round " + words.Int(worst.Departs)
		}
		return fmt.Sprintf("worst %s (seed %d%s)", words.Amount(worst.Regret), worst.Seed, departs)
	}},
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

func trialNotes(failed compare.FailedTrials) []string {
	var notes []string
	for _, f := range failed {
		notes = append(notes, fmt.Sprintf("  seed %d, round %d: %s", f.Seed, f.Round, words.Plain(words.Shorten(f.Cause, 200))))
	}
	return words.AtMost(notes, maxNotes, "  and ")
}

func damagedNotes(damaged []results.Damaged) []string {
	if len(damaged) == 0 {
		return nil
	}
	notes := lists.Each(damaged, func(d results.Damaged) string {
		return "  " + words.Plain(strings.TrimPrefix(d.Err.Error(), "results: "))
	})
	return append([]string{words.Count(len(damaged), "damaged file") + " left out; run what they are of again, or delete them:"}, words.AtMost(notes, maxNotes, "  and ")...)
}

// maxNotes is the largest number of lines in a list of notes: of failed trials, damaged files or pairs of policies that differ.
const maxNotes = 10

// Summaries reports the summaries of several sets. The title of each has the environment's name in the experiment, or
// the fields in which the conditions differ. The last column of CSV has the same text. JSON is a list of summaries.
func Summaries(all []*compare.Summary) Result {
	var r Result
	var rows []summaryRow
	for i, difference := range results.Distinctions(lists.Each(all, func(s *compare.Summary) results.Conditions { return s.Conditions })) {
		s, what := all[i], "Setting"
		if s.Environment != "" {
			what, difference = "Environment", s.Environment
		}
		part := Summary(s)
		if part.Sentences != nil && s.Constant != nil { // the caption replaces the sentence that names the constant arm
			part.Tables[0].Caption = append(part.Tables[0].Caption, s.Constant.String())
		}
		part.Sentences = nil
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
	r.Data = new(Data(mixedColumns(all), rows))
	return r
}

func mixedColumns(all []*compare.Summary) Columns[summaryRow] {
	return append(summaryColumns(all...), Column[summaryRow]{Name: "setting",
		Doc:   "in what the conditions differ from the others, or the name of the environment; of several settings",
		Exact: func(r summaryRow) any { return r.setting }})
}
