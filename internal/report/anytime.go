package report

import (
	"fmt"

	"banditsim/internal/words"
	"banditsim/results/compare"
	"banditsim/results/stats"
)

// An anytimeRow is a pair of policies.
type anytimeRow struct {
	compare.AnytimePair
	of *compare.Anytime
}

// Anytime reports an anytime comparison.
func Anytime(a *compare.Anytime) Result {
	var rows []anytimeRow
	for _, p := range a.Pairs {
		rows = append(rows, anytimeRow{p, a})
	}
	t := NewTable(anytimeColumns(), rows,
		fmt.Sprintf("Cumulative %s regret of a policy less that of a better one, paired by seed: mean and anytime interval", a.Metric),
		fmt.Sprintf("interval: %.0f %% for %s together (Bonferroni), at every number of seeds from %d on: seeds may be added until it tells enough", 100*stats.Confidence, words.Count(len(a.Pairs), "pair"), stats.MinAnytime),
		"p (t), p (sign): of the t and the sign e-process, valid at any stop, corrected for all pairs (Holm); sign: of the median, for skewed differences",
		"settled: "+untilText(a.Until),
		a.Conditions.DataName(), a.Conditions.ProtocolName(),
	)
	return Result{Sentences: []string{anytimeSentence(a)}, Tables: []Table{t}, Document: struct {
		*compare.Anytime
		Pairs Table `json:"pairs"`
	}{a, t}}
}

// anytimeSentence says how many pairs are settled.
func anytimeSentence(a *compare.Anytime) string {
	if a.Settled {
		return fmt.Sprintf("Settled: %s.", words.Count(len(a.Pairs), "pair"))
	}
	return fmt.Sprintf("%d of %s not settled: more seeds may settle them.", len(a.Open()), words.Count(len(a.Pairs), "pair"))
}

// anytimeColumns returns the columns of anytime comparisons.
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

// untilText says when a pair is settled.
func untilText(u compare.Until) string {
	width := fmt.Sprintf("the interval is at most %s wide", words.Amount(u.Width))
	switch {
	case u.Separated && u.Width > 0:
		return "the interval excludes 0, or " + width[len("the interval "):]
	case u.Width > 0:
		return width
	}
	return "the interval excludes 0"
}
