package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"banditsim/internal/lists"
	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/compare"
	"banditsim/results/stats"
)

// Comparison reports a comparison: the baseline, and the differences of the other policies. The format Text leaves out
// uncorrected p-values and the number of seeds for which a policy was best.
func Comparison(c *compare.Comparison) Result {
	nan := math.NaN()
	baseline := compare.Difference{Policy: c.Baseline, Mean: stats.NewEstimate(nil)}
	baseline.P, baseline.Holm, baseline.SignFlip, baseline.SignFlipHolm = nan, nan, nan, nan
	columns, rows := comparisonColumns(c.Parameters), []comparisonRow{{baseline, c}}
	for _, d := range c.Differences {
		rows = append(rows, comparisonRow{d, c})
	}
	t, data := NewTable(columns, rows, comparisonCaption(c)...), Data(columns, rows[1:])
	t.Key, t.Winner = comparisonKey(c), []int{0}
	if len(c.Differences) > 0 && c.Differences[0].Mean.Mean < 0 { // differences are sorted, the smallest first
		t.Winner[0] = 1
	}
	return Result{Sentences: c.Sentences, Tables: []Table{t}, Data: &data, Warnings: messages(c.Warnings), Document: struct {
		Conditions results.Conditions `json:"setting"`
		compare.Options
		BaselinePicked bool               `json:"baseline_picked"`
		Tests          int                `json:"tests"`
		Differences    Table              `json:"differences"`
		Ranks          []compare.Rank     `json:"ranks"`
		CommonSeeds    []uint64           `json:"common_seeds"`
		Parameters     compare.Parameters `json:"parameters,omitempty"`
		Constant       *compare.Constant  `json:"constant_arm,omitempty"`
		Verdict        string             `json:"verdict,omitempty"`
		Warnings       []compare.Warning  `json:"warnings"`
	}{c.Conditions, c.Options, c.BaselinePicked, c.Tests, data, c.Ranks, c.CommonSeeds, c.Parameters, c.Constant, strings.Join(c.Sentences, " "), c.Warnings}}
}

// messages returns the messages of warnings, with a line for each failed trial.
func messages(warnings []compare.Warning) []string {
	return lists.Each(warnings, func(w compare.Warning) string {
		return strings.Join(append([]string{words.Plain(w.Message)}, trialNotes(w.Failed)...), "\n")
	})
}

// comparisonKey returns a line that explains the marks in the table, and a line with the conditions of the trials.
func comparisonKey(c *compare.Comparison) []string {
	parts := []string{"above 0: " + words.Plain(c.Baseline) + " is better"}
	if c.Tests == 0 {
		parts = append(parts, fmt.Sprintf("no tests: they need %d pairs", compare.MinSeeds))
	} else {
		parts = append(parts, fmt.Sprintf("~: p (t) not below %v (Holm, %s)", stats.Significance, words.Count(c.Tests, "test")))
		if fewPairs(c) {
			parts = append(parts, fmt.Sprintf("?: under %d pairs", compare.MinSeeds))
		}
	}
	compared := []string{c.Conditions.DataName(), c.Conditions.ProtocolName()}
	if c.From > 1 || c.To < c.Conditions.Protocol.Rounds {
		compared = append(compared, fmt.Sprintf("rounds %s to %s alone", words.Int(c.From), words.Int(c.To)))
	}
	parts = append(parts, "columns: banditsim help compare")
	return []string{strings.Join(parts, " · "), strings.Join(compared, " · ")}
}

func fewPairs(c *compare.Comparison) bool {
	return slices.ContainsFunc(c.Differences, func(d compare.Difference) bool { return d.Mean.N < compare.MinSeeds })
}

func intervalName(c *compare.Comparison) string {
	if c.Interval == stats.Simultaneous {
		return fmt.Sprintf("interval: all of %s hold together (Bonferroni): without 0, never ~", words.Count(c.Intervals, "difference"))
	}
	return "interval: of one difference, not corrected: ~ can stand beside an interval without 0"
}

// comparisonCaption returns an explanation of the columns, in lines that fit a terminal.
func comparisonCaption(c *compare.Comparison) []string {
	base := words.Plain(c.Baseline)
	family := "Holm"
	if c.BaselinePicked {
		family = "Holm; all pairs, as the baseline was picked by its mean"
	}
	few := ""
	if fewPairs(c) {
		few = fmt.Sprintf("; ?: under %d pairs, no test", compare.MinSeeds)
	}
	tests := fmt.Sprintf("p: two-sided, corrected for %s (%s)", words.Count(c.Tests, "test"), family)
	if c.Tests == 0 {
		tests = fmt.Sprintf("p: none, as a test needs %d pairs", compare.MinSeeds)
	}
	lines := []string{
		fmt.Sprintf("Cumulative %s regret less that of %s, paired by seed: mean, 95 %% %s", c.Metric, base, c.Interval.Name()),
		fmt.Sprintf("above 0: %s is better; ~: not significant, p (t) not below %v%s", base, stats.Significance, few),
		tests,
		intervalName(c),
		"t: paired t-test; flip: " + signFlipName(c),
		fmt.Sprintf("needed: seeds with which a t-test finds this difference in %.0f %% of cases; ~: over %s", 100*stats.Power, words.Int(stats.MaxSeedsNeeded)),
	}
	common := fmt.Sprintf("over %s that all policies finished (%s)", words.Count(len(c.CommonSeeds), "seed"), words.Shorten(words.Ranges(c.CommonSeeds), 30))
	switch n := len(c.CommonSeeds); {
	case n == 0:
		lines = append(lines, "rank, P(best): none, as no seed was finished by all policies")
	case n < compare.MinSeeds:
		lines = append(lines, fmt.Sprintf("rank: %s; P(best) needs %d", common, compare.MinSeeds))
	default:
		lines = append(lines, "rank, P(best): "+common+"; P(best) by bootstrap")
	}
	if c.From > 1 || c.To < c.Conditions.Protocol.Rounds {
		lines = append(lines, fmt.Sprintf("regret of the rounds %s to %s alone", words.Int(c.From), words.Int(c.To)))
	}
	return append(lines, c.Conditions.DataName(), c.Conditions.ProtocolName())
}

func signFlipName(c *compare.Comparison) string {
	if !slices.ContainsFunc(c.Differences, func(d compare.Difference) bool { return d.Mean.N > stats.MaxExactPairs }) {
		return "exact sign-flip test"
	}
	return fmt.Sprintf("sign-flip test, exact up to %d seeds, else of %s random flips", stats.MaxExactPairs, words.Int(stats.SignFlips))
}

// A comparisonRow is the row of one policy. The field of is the comparison. The baseline's Difference has no seeds.
type comparisonRow struct {
	compare.Difference
	of *compare.Comparison
}

func (r comparisonRow) isBaseline() bool { return r.Policy == r.of.Baseline }

func (r comparisonRow) parameters() (compare.Parameters, string) { return r.of.Parameters, r.Policy }

// comparisonColumns returns the columns of comparisons, with one for each parameter of the policies.
func comparisonColumns(p compare.Parameters) Columns[comparisonRow] {
	l := Columns[comparisonRow]{
		{Name: "policy", Header: "policy", Doc: "label of the policy",
			Exact: func(r comparisonRow) any { return r.Policy }},
		{Name: "baseline", Doc: "label of the baseline", Flat: true, Exact: func(r comparisonRow) any { return r.of.Baseline }},
		{Name: "baseline_picked", Doc: "whether it was picked by its mean", Flat: true, Exact: func(r comparisonRow) any { return r.of.BaselinePicked }},
		{Name: "metric", Doc: "kind of regret", Flat: true, Exact: func(r comparisonRow) any { return r.of.Metric.String() }},
		{Name: "interval", Doc: "kind of interval", Flat: true, Exact: func(r comparisonRow) any { return r.of.Interval }},
		{Name: "seeds", Header: "seeds", Doc: "number of pairs; in JSON their seeds", Leaves: 6, Text: func(r comparisonRow) string { return r.or(words.None, strconv.Itoa(r.Mean.N)) },
			Exact: func(r comparisonRow) any { return r.Mean.N }, JSON: func(r comparisonRow) any { return r.Seeds }},
		{Name: "seed_list", Doc: "their seeds", Flat: true, Exact: func(r comparisonRow) any { return r.Seeds }},
		{Name: "failed_seeds", Doc: "seeds of the policy's failed trials", Flat: true, Exact: func(r comparisonRow) any { return r.warned(compare.TrialsFailed) }},
		{Name: "outlier_seeds", Doc: "seeds whose difference is an outlier", Flat: true, Exact: func(r comparisonRow) any { return r.warned(compare.Outliers) }},
		{Name: "values", Doc: "the difference in each seed; in JSON alone", JSON: func(r comparisonRow) any { return r.Values }},
	}
	l = append(l, Estimate(Column[comparisonRow]{Name: "difference", Header: "difference", Unit: "reward",
		Text: func(r comparisonRow) string { return r.or("baseline", r.Mean.MeanText()) },
		Doc:  "mean regret less that of the baseline, above 0 if the baseline is better; in JSON an object with error and interval"},
		"", func(r comparisonRow) stats.Estimate { return r.Mean })...)
	l = append(l, Columns[comparisonRow]{
		{Name: "difference_interval", Header: "95 % interval", Leaves: 7, Text: func(r comparisonRow) string { return r.Mean.Interval() }},
		{Name: "p", Header: "p (t), alone", Doc: "two-sided p-value of the paired t-test, not corrected", Wide: true,
			Text: func(r comparisonRow) string { return words.PValue(r.P) }, Exact: func(r comparisonRow) any { return r.P }},
		{Name: "p_holm", Header: "p (t)", Doc: "the same corrected for all tests (Holm)", After: "sign_flip_p", Leaves: 3,
			Text: func(r comparisonRow) string { return words.PValue(r.Holm) }, Exact: func(r comparisonRow) any { return r.Holm }},
		{Name: "significant", Header: "", Doc: "whether p_holm is below 0.05", After: "sign_flip_p_holm",
			Text: mark, Exact: func(r comparisonRow) any { return r.Significant() }},
		{Name: "sign_flip_p", Header: "p (flip), alone", Doc: "p-value of the sign-flip test, not corrected", Wide: true,
			Text: func(r comparisonRow) string { return words.PValue(r.SignFlip) }, Exact: func(r comparisonRow) any { return r.SignFlip }},
		{Name: "sign_flip_p_holm", Header: "p (flip)", Doc: "the same corrected (Holm)", After: "p_holm", Leaves: 2,
			Text: func(r comparisonRow) string { return words.PValue(r.SignFlipHolm) }, Exact: func(r comparisonRow) any { return r.SignFlipHolm }},
		{Name: "sign_flip_exact", Doc: "whether it counts all patterns of signs", Exact: func(r comparisonRow) any { return r.Mean.N <= stats.MaxExactPairs }},
		{Name: "tests", Doc: "number of tests that p_holm is corrected for", Flat: true, Exact: func(r comparisonRow) any { return r.of.Tests }},
		{Name: "seeds_needed", Header: "needed", Doc: "seeds with which a t-test finds this difference in 80 % of cases; none above 1,000,000", Leaves: 1,
			Text: needed, Exact: func(r comparisonRow) any { return positive(r.SeedsNeeded) }},
	}...)
	l = append(l, lift(rankColumns, func(r comparisonRow) (rankRow, bool) { return r.rank(r.Policy) })...)
	ofBaseline := func(r comparisonRow) (rankRow, bool) { return r.rank(r.of.Baseline) }
	for _, c := range lift(rankColumns, ofBaseline) {
		c.Name, c.Header, c.Text, c.Leaves = "baseline_"+c.Name, "", nil, 0
		l = append(l, c)
	}
	l = append(l, Columns[comparisonRow]{
		{Name: "ranked_seeds", Doc: "number of seeds that all policies finished, which ranks are over", Flat: true, Exact: func(r comparisonRow) any { return len(r.of.CommonSeeds) }},
		{Name: "warnings", Doc: "kinds of the warnings of the policy, of the baseline and of all", Flat: true,
			Exact: func(r comparisonRow) any { return warningKinds(r.of.Warnings, r.Policy, r.of.Baseline) }},
		{Name: "from_round", Doc: "first round whose regret counts", Flat: true, Exact: func(r comparisonRow) any { return r.of.From }},
		{Name: "to_round", Doc: "last round whose regret counts", Flat: true, Exact: func(r comparisonRow) any { return r.of.To }},
	}...)
	l = append(l, conditionColumns(func(r comparisonRow) results.Conditions { return r.of.Conditions })...)
	return withParameters(l, p.Names(), comparisonRow.parameters)
}

// A rankRow is the rank of a policy with the number of seeds that it is averaged over.
type rankRow struct {
	compare.Rank
	seeds int
}

// rank returns the rank of a policy in the comparison, or false if no seed was finished by all policies.
func (r comparisonRow) rank(policy string) (rankRow, bool) {
	k := slices.IndexFunc(r.of.Ranks, func(rank compare.Rank) bool { return rank.Policy == policy })
	if k < 0 {
		return rankRow{}, false
	}
	return rankRow{r.of.Ranks[k], len(r.of.CommonSeeds)}, true
}

// rankColumns has the columns of ranks, for people and CSV. In JSON the document has a list of ranks.
var rankColumns = Columns[rankRow]{
	{Name: "mean_rank", Header: "rank", Doc: "mean place among all policies over the seeds, 1 the lowest regret", Flat: true, Leaves: 5,
		Text: func(r rankRow) string { return rankText(r.Mean) }, Exact: func(r rankRow) any { return r.Mean }},
	{Name: "best", Header: "best", Doc: "seeds in which no other was lower", Flat: true, Wide: true,
		Text: func(r rankRow) string { return fmt.Sprintf("%d/%d", r.Best, r.seeds) }, Exact: func(r rankRow) any { return r.Best }},
	{Name: "probability_best", Header: "P(best)", Doc: "share of resamples of the seeds in which its mean regret is the lowest", Flat: true, Leaves: 4,
		Text: func(r rankRow) string { return words.Share(float64(r.ProbabilityBest)) }, Exact: func(r rankRow) any { return r.ProbabilityBest }},
}

// or returns its first argument in the row of the baseline, and its second argument in other rows.
func (r comparisonRow) or(baseline, difference string) string {
	if r.isBaseline() {
		return baseline
	}
	return difference
}

// mark returns "~" for a difference that is not significant, "?" for too few pairs for a test, and words.None for fewer
// than two pairs. The baseline and significant differences have no mark.
func mark(r comparisonRow) string {
	switch d := r.Difference; {
	case r.isBaseline():
		return ""
	case d.Mean.N < 2:
		return words.None
	case d.Mean.N < compare.MinSeeds:
		return "?"
	case d.Significant():
		return ""
	}
	return "~"
}

// needed returns SeedsNeeded as a string, "~" if it is unknown or too large, and words.None for fewer than two pairs.
func needed(d comparisonRow) string {
	switch {
	case d.Mean.N < 2:
		return words.None
	case d.SeedsNeeded == 0:
		return "~"
	}
	return words.Int(d.SeedsNeeded)
}

// warned returns the seeds in the warnings of the given kind about the policy of the row.
func (r comparisonRow) warned(kind compare.WarningKind) []uint64 {
	var seeds []uint64
	for _, w := range r.of.Warnings {
		if w.Kind == kind && w.Policy == r.Policy {
			seeds = append(seeds, w.Seeds...)
		}
	}
	return seeds
}
