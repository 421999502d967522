package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"banditsim/internal/lists"
	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/compare"
	"banditsim/results/stats"
)

// An acrossRow is a row of a comparison over environments: in tables a policy, in CSV a policy in one environment.
type acrossRow struct {
	*compare.AcrossPolicy
	environment int // index of the environment of the CSV row
	across      *compare.Across
}

func (r acrossRow) parameters() (compare.Parameters, string) { return r.across.Parameters, r.Policy }

func (r acrossRow) in() compare.AcrossEnvironment { return r.across.Environments[r.environment] }

// acrossColumns returns the columns of comparisons over environments. The format Text lacks the ranks by environment.
func acrossColumns(a *compare.Across) Columns[acrossRow] {
	l := Columns[acrossRow]{
		{Name: "policy", Header: "policy", Doc: "label of the policy",
			Exact: func(r acrossRow) any { return r.Policy }},
		{Name: "setting", Doc: "name of the environment of the row", Exact: func(r acrossRow) any { return r.in().Label }},
		{Name: "metric", Doc: "kind of regret", Exact: func(r acrossRow) any { return r.across.Metric.String() }},
		{Name: "seeds", Doc: "number of seeds that all policies finished there", Exact: func(r acrossRow) any { return len(r.in().Seeds) }},
		{Name: "seed_list", Doc: "these seeds", Exact: func(r acrossRow) any { return r.in().Seeds }},
		{Name: "regret", Doc: "mean cumulative regret over these seeds", Unit: "reward", Exact: func(r acrossRow) any { return r.Regret[r.environment] }},
		{Name: "regret_low", Doc: "its 95 % t-interval: lower end", Unit: "reward", Exact: func(r acrossRow) any { return r.Intervals[r.environment].Low }},
		{Name: "regret_high", Doc: "upper end", Unit: "reward", Exact: func(r acrossRow) any { return r.Intervals[r.environment].High }},
		{Name: "rank", Doc: "rank in the environment, 1 the lowest regret", Exact: func(r acrossRow) any { return r.Ranks[r.environment] }},
		{Name: "mean_rank", Header: "rank", Doc: "mean of the ranks in the environments",
			Text: func(r acrossRow) string { return rankText(r.MeanRank) }, Exact: func(r acrossRow) any { return r.MeanRank }},
		{Name: "best", Header: "lowest", Doc: "environments with rank 1", Leaves: 2,
			Exact: func(r acrossRow) any { return r.Best }},
		{Name: "wins", Header: "won", Doc: "pairs of policy and environment that it won, by a paired t-test over the seeds", Leaves: 5,
			Exact: func(r acrossRow) any { return r.Wins }},
		{Name: "ties", Header: "tied", Doc: "pairs without a significant difference", Leaves: 1,
			Exact: func(r acrossRow) any { return r.Ties }},
		{Name: "losses", Header: "lost", Doc: "pairs that it lost", Leaves: 4,
			Exact: func(r acrossRow) any { return r.Losses }},
		{Name: "percent_of_uniform", Header: "% of uniform", Short: "% unif.", Doc: "regret in percent of that of acting uniformly, mean over the environments", Leaves: 6,
			Text: func(r acrossRow) string { return words.Percent(float64(r.OfUniform)) }, Exact: func(r acrossRow) any { return r.OfUniform }},
		{Name: "percent_above_best", Header: "above best", Short: "above", Doc: "regret above the lowest, in percent of the way to acting uniformly, mean over the environments", Leaves: 3,
			Text: func(r acrossRow) string { return words.Percent(float64(r.AboveBest)) }, Exact: func(r acrossRow) any { return r.AboveBest }},
	}
	l = append(l, aggregateColumns()...)
	for k, e := range a.Environments {
		l = append(l, Column[acrossRow]{Header: words.Plain(e.Label), Wide: true,
			Text: func(r acrossRow) string { return strings.TrimSuffix(strconv.FormatFloat(r.Ranks[k], 'f', 1, 64), ".0") }})
	}
	l = append(l, Columns[acrossRow]{
		{Name: "friedman_chi_square", Doc: "Friedman's statistic: whether the policies rank alike", Exact: func(r acrossRow) any { return r.across.Friedman.ChiSquare }},
		{Name: "friedman_p", Doc: "its p-value", Exact: func(r acrossRow) any { return r.across.Friedman.P }},
		{Name: "friedman_f", Doc: "the statistic of Iman and Davenport", Exact: func(r acrossRow) any { return r.across.Friedman.F }},
		{Name: "friedman_f_p", Doc: "its p-value", Exact: func(r acrossRow) any { return r.across.Friedman.FP }},
		{Name: "critical_difference", Doc: "Nemenyi: mean ranks differ if they are further apart", Exact: func(r acrossRow) any { return r.across.CriticalDifference }},
	}...)
	l = append(l, conditionColumns(func(r acrossRow) results.Conditions { return r.in().Conditions })...)
	return withParameters(l, a.Parameters.Names(), acrossRow.parameters)
}

// Across reports a comparison over environments: the ranks of the policies, and their regret in each environment. CSV
// has one row per policy and environment; JSON also has the pairs of policies.
func Across(a *compare.Across) Result {
	var rows []acrossRow
	for i := range a.Policies {
		for k := range a.Environments {
			rows = append(rows, acrossRow{&a.Policies[i], k, a})
		}
	}
	data := Data(acrossColumns(a), rows)
	return Result{Sentences: []string{a.Verdict()}, Tables: []Table{ranksTable(a), aggregateTable(a), regretTable(a)}, Data: &data, Document: a, Warnings: messages(a.Warnings)}
}

// aggregateColumns returns the columns of the aggregates over the environments, which text does not have.
func aggregateColumns() Columns[acrossRow] {
	return slices.Concat(
		Estimate(Column[acrossRow]{Name: "interquartile_mean", Doc: "mean of the middle half of the scores of all trials, by the stratified bootstrap; score: 1 no regret, 0 acting uniformly"},
			"interquartile_mean_", func(r acrossRow) stats.Estimate { return r.InterquartileMean }),
		Estimate(Column[acrossRow]{Name: "optimality_gap", Doc: "by how much the scores fall short of 1 on average, scores above 1 counting as 1"},
			"optimality_gap_", func(r acrossRow) stats.Estimate { return r.OptimalityGap }),
		Estimate(Column[acrossRow]{Name: "improvement", Doc: "probability that a trial of the policy has less regret than one of the baseline in the same environment, ties one half; mean over the environments"},
			"improvement_", func(r acrossRow) stats.Estimate { return r.Improvement }),
		Columns[acrossRow]{{Name: "baseline", Doc: "label of the policy that it is compared with", Exact: func(r acrossRow) any { return r.across.Baseline }}},
	)
}

// aggregateTable returns a table of the aggregates over the environments with their intervals.
func aggregateTable(a *compare.Across) Table {
	column := func(header string, leaves int, estimate func(compare.AcrossPolicy) stats.Estimate) Column[compare.AcrossPolicy] {
		return Column[compare.AcrossPolicy]{Header: header, Leaves: leaves, Text: func(p compare.AcrossPolicy) string { return estimate(p).WithInterval() }}
	}
	columns := Columns[compare.AcrossPolicy]{
		{Header: "policy", Exact: func(p compare.AcrossPolicy) any { return p.Policy }},
		column("IQM", 0, func(p compare.AcrossPolicy) stats.Estimate { return p.InterquartileMean }),
		column("optimality gap", 1, func(p compare.AcrossPolicy) stats.Estimate { return p.OptimalityGap }),
		column("P(better than "+words.Plain(a.Baseline)+")", 2, func(p compare.AcrossPolicy) stats.Estimate { return p.Improvement }),
	}
	score := "score of a trial: 1 − regret/(regret of acting uniformly); IQM: mean of the middle half of the scores; optimality gap: 1 − mean(min(score, 1))"
	resampled := fmt.Sprintf("[95 %% interval]: other seeds in these environments, by %s stratified resamples; too short for few seeds", words.Int(stats.StratifiedResamples))
	t := NewTable(columns, a.Policies, "Scores of all trials, each environment with the same weight", score,
		"P(better): probability that a trial has less regret than one of "+words.Plain(a.Baseline)+", ties one half", resampled)
	t.Key, t.Winner = []string{"score: 1 no regret, 0 acting uniformly · IQM: mean of the middle half · [95 % interval over seeds]"}, []int{0}
	if len(a.Unscored) > 0 {
		t.Notes = []string{"without a score, and not in Wilcoxon's test, as the regret of acting uniformly is unknown or zero: " + words.Plain(strings.Join(a.Unscored, ", "))}
	}
	return t.Known()
}

func regretTable(a *compare.Across) Table {
	columns := Columns[compare.AcrossPolicy]{{Header: "policy", Exact: func(p compare.AcrossPolicy) any { return p.Policy }}}
	for k, e := range a.Environments {
		text := func(p compare.AcrossPolicy) string { return p.Intervals[k].String() }
		columns = append(columns, Column[compare.AcrossPolicy]{Header: words.Plain(e.Label), Text: text})
	}
	t := NewTable(columns, a.Policies, fmt.Sprintf("Cumulative %s regret by environment, mean ± half of the 95 %% t-interval over the seeds", a.Metric))
	t.Winner = []int{0}
	return t
}

func ranksTable(a *compare.Across) Table {
	rows := lists.Each(a.Policies, func(p compare.AcrossPolicy) acrossRow { return acrossRow{&p, 0, a} })
	t := NewTable(acrossColumns(a), rows,
		fmt.Sprintf("Policies over %s, by mean cumulative %s regret over %s", words.Count(len(a.Environments), "environment"), a.Metric, a.SeedsText()),
		"rank: the mean of the ranks in the environments, 1 is the lowest regret; lowest: environments with rank 1",
		"won, tied, lost: pairs of policy and environment, by a paired t-test over the seeds (Holm in each environment)",
		"% of uniform, above best: means over the environments; above best: 0 % the lowest regret, 100 % acting uniformly",
	)
	t.Key = []string{"rank: mean over the environments · won, tied, lost: paired t-tests, Holm · columns: banditsim help compare"}
	t.Winner = []int{0}
	var few []string
	for _, e := range a.Environments {
		if len(e.Seeds) < compare.MinSeeds {
			few = append(few, words.Plain(e.Label))
		}
	}
	if len(few) > 0 && len(a.Pairs) > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("warning: under %d seeds, so all are tied there: %s", compare.MinSeeds, words.Shorten(strings.Join(few, ", "), 200)))
	}
	t.Notes = append(t.Notes, "Friedman: "+a.Friedman.String()+": whether the policies rank alike")
	if words.Finite(float64(a.CriticalDifference)) {
		t.Notes = append(t.Notes, fmt.Sprintf("Nemenyi: mean ranks differ if they are more than %s apart (level %v, all pairs together)", rankText(float64(a.CriticalDifference)), stats.Significance))
	}
	t.Notes = append(t.Notes, wilcoxonNotes(a)...)
	if len(a.LeftOut) > 0 {
		t.Notes = append(t.Notes, "left out, as they did not finish a trial in every environment: "+words.Plain(strings.Join(a.LeftOut, ", ")))
	}
	return t
}

func rankText(v float64) string { return strconv.FormatFloat(v, 'f', 2, 64) }

// wilcoxonNotes returns notes with the policy pairs that differ significantly in Wilcoxon's test; nil without tests.
func wilcoxonNotes(a *compare.Across) []string {
	tests := 0
	var different []string
	for _, p := range a.Pairs {
		if words.Finite(float64(p.P)) {
			tests++
		}
		if float64(p.Holm) < stats.Significance {
			different = append(different, fmt.Sprintf("  %s, %s: p %s", words.Plain(p.Policy), words.Plain(p.Other), words.PValue(float64(p.Holm))))
		}
	}
	note := fmt.Sprintf("Wilcoxon over the environments (Holm, %s): ", words.Count(tests, "test"))
	switch least := 1 / float64(int(1)<<min(max(len(a.Environments)-len(a.Unscored), 1)-1, 60)) * float64(tests); {
	case tests == 0:
		return nil
	case len(different) > 0:
		return append([]string{note + words.Count(len(different), "pair") + " differ"}, words.AtMost(different, maxNotes, "  and ")...)
	case least >= stats.Significance:
		return []string{note + "no pair can differ, as so few environments allow no smaller p than " + words.PValue(min(least, 1))}
	}
	return []string{note + "no pair differs"}
}

// An anytimeRow is the row of one pair of policies. The field of is the comparison.
type anytimeRow struct {
	compare.AnytimePair
	of *compare.Anytime
}

// Anytime reports an anytime comparison: each pair of policies with an interval that holds at every number of seeds.
func Anytime(a *compare.Anytime) Result {
	rows := lists.Each(a.Pairs, func(p compare.AnytimePair) anytimeRow { return anytimeRow{p, a} })
	t := NewTable(anytimeColumns(), rows,
		fmt.Sprintf("Cumulative %s regret of a policy less that of a better one, paired by seed: mean and anytime interval", a.Metric),
		fmt.Sprintf("interval: %.0f %% for %s together (Bonferroni), at every number of seeds from %d on: seeds may be added until it tells enough", 100*stats.Confidence, words.Count(len(a.Pairs), "pair"), stats.MinAnytime),
		"p (t), p (sign): of the t and the sign e-process, valid at any stop, corrected for all pairs (Holm); sign: of the median, for skewed differences",
		"settled: "+untilText(a.Until),
		a.Conditions.DataName(), a.Conditions.ProtocolName(),
	)
	sentence := fmt.Sprintf("Settled: %s.", words.Count(len(a.Pairs), "pair"))
	if !a.Settled {
		sentence = fmt.Sprintf("%d of %s not settled: more seeds may settle them.", len(a.Open()), words.Count(len(a.Pairs), "pair"))
	}
	return Result{Sentences: []string{sentence}, Tables: []Table{t}, Warnings: messages(a.Warnings), Document: struct {
		*compare.Anytime
		Pairs Table `json:"pairs"`
	}{a, t}}
}

func anytimeColumns() Columns[anytimeRow] {
	l := Columns[anytimeRow]{
		{Name: "policy", Header: "policy", Doc: "label of the policy",
			Exact: func(r anytimeRow) any { return r.Policy }},
		{Name: "baseline", Header: "less", Doc: "label of the policy that it is compared with",
			Exact: func(r anytimeRow) any { return r.Other }},
		{Name: "metric", Doc: "kind of regret", Flat: true, Exact: func(r anytimeRow) any { return r.of.Metric.String() }},
		{Name: "seeds", Header: "seeds", Doc: "number of pairs; in JSON their seeds", Leaves: 2,
			Exact: func(r anytimeRow) any { return r.Mean.N }, JSON: func(r anytimeRow) any { return r.Seeds }},
		{Name: "seed_list", Doc: "their seeds", Flat: true, Exact: func(r anytimeRow) any { return r.Seeds }},
	}
	l = append(l, Estimate(Column[anytimeRow]{Name: "difference", Header: "difference", Doc: "mean of the differences; in JSON an object with the anytime interval", Unit: "reward",
		Text: func(r anytimeRow) string { return r.Mean.MeanText() }},
		"difference_", func(r anytimeRow) stats.Estimate { return r.Mean })...)
	return append(l, Columns[anytimeRow]{
		{Header: "anytime interval", Text: func(r anytimeRow) string { return r.Mean.Interval() }},
		{Name: "p", Doc: "anytime p-value of the t e-process", Exact: func(r anytimeRow) any { return r.P }},
		{Name: "p_holm", Header: "p (t)", Doc: "the same corrected for all pairs (Holm)", Leaves: 3,
			Text: func(r anytimeRow) string { return words.PValue(r.Holm) }, Exact: func(r anytimeRow) any { return r.Holm }},
		{Name: "sign_p", Doc: "anytime p-value of the sign e-process", Exact: func(r anytimeRow) any { return r.Sign }},
		{Name: "sign_p_holm", Header: "p (sign)", Doc: "the same corrected for all pairs (Holm)", Leaves: 1,
			Text: func(r anytimeRow) string { return words.PValue(r.SignHolm) }, Exact: func(r anytimeRow) any { return r.SignHolm }},
		{Name: "pairs", Doc: "number of pairs that intervals and p-values are corrected for", Flat: true, Exact: func(r anytimeRow) any { return len(r.of.Pairs) }},
		{Name: "settled", Header: "settled", Doc: "whether the pair is settled", Exact: func(r anytimeRow) any { return r.Settled }},
	}...)
}

func untilText(u compare.Until) string {
	var when []string
	if u.Separated || u.Width == 0 {
		when = append(when, "excludes 0")
	}
	if u.Width > 0 {
		when = append(when, fmt.Sprintf("is at most %s wide", words.Amount(u.Width)))
	}
	return "the interval " + strings.Join(when, ", or ")
}
