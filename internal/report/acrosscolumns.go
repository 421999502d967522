package report

import (
	"strconv"
	"strings"

	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/compare"
)

// An acrossRow is a policy over all environments and, in CSV, in one of them.
type acrossRow struct {
	*compare.AcrossPolicy
	environment int // index
	across      *compare.Across
}

func (r acrossRow) parameters() (compare.Parameters, string) { return r.across.Parameters, r.Policy }

func (r acrossRow) in() compare.AcrossEnvironment { return r.across.Environments[r.environment] }

// acrossColumns returns the columns of comparisons over environments; wide tables have one of ranks for each environment.
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
