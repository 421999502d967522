package report

import (
	"slices"
	"strings"

	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/compare"
	"banditsim/results/stats"
)

// A summaryRow is a policy of a summary.
type summaryRow struct {
	*compare.PolicySummary
	summary *compare.Summary
	setting string // with several summaries, the environment's name or the fields in which the conditions differ
}

func (r summaryRow) parameters() (compare.Parameters, string) { return r.summary.Parameters, r.Policy }

func summaryRows(s *compare.Summary) []summaryRow {
	rows := make([]summaryRow, len(s.Policies))
	for i := range rows {
		rows[i] = summaryRow{PolicySummary: &s.Policies[i], summary: s}
	}
	return rows
}

// summaryColumns returns the columns of summaries. Of metrics other than the primary one, text has only the means.
func summaryColumns(all ...*compare.Summary) Columns[summaryRow] {
	metrics := compare.Metrics()
	failedLeaves := 1 // the field Leaves of the column "failed", which may be left out only if no trial failed
	var parameters []compare.Parameters
	burnIn := false // without burn-in, text has no columns for the rounds after it
	for _, s := range all {
		parameters = append(parameters, s.Parameters)
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
	return withParameters(l, parameterNames(parameters...), summaryRow.parameters)
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

// spreadColumns returns the columns of the median, the best and the worst seed by metric m, which are empty without a
// finished trial. JSON has them in compare.Regret.
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
