package plot

import (
	"fmt"
	"math"
	"strconv"

	"banditsim/internal/words"
	"banditsim/results/compare"
	"banditsim/results/stats"
)

// Ranks returns a figure of the mean ranks of policies over environments, each with half of the critical difference
// to both sides: two policies differ if their bars do not overlap (Demšar 2006, figure 1, a row for each policy).
func Ranks(a *compare.Across) Figure {
	f := &Forest{
		Title:    "Mean rank over " + words.Count(len(a.Environments), "environment"),
		Subtitle: environmentsText(a.Environments),
		Captions: []string{fmt.Sprintf("Rank 1 is the lowest mean %s regret in an environment. Friedman's test that all rank alike: %s.", a.Metric, a.Friedman)},
		ranks:    max(len(a.Policies), 2),
	}
	half := float64(a.CriticalDifference) / 2
	if words.Finite(half) {
		f.Captions = append(f.Captions, fmt.Sprintf("Bars: half of Nemenyi's critical difference, %.2f, to both sides. Two policies differ at level %v, all pairs together, if their bars do not overlap.", 2*half, stats.Significance))
	}
	for _, p := range a.Policies {
		f.Rows = append(f.Rows, ForestRow{Label: words.Shorten(p.Policy, 40), Mid: p.MeanRank, Low: p.MeanRank - half, High: p.MeanRank + half,
			Value: strconv.FormatFloat(p.MeanRank, 'f', 2, 64), Truth: math.NaN()})
	}
	return f
}

// environmentsText names the environments, as many as fit a line.
func environmentsText(list []compare.AcrossEnvironment) string {
	text := ""
	for i, e := range list {
		next := words.Plain(e.Label)
		if i > 0 {
			next = text + ", " + next
		}
		if len(next) > 80 {
			return text + fmt.Sprintf(" and %d more", len(list)-i)
		}
		text = next
	}
	return text
}
