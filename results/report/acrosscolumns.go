package report

import (
	"strconv"
	"strings"

	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/column"
	"banditsim/results/compare"
	"banditsim/results/stats"
)

// An acrossRow is a policy over all environments and, in CSV, in one of them.
type acrossRow struct {
	*compare.AcrossPolicy
	environment int // index
	across      *compare.Across
}

func (r acrossRow) parameters() (compare.Parameters, string) { return r.across.Parameters, r.Policy }

func (r acrossRow) in() compare.AcrossEnvironment { return r.across.Environments[r.environment] }

func acrossPolicies(a *compare.Across) []acrossRow {
	rows := make([]acrossRow, len(a.Policies))
	for i := range rows {
		rows[i] = acrossRow{&a.Policies[i], 0, a}
	}
	return rows
}

// acrossColumns returns the columns of comparisons over environments; wide tables have one of ranks for each environment.
func acrossColumns(a *compare.Across) column.List[acrossRow] {
	l := column.List[acrossRow]{
		{JSON: func(r acrossRow) any { return r.AcrossPolicy }},
		{Name: "policy", Header: "policy", Doc: "label of the policy", Flat: true,
			Text: func(r acrossRow) string { return words.Plain(r.Policy) }, Exact: func(r acrossRow) any { return r.Policy }},
		{Name: "setting", Doc: "name of the environment of the row", Flat: true, Exact: func(r acrossRow) any { return r.in().Label }},
		{Name: "metric", Doc: "kind of regret", Flat: true, Exact: func(r acrossRow) any { return r.across.Metric.String() }},
		{Name: "seeds", Doc: "number of seeds that all policies finished there", Flat: true, Exact: func(r acrossRow) any { return len(r.in().Seeds) }},
		{Name: "seed_list", Doc: "these seeds", Flat: true, Exact: func(r acrossRow) any { return r.in().Seeds }},
		{Name: "regret", Doc: "mean cumulative regret over these seeds", Unit: "reward", Flat: true, Exact: func(r acrossRow) any { return r.Regret[r.environment] }},
		{Name: "rank", Doc: "rank in the environment, 1 the lowest regret", Flat: true, Exact: func(r acrossRow) any { return r.Ranks[r.environment] }},
		{Name: "mean_rank", Header: "rank", Doc: "mean of the ranks in the environments", Flat: true,
			Text: func(r acrossRow) string { return rankText(r.MeanRank) }, Exact: func(r acrossRow) any { return r.MeanRank }},
		{Name: "best", Header: "lowest", Doc: "environments with rank 1", Flat: true, Leaves: 2,
			Text: func(r acrossRow) string { return strconv.Itoa(r.Best) }, Exact: func(r acrossRow) any { return r.Best }},
		{Name: "wins", Header: "won", Doc: "pairs of policy and environment that it won, by a paired t-test over the seeds", Flat: true, Leaves: 5,
			Text: func(r acrossRow) string { return strconv.Itoa(r.Wins) }, Exact: func(r acrossRow) any { return r.Wins }},
		{Name: "ties", Header: "tied", Doc: "pairs without a significant difference", Flat: true, Leaves: 1,
			Text: func(r acrossRow) string { return strconv.Itoa(r.Ties) }, Exact: func(r acrossRow) any { return r.Ties }},
		{Name: "losses", Header: "lost", Doc: "pairs that it lost", Flat: true, Leaves: 4,
			Text: func(r acrossRow) string { return strconv.Itoa(r.Losses) }, Exact: func(r acrossRow) any { return r.Losses }},
		{Name: "percent_of_uniform", Header: "% of uniform", Short: "% unif.", Doc: "regret in percent of that of acting uniformly, mean over the environments", Flat: true, Leaves: 6,
			Text: func(r acrossRow) string { return words.Percent(float64(r.OfUniform)) }, Exact: func(r acrossRow) any { return r.OfUniform }},
		{Name: "percent_above_best", Header: "above best", Short: "above", Doc: "regret above the lowest, in percent of the way to acting uniformly, mean over the environments", Flat: true, Leaves: 3,
			Text: func(r acrossRow) string { return words.Percent(float64(r.AboveBest)) }, Exact: func(r acrossRow) any { return r.AboveBest }},
	}
	for k, e := range a.Environments {
		l = append(l, column.Column[acrossRow]{Header: words.Plain(e.Label), Wide: true,
			Text: func(r acrossRow) string { return strings.TrimSuffix(strconv.FormatFloat(r.Ranks[k], 'f', 1, 64), ".0") }})
	}
	l = append(l, column.List[acrossRow]{
		{Name: "friedman_chi_square", Doc: "Friedman's statistic: whether the policies rank alike", Flat: true, Exact: func(r acrossRow) any { return r.across.Friedman.ChiSquare }},
		{Name: "friedman_p", Doc: "its p-value", Flat: true, Exact: func(r acrossRow) any { return r.across.Friedman.P }},
		{Name: "friedman_f", Doc: "the statistic of Iman and Davenport", Flat: true, Exact: func(r acrossRow) any { return r.across.Friedman.F }},
		{Name: "friedman_f_p", Doc: "its p-value", Flat: true, Exact: func(r acrossRow) any { return r.across.Friedman.FP }},
		{Name: "critical_difference", Doc: "Nemenyi: mean ranks differ if they are further apart", Flat: true, Exact: func(r acrossRow) any { return r.across.CriticalDifference }},
	}...)
	l = append(l, conditionColumns(func(r acrossRow) results.Conditions { return r.in().Conditions })...)
	return withParameters(l, a.Parameters.Names(), acrossRow.parameters)
}

// acrossJSON is the JSON of a comparison over environments.
type acrossJSON struct {
	Metric             *compare.Metric             `json:"metric"`
	Environments       []compare.AcrossEnvironment `json:"environments"`
	Policies           column.Objects[acrossRow]   `json:"policies"`
	Parameters         compare.Parameters          `json:"parameters,omitempty"`
	LeftOut            []string                    `json:"left_out"`
	Friedman           stats.FriedmanTest          `json:"friedman"`
	CriticalDifference words.Float                 `json:"critical_difference"`
	Pairs              []compare.Pair              `json:"pairs"`
}

func newAcrossJSON(a *compare.Across) acrossJSON {
	return acrossJSON{a.Metric, a.Environments, column.Objects[acrossRow]{Columns: acrossColumns(a), Rows: acrossPolicies(a)}, a.Parameters, a.LeftOut, a.Friedman,
		a.CriticalDifference, a.Pairs}
}
