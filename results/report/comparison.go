package report

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"banditsim/internal/words"
	"banditsim/results/compare"
	"banditsim/results/stats"
)

// Comparison writes a comparison. Text, which must fit a terminal, has no p-values that are not
// corrected and not the number of seeds in which a policy was best.
func Comparison(w io.Writer, f Format, c *compare.Comparison) error {
	t := func() Table { return comparisonTable{c}.table(f != Text) }
	return Render(w, f, t, comparisonTable{c}.sheet, c)
}

// ComparisonTable returns the table of a comparison with all columns.
func ComparisonTable(c *compare.Comparison) Table { return comparisonTable{c}.table(true) }

type comparisonTable struct{ *compare.Comparison }

// A comparisonRow is the row of a policy. difference is nil for the baseline, rank without common
// seeds.
type comparisonRow struct {
	policy     string
	difference *compare.Difference
	rank       *compare.Rank
}

func (c comparisonTable) row(policy string, d *compare.Difference) comparisonRow {
	r := comparisonRow{policy: policy, difference: d}
	if i := slices.IndexFunc(c.Ranks, func(r compare.Rank) bool { return r.Policy == policy }); i >= 0 {
		r.rank = &c.Ranks[i]
	}
	return r
}

type comparisonColumn struct {
	header string
	wide   bool // left out of text
	cell   func(comparisonRow) string
}

func (c comparisonTable) columns() []comparisonColumn {
	difference := func(baseline string, cell func(*compare.Difference) string) func(comparisonRow) string {
		return func(r comparisonRow) string {
			if r.difference == nil {
				return baseline
			}
			return cell(r.difference)
		}
	}
	rank := func(cell func(*compare.Rank) string) func(comparisonRow) string {
		return func(r comparisonRow) string {
			if r.rank == nil {
				return words.None
			}
			return cell(r.rank)
		}
	}
	return []comparisonColumn{
		{"policy", false, func(r comparisonRow) string { return words.Plain(r.policy) }},
		{"seeds", false, difference(words.None, func(d *compare.Difference) string { return strconv.Itoa(d.Mean.N) })},
		{"difference", false, difference("baseline", func(d *compare.Difference) string { return d.Mean.MeanText() })},
		{"95 % interval", false, difference(words.None, func(d *compare.Difference) string { return d.Mean.Interval() })},
		{"p (t), alone", true, difference(words.None, func(d *compare.Difference) string { return words.PValue(d.P) })},
		{"p (flip), alone", true, difference(words.None, func(d *compare.Difference) string { return words.PValue(d.SignFlip) })},
		{"p (t)", false, difference(words.None, func(d *compare.Difference) string { return words.PValue(d.Holm) })},
		{"p (flip)", false, difference(words.None, func(d *compare.Difference) string { return words.PValue(d.SignFlipHolm) })},
		{"", false, difference("", mark)},
		{"needed", false, difference(words.None, needed)},
		{"rank", false, rank(func(r *compare.Rank) string { return strconv.FormatFloat(r.Mean, 'f', 2, 64) })},
		{"best", true, rank(func(r *compare.Rank) string { return fmt.Sprintf("%d/%d", r.Best, len(c.CommonSeeds)) })},
		{"P(best)", false, rank(func(r *compare.Rank) string { return words.Share(float64(r.ProbabilityBest)) })},
	}
}

// mark returns "~" for a difference that is not significant, "?" for one of too few pairs for a test.
func mark(d *compare.Difference) string {
	switch {
	case d.Mean.N < 2:
		return words.None // unknown
	case !d.Tested():
		return "?"
	case d.Significant():
		return ""
	}
	return "~"
}

func needed(d *compare.Difference) string {
	switch {
	case d.Mean.N < 2:
		return words.None
	case d.SeedsNeeded == 0:
		return "~"
	}
	return words.Int(d.SeedsNeeded)
}

func (c comparisonTable) table(wide bool) Table {
	columns := slices.DeleteFunc(c.columns(), func(col comparisonColumn) bool { return col.wide && !wide })
	t := Table{Caption: c.caption()}
	for _, header := range []string{"needed", "p (flip)", "p (t)", "P(best)", "rank", "seeds", "95 % interval"} {
		t.Least = append(t.Least, slices.IndexFunc(columns, func(col comparisonColumn) bool { return col.header == header }))
	}
	for _, col := range columns {
		t.Header = append(t.Header, col.header)
	}
	add := func(r comparisonRow) {
		var cells []string
		for _, col := range columns {
			cells = append(cells, col.cell(r))
		}
		t.Rows = append(t.Rows, cells)
	}
	add(c.row(c.Baseline, nil))
	for i := range c.Differences {
		d := &c.Differences[i]
		add(c.row(d.Policy, d))
	}
	labels := []string{c.Baseline}
	for _, d := range c.Differences {
		labels = append(labels, d.Policy)
	}
	t.addParameters(c.Parameters, labels)
	for _, w := range c.Warnings {
		t.Notes = append(t.Notes, "warning: "+words.Plain(w.Message))
		t.Notes = append(t.Notes, trialNotes(w.Failed)...)
	}
	return t
}

// intervalName says whether the intervals hold one by one or together.
func (c comparisonTable) intervalName() string {
	if c.Interval == stats.Simultaneous {
		return fmt.Sprintf("interval: all of %s hold together (Bonferroni): without 0, never ~", words.Count(c.Intervals(), "difference"))
	}
	return "interval: of one difference, not corrected: ~ can stand beside an interval without 0"
}

// caption explains the columns, in lines that fit a terminal.
func (c comparisonTable) caption() []string {
	base := words.Plain(c.Baseline)
	family := "Holm"
	if c.BaselinePicked {
		family = "Holm; all pairs, as the baseline was picked by its mean"
	}
	few := ""
	if slices.ContainsFunc(c.Differences, func(d compare.Difference) bool { return !d.Tested() }) {
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
		c.intervalName(),
		"t: paired t-test; flip: " + c.signFlipName(),
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
func (c comparisonTable) signFlipName() string {
	most := 0
	for _, d := range c.Differences {
		most = max(most, d.Mean.N)
	}
	if most <= stats.MaxExactPairs {
		return "exact sign-flip test"
	}
	return fmt.Sprintf("sign-flip test, exact up to %d seeds, else of %s random flips", stats.MaxExactPairs, words.Int(stats.SignFlips))
}

func (c comparisonTable) sheet() Sheet {
	s := Sheet{Header: append([]string{
		"policy", "baseline", "baseline_picked", "metric", "interval", "seeds", "seed_list", "failed_seeds", "outlier_seeds",
		"difference", "standard_error", "low", "high", "p", "p_holm", "significant",
		"sign_flip_p", "sign_flip_p_holm", "sign_flip_exact", "tests", "seeds_needed",
		"mean_rank", "best", "probability_best", "baseline_mean_rank", "baseline_best", "baseline_probability_best", "ranked_seeds", "warnings",
		"from_round", "to_round",
	}, conditionHeader...)}
	base := rankCells(c.row(c.Baseline, nil).rank)
	for i := range c.Differences {
		d := &c.Differences[i]
		row := []string{d.Policy, c.Baseline, strconv.FormatBool(c.BaselinePicked), c.Metric.Name, string(c.Interval),
			strconv.Itoa(d.Mean.N), seedCell(d.Seeds), seedCell(c.warned(compare.TrialsFailed, d.Policy)), seedCell(c.warned(compare.Outliers, d.Policy))}
		row = append(append(row, EstimateCells(d.Mean)...), words.Exact(d.P), words.Exact(d.Holm), strconv.FormatBool(d.Significant()))
		needed := ""
		if d.SeedsNeeded > 0 {
			needed = strconv.Itoa(d.SeedsNeeded)
		}
		row = append(row, words.Exact(d.SignFlip), words.Exact(d.SignFlipHolm), strconv.FormatBool(d.SignFlipExact()), strconv.Itoa(c.Tests), needed)
		row = append(append(row, rankCells(c.row(d.Policy, d).rank)...), base...)
		row = append(row, strconv.Itoa(len(c.CommonSeeds)), warningKinds(c.Warnings, d.Policy, c.Baseline), strconv.Itoa(c.From), strconv.Itoa(c.To))
		s.Rows = append(s.Rows, append(row, conditionCells(c.Conditions)...))
	}
	s.addParameters(c.Parameters, c.Parameters.Names())
	return s
}

// rankCells returns empty cells for nil.
func rankCells(r *compare.Rank) []string {
	if r == nil {
		return []string{"", "", ""}
	}
	return []string{words.Exact(r.Mean), strconv.Itoa(r.Best), words.Exact(float64(r.ProbabilityBest))}
}

// warned returns the seeds of warnings of one kind.
func (c comparisonTable) warned(kind compare.WarningKind, policy string) []uint64 {
	var seeds []uint64
	for _, w := range c.Warnings {
		if w.Kind == kind && w.Policy == policy {
			seeds = append(seeds, w.Seeds...)
		}
	}
	return seeds
}

// warningKinds returns the kinds of warnings of the policies and of all.
func warningKinds(warnings []compare.Warning, policies ...string) string {
	var kinds []string
	for _, w := range warnings {
		if w.Policy == "" || slices.Contains(policies, w.Policy) {
			kinds = append(kinds, string(w.Kind))
		}
	}
	return strings.Join(slices.Compact(kinds), " ")
}
