package report

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"banditsim/internal/lists"
	"banditsim/internal/origin"
	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/compare"
	"banditsim/results/stats"
)

// Summary reports the regret of a set's policies. Of metrics other than the primary one, people see only the means.
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

// summaryBars returns bars of the means of the primary metric, and the index of the row with the lowest mean, for
// Table.Winner. If fewer than two policies have a mean, or no mean is positive, it returns neither.
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

// spreadNotes returns a heading and a line for each policy with at least three seeds: the median, best and worst seed.
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

// maxNotes limits the lines of a list of notes: of failed trials, damaged files or pairs of policies that differ.
const maxNotes = 10

// Summaries reports the summaries of several sets. The title of each has the environment's name in the experiment, or
// else the fields in which the conditions differ, and so has the last column of CSV. JSON is a list of summaries.
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

// maxTallies is the number of values that are shown of a field with at least two more. Of other fields all are shown.
const maxTallies = 6

// provenanceLines returns a heading, followed by lines with the values of each field of the provenance.
func provenanceLines(p *origin.Provenance) []string {
	lines := []string{fmt.Sprintf("Provenance of %s, results epoch %d", words.Count(p.Trials, "trial"), p.Epoch)}
	for _, f := range p.Facts(300) {
		if more := len(f.Values) - maxTallies; more > 1 {
			f.Values = append(f.Values[:maxTallies:maxTallies], fmt.Sprintf("and %d more", more))
		}
		for _, v := range f.Values {
			lines = append(lines, provenanceLine(f.Name, v))
			f.Name = ""
		}
	}
	if n := len(p.Unknown); n > 0 {
		lines = append(lines, provenanceLine("unknown", "for "+words.Count(n, "trial")+":"))
		unknown := lists.Each(p.Unknown, func(u origin.Unknown) string { return "    " + words.Plain(filepath.Base(u.Path)+": "+u.Cause) })
		lines = append(lines, words.AtMost(unknown, maxNotes, "    and ")...)
	}
	return lines
}

func provenanceLine(name, value string) string { return fmt.Sprintf("  %-9s  %s", name, value) }

// A summaryRow is a policy of a summary.
type summaryRow struct {
	*compare.PolicySummary
	summary *compare.Summary
	setting string // in Summaries, the environment's name or the fields in which the conditions differ; else ""
}

func (r summaryRow) parameters() (compare.Parameters, string) { return r.summary.Parameters, r.Policy }

func summaryRows(s *compare.Summary) []summaryRow {
	rows := make([]summaryRow, len(s.Policies))
	for i := range rows {
		rows[i] = summaryRow{PolicySummary: &s.Policies[i], summary: s}
	}
	return rows
}

// summaryColumns returns the columns of summaries.
func summaryColumns(all ...*compare.Summary) Columns[summaryRow] {
	metrics := compare.Metrics()
	failedLeaves := 1 // the field Leaves of the column "failed", which may be left out only if no trial failed
	var parameters []string
	burnIn := false // without burn-in, text has no columns for the rounds after it
	for _, s := range all {
		parameters = append(parameters, s.Parameters.Names()...)
		burnIn = burnIn || s.Conditions.Protocol.BurnIn > 0
		if slices.ContainsFunc(s.Policies, func(p compare.PolicySummary) bool { return len(p.Failed) > 0 }) {
			failedLeaves = 0
		}
	}
	last := metrics[len(metrics)-1]
	l := Columns[summaryRow]{
		{Name: "policy", Header: "policy", Doc: "label of the policy",
			Exact: func(r summaryRow) any { return r.Policy }},
		{Name: "options", Doc: "its resolved options; in JSON alone", JSON: func(r summaryRow) any { return r.Options }},
		{Name: "seeds", Header: "seeds", Doc: "number of trials that did all their rounds; in JSON their seeds", Leaves: 1002,
			Exact: func(r summaryRow) any { return len(r.Seeds) },
			JSON:  func(r summaryRow) any { return r.Seeds }},
		{Name: "seed_list", Doc: "their seeds", Flat: true, Exact: func(r summaryRow) any { return r.Seeds }},
		{Name: "failed", Header: "failed", Doc: "number of failed trials; in JSON seed, round and cause of each", After: last.String(), Leaves: failedLeaves,
			Exact: func(r summaryRow) any { return len(r.Failed) },
			JSON:  func(r summaryRow) any { return r.Failed }},
		{Name: "failed_seeds", Doc: "their seeds", Flat: true, Exact: func(r summaryRow) any { return r.Failed.Seeds() }},
	}
	for k, m := range metrics {
		l = append(l, regretColumns(m, k, burnIn)...)
	}
	for _, m := range metrics {
		l = append(l, spreadColumns(m)...)
	}
	l = append(l, Column[summaryRow]{Name: "warnings", Doc: "kinds of the warnings of the policy and of all", Flat: true,
		Exact: func(r summaryRow) any { return warningKinds(r.summary.Warnings, r.Policy) }})
	l = append(l, conditionColumns(func(r summaryRow) results.Conditions { return r.summary.Conditions })...)
	return withParameters(l, parameters, summaryRow.parameters)
}

// regretColumns returns the columns of m, metric k of compare.Metrics. JSON has one column, a compare.Regret.
func regretColumns(m *compare.Metric, k int, burnIn bool) Columns[summaryRow] {
	of := func(r summaryRow) compare.Regret { return r.Regret[m] }
	all := Column[summaryRow]{Name: m.String(), Header: m.String() + " regret", Short: m.String(), Unit: "reward",
		Doc:  "mean cumulative " + m.String() + " regret over all rounds; in JSON an object with all that follows of it",
		JSON: func(r summaryRow) any { return of(r) }}
	percent := Column[summaryRow]{Name: m.String() + "_percent_of_uniform", Doc: "the mean in percent of the expected regret of acting uniformly", Flat: true,
		Exact: func(r summaryRow) any { return of(r).Percent }}
	name := m.String() + "_after_burn_in"
	after := Column[summaryRow]{Name: name, Doc: "the same over the rounds after burn-in", Unit: "reward", Flat: true}
	afterPercent := Column[summaryRow]{Name: name + "_percent_of_uniform", Doc: "in percent of acting uniformly in the same rounds", Flat: true,
		Exact: func(r summaryRow) any { return of(r).PercentAfterBurnIn }}
	if k == 0 {
		percent.Header, percent.Short, percent.Leaves = "% of uniform", "% unif.", 1000
		percent.Text = func(r summaryRow) string { return words.Percent(float64(of(r).Percent)) }
	}
	if k == 0 && burnIn {
		after.Header, after.Leaves = "after burn-in", 1001
		afterPercent.Header, afterPercent.Short, afterPercent.Leaves = "% of uniform", "% unif.", 2
		afterPercent.Text = func(r summaryRow) string { return words.Percent(float64(of(r).PercentAfterBurnIn)) }
	}
	if k > 0 {
		all.Leaves = 2 + k
	}
	l := append(Estimate(all, m.String()+"_", func(r summaryRow) stats.Estimate { return of(r).All }), percent)
	l = append(l, Estimate(after, name+"_", func(r summaryRow) stats.Estimate { return of(r).AfterBurnIn })...)
	return append(l, afterPercent)
}

// spreadColumns returns the columns of the median, the best and the worst seed by metric m for CSV. They are empty
// without a finished trial. In JSON these values are in the object of regretColumns.
func spreadColumns(m *compare.Metric) Columns[summaryRow] {
	return lift(Columns[compare.Regret]{
		{Name: m.String() + "_median", Doc: "median of the seeds' " + m.String() + " regrets", Unit: "reward", Flat: true, Exact: func(r compare.Regret) any { return r.Median }},
		{Name: m.String() + "_best", Doc: "the lowest", Unit: "reward", Flat: true, Exact: func(r compare.Regret) any { return r.Best.Regret }},
		{Name: m.String() + "_best_seed", Doc: "its seed", Flat: true, Exact: func(r compare.Regret) any { return r.Best.Seed }},
		{Name: m.String() + "_worst", Doc: "the highest", Unit: "reward", Flat: true, Exact: func(r compare.Regret) any { return r.Worst.Regret }},
		{Name: m.String() + "_worst_seed", Doc: "its seed", Flat: true, Exact: func(r compare.Regret) any { return r.Worst.Seed }},
		{Name: m.String() + "_worst_departs_round", Doc: "the round from which on it is an outlier among the seeds; empty if it is not one", Flat: true,
			Exact: func(r compare.Regret) any { return positive(r.Worst.Departs) }},
	}, func(r summaryRow) (compare.Regret, bool) { return r.Regret[m], len(r.Seeds) > 0 })
}

// conditionColumns returns columns for the end of every CSV: the conditions of the trials, which JSON has as "setting".
func conditionColumns[R any](of func(R) results.Conditions) Columns[R] {
	return Columns[R]{
		{Name: "environment", Doc: "name of the environment", Flat: true, Exact: func(r R) any { return of(r).Environment.Name }},
		{Name: "data", Doc: "name of its data", Flat: true, Exact: func(r R) any { return of(r).Environment.Data.Name }},
		{Name: "sha256", Doc: "of the data", Flat: true, Exact: func(r R) any { return of(r).Environment.Data.SHA256 }},
		{Name: "rounds", Doc: "rounds of a trial", Flat: true, Exact: func(r R) any { return of(r).Protocol.Rounds }},
		{Name: "pulls", Doc: "pulls of a round", Flat: true, Exact: func(r R) any { return of(r).Protocol.Pulls }},
		{Name: "burn_in", Doc: "random pulls at the beginning", Flat: true, Exact: func(r R) any { return of(r).Protocol.BurnIn }},
		{Name: "epoch", Doc: "results epoch", Flat: true, Exact: func(r R) any { return of(r).Epoch }},
	}
}

func warningKinds(warnings []compare.Warning, policies ...string) string {
	var kinds []string
	for _, w := range warnings {
		if w.Policy == "" || slices.Contains(policies, w.Policy) {
			kinds = append(kinds, string(w.Kind))
		}
	}
	return strings.Join(slices.Compact(kinds), " ")
}
