package results

import (
	"fmt"
	"io"
	"strconv"
)

// Render writes the comparison as a table.
func (c *Comparison) Render(w io.Writer, f Format) error {
	return render(w, f, c.table, c.sheet, c)
}

func (c *Comparison) table() table {
	base := plain(c.Baseline)
	t := table{
		caption: []string{
			fmt.Sprintf("Cumulative %s regret less that of %s, paired by seed: mean and 95 %% t-interval", c.Metric, base),
			fmt.Sprintf("above 0: %s is better; p: two-sided t-test, corrected for %s (Holm); ~: not significant at 0.05", base, count(len(c.Differences), "comparison")),
			c.Setting.DataName() + " · " + c.Setting.ProtocolName(),
		},
		header: []string{"policy", "seeds", "difference", "95 % interval", "p", "p (Holm)", "", "mean rank", "best"},
	}
	if n := len(c.CommonSeeds); n > 0 {
		t.caption = append(t.caption, fmt.Sprintf("ranks: over %s that all policies finished (%s)", count(n, "seed"), shorten(seedList(c.CommonSeeds), 60)))
	} else {
		t.caption = append(t.caption, "ranks: none, as no seed was finished by all policies")
	}
	t.rows = append(t.rows, append([]string{base, none, "baseline", none, none, none, ""}, c.rankCells(c.Baseline)...))
	for _, d := range c.Differences {
		mark := "~"
		switch {
		case d.Significant():
			mark = ""
		case d.Mean.N < 2:
			mark = none // nobody can tell
		}
		row := []string{plain(d.Policy), strconv.Itoa(d.Mean.N), amountTo(d.Mean.Mean, d.Mean.decimals()), interval(d.Mean), probability(d.P), probability(d.Holm), mark}
		t.rows = append(t.rows, append(row, c.rankCells(d.Policy)...))
	}
	for _, w := range c.Warnings {
		t.notes = append(t.notes, "warning: "+w.Message)
	}
	return t
}

// rankCells are a policy's mean rank and how often it was best.
func (c *Comparison) rankCells(policy string) []string {
	for _, r := range c.Ranks {
		if r.Policy == policy {
			return []string{strconv.FormatFloat(r.Mean, 'f', 2, 64), fmt.Sprintf("%d/%d", r.Best, len(c.CommonSeeds))}
		}
	}
	return []string{none, none}
}

func (c *Comparison) sheet() sheet {
	s := sheet{header: append([]string{"policy", "baseline", "metric", "seeds", "seed_list", "difference", "standard_error", "low", "high", "p", "p_holm", "significant", "mean_rank", "best", "ranked_seeds"}, settingHeader...)}
	for _, d := range c.Differences {
		row := []string{d.Policy, c.Baseline, string(c.Metric), strconv.Itoa(d.Mean.N), blanks(d.Seeds)}
		row = append(append(row, estimateCells(d.Mean)...), exact(d.P), exact(d.Holm), strconv.FormatBool(d.Significant()))
		rank := []string{"", ""}
		for _, r := range c.Ranks {
			if r.Policy == d.Policy {
				rank = []string{exact(r.Mean), strconv.Itoa(r.Best)}
			}
		}
		row = append(append(row, rank...), strconv.Itoa(len(c.CommonSeeds)))
		s.rows = append(s.rows, append(row, c.Setting.cells()...))
	}
	return s
}
