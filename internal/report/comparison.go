package report

import (
	"fmt"
	"slices"
	"strings"

	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/compare"
	"banditsim/results/stats"
)

// Comparison reports a comparison: the baseline, and the differences of the others. Text, which must fit a terminal, has no p-values that are
// not corrected and not the number of seeds in which a policy was best.
func Comparison(c *compare.Comparison) Result {
	columns, rows := comparisonColumns(c.Parameters), []comparisonRow{{c.Baseline, nil, c}}
	for i := range c.Differences {
		rows = append(rows, comparisonRow{c.Differences[i].Policy, &c.Differences[i], c})
	}
	t, data := NewTable(columns, rows, comparisonCaption(c)...), Data(columns, rows[1:])
	t.Key, t.Winner = comparisonKey(c), comparisonWinner(c)
	r := Result{Sentences: c.Sentences, Tables: []Table{t}, Data: &data, Document: struct {
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
	for _, w := range c.Warnings {
		r.Warnings = append(r.Warnings, strings.Join(append([]string{words.Plain(w.Message)}, trialNotes(w.Failed)...), "\n"))
	}
	return r
}

// comparisonKey says in a line what the signs mean, and in another what was compared; 'help compare' explains the columns.
func comparisonKey(c *compare.Comparison) []string {
	parts := []string{"above 0: " + words.Plain(c.Baseline) + " is better"}
	if c.Tests == 0 {
		parts = append(parts, fmt.Sprintf("no tests: they need %d pairs", compare.MinSeeds))
	} else {
		parts = append(parts, fmt.Sprintf("~: p (t) not below %v (Holm, %s)", stats.Significance, words.Count(c.Tests, "test")))
		if slices.ContainsFunc(c.Differences, func(d compare.Difference) bool { return d.Mean.N < compare.MinSeeds }) {
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

// comparisonWinner returns the row of the policy with the lowest mean, the baseline's or that of the lowest difference.
func comparisonWinner(c *compare.Comparison) []int {
	winner, lowest := 0, 0.0
	for i, d := range c.Differences {
		if d.Mean.Mean < lowest {
			winner, lowest = i+1, d.Mean.Mean
		}
	}
	return []int{winner}
}

// intervalName says whether the intervals hold one by one or together.
func intervalName(c *compare.Comparison) string {
	if c.Interval == stats.Simultaneous {
		return fmt.Sprintf("interval: all of %s hold together (Bonferroni): without 0, never ~", words.Count(c.Intervals, "difference"))
	}
	return "interval: of one difference, not corrected: ~ can stand beside an interval without 0"
}

// comparisonCaption explains the columns, in lines that fit a terminal.
func comparisonCaption(c *compare.Comparison) []string {
	base := words.Plain(c.Baseline)
	family := "Holm"
	if c.BaselinePicked {
		family = "Holm; all pairs, as the baseline was picked by its mean"
	}
	few := ""
	if slices.ContainsFunc(c.Differences, func(d compare.Difference) bool { return d.Mean.N < compare.MinSeeds }) {
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

// signFlipName returns the form of the sign-flip test.
func signFlipName(c *compare.Comparison) string {
	most := 0
	for _, d := range c.Differences {
		most = max(most, d.Mean.N)
	}
	if most <= stats.MaxExactPairs {
		return "exact sign-flip test"
	}
	return fmt.Sprintf("sign-flip test, exact up to %d seeds, else of %s random flips", stats.MaxExactPairs, words.Int(stats.SignFlips))
}
