package report

import (
	"fmt"
	"io"
	"strconv"

	"banditsim/internal/words"
	"banditsim/results/compare"
	"banditsim/results/stats"
)

// Anytime writes an anytime comparison.
func Anytime(w io.Writer, f Format, a *compare.Anytime) error {
	return Render(w, f, func() Table { return AnytimeTable(a) }, func() Sheet { return anytimeSheet(a) }, a)
}

// AnytimeTable returns the table of an anytime comparison.
func AnytimeTable(a *compare.Anytime) Table {
	t := Table{
		Caption: []string{
			fmt.Sprintf("Cumulative %s regret of a policy less that of a better one, paired by seed: mean and anytime interval", a.Metric),
			fmt.Sprintf("interval: %.0f %% for %s together (Bonferroni), at every number of seeds from %d on: seeds may be added until it tells enough", 100*stats.Confidence, words.Count(len(a.Pairs), "pair"), stats.MinAnytime),
			"p (t), p (sign): of the t and the sign e-process, valid at any stop, corrected for all pairs (Holm); sign: of the median, for skewed differences",
			"settled: " + untilText(a.Until),
			a.Conditions.DataName(), a.Conditions.ProtocolName(),
		},
		Header: []string{"policy", "less", "seeds", "difference", "anytime interval", "p (t)", "p (sign)", "settled"},
		Least:  []int{6, 2, 5},
	}
	for _, p := range a.Pairs {
		settled := "no"
		if p.Settled {
			settled = "yes"
		}
		t.Rows = append(t.Rows, []string{words.Plain(p.Policy), words.Plain(p.Other), strconv.Itoa(p.Mean.N), p.Mean.MeanText(), p.Mean.Interval(), words.PValue(p.Holm), words.PValue(p.SignHolm), settled})
	}
	return t
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

func anytimeSheet(a *compare.Anytime) Sheet {
	s := Sheet{Header: append(append([]string{"policy", "baseline", "metric", "seeds", "seed_list"}, EstimateHeader("difference")...), "p", "p_holm", "sign_p", "sign_p_holm", "pairs", "settled")}
	for _, p := range a.Pairs {
		row := append([]string{p.Policy, p.Other, a.Metric.Name, strconv.Itoa(p.Mean.N), seedCell(p.Seeds)}, EstimateCells(p.Mean)...)
		s.Rows = append(s.Rows, append(row, words.Exact(p.P), words.Exact(p.Holm), words.Exact(p.Sign), words.Exact(p.SignHolm), strconv.Itoa(len(a.Pairs)), strconv.FormatBool(p.Settled)))
	}
	return s
}
