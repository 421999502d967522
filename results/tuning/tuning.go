// Package tuning shows what a search for options has found, as text and as a figure.
package tuning

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"banditsim/bandit/experiment"
	"banditsim/internal/tune"
	"banditsim/internal/words"
	"banditsim/results/report"
	"banditsim/results/stats"
)

// neighbors is the number of configurations that are shown below the best.
const neighbors = 5

// Report reports for each policy with ranges the best configuration and those nearest to it, then the regret of the
// best on the seeds held out.
func Report(r *tune.Result) report.Result {
	var out report.Result
	for i := range r.Found {
		out.Tables = append(out.Tables, found(r, &r.Found[i]))
	}
	out.Tables = append(out.Tables, judged(r))
	return out
}

// goal returns what the search minimizes, such as "mean expected regret".
func goal(t *experiment.Tune) string {
	if t.Objective == experiment.Worst {
		return t.Metric.String() + " regret of the worst seed"
	}
	return "mean " + t.Metric.String() + " regret"
}

// found returns the table of the best configuration of a policy and its neighbors.
func found(r *tune.Result, f *tune.Found) report.Table {
	follow := "the nearest to it follow"
	if f.Best.Number == 0 {
		follow = "those that came furthest follow"
	}
	var rows []foundRow
	last := len(f.Rungs) - 1
	rows = append(rows, foundRow{f.Best, r.Rungs[last], math.NaN(), nil})
	for _, n := range f.Neighbors(neighbors) {
		less := tune.Difference(n.Regret, n.Best.Regret)
		rows = append(rows, foundRow{n.Scored, r.Rungs[n.Rung], n.Distance, &less})
	}
	if f.Best.Number != 0 {
		untuned, rung := f.Last(0)
		best, _ := f.At(rung, f.Best.Number)
		less := tune.Difference(untuned.Regret, best.Regret)
		rows = append(rows, foundRow{untuned, r.Rungs[rung], math.NaN(), &less})
	}
	t := report.NewTable(foundColumns(r, f), rows,
		fmt.Sprintf("%s: %s has the lowest %s of %s", words.Plain(f.Policy), name(f.Best.Configuration), goal(r.Tune), words.Count(len(f.Configurations), "configuration")),
		"on the seeds of the search, "+words.Ranges(r.Tune.Seeds)+", and so flattered; "+follow,
	)
	t.Notes = []string{"distance: root mean square of the differences in position within the ranges, 1 for another choice", "less the best: on the same seeds and rounds, with a 95 % t-interval"}
	return t
}

// A foundRow is a configuration in the last rung that it reached.
type foundRow struct {
	tune.Scored
	rung     tune.Rung
	distance float64         // distance from the best; NaN if there is none
	less     *stats.Estimate // the best; nil of itself
}

// foundColumns returns the columns of configurations, one for each range.
func foundColumns(r *tune.Result, f *tune.Found) report.Columns[foundRow] {
	l := report.Columns[foundRow]{
		{Header: "configuration", Text: func(r foundRow) string { return name(r.Configuration) }},
		{Header: "distance", Text: distanceText},
	}
	for i, v := range f.Ranges {
		l = append(l, report.Column[foundRow]{Header: v.Option, Text: func(r foundRow) string {
			if len(r.Values) == 0 {
				return words.None
			}
			return words.Plain(r.Values[i])
		}})
	}
	return append(l, report.Columns[foundRow]{
		{Header: "rounds", Text: func(r foundRow) string { return words.Int(r.rung.Rounds) }},
		{Header: "seeds", Text: func(r foundRow) string { return strconv.Itoa(r.rung.Seeds) }},
		{Header: r.Tune.Metric.String() + " regret", Text: func(r foundRow) string { return meanText(tune.Estimate(r.Regret)) }},
		{Header: "worst seed", Text: worstText},
		{Header: "less the best", Text: func(r foundRow) string {
			if r.less == nil {
				return ""
			}
			return difference(*r.less)
		}},
	}...)
}

func distanceText(r foundRow) string {
	if !words.Finite(r.distance) {
		return ""
	}
	return strconv.FormatFloat(r.distance, 'f', 3, 64)
}

func meanText(e stats.Estimate) string {
	if e.N == 0 {
		return words.None
	}
	return e.String()
}

func worstText(r foundRow) string {
	finished := tune.Estimate(r.Regret).N
	switch failed := len(r.Regret) - finished; {
	case failed > 0:
		return words.Int(failed) + " failed"
	case finished == 0:
		return words.None
	}
	return words.Amount(slices.Max(r.Regret))
}

// judgedColumns are those of the best configurations on the seeds held out.
var judgedColumns = report.Columns[tune.Judgment]{
	{Header: "policy", Text: func(j tune.Judgment) string { return words.Plain(j.Best.Policy) }},
	{Header: "configuration", Text: func(j tune.Judgment) string { return name(j.Best) }},
	{Header: "search", Text: func(j tune.Judgment) string { return j.Search.String() }},
	{Header: "held out", Text: func(j tune.Judgment) string { return j.HeldOut.String() }},
	{Header: "untuned", Text: func(j tune.Judgment) string { return meanText(j.Untuned) }},
	{Header: "difference", Text: func(j tune.Judgment) string { return difference(j.Difference) }},
}

// judged returns the table of the best configurations on the seeds held out.
func judged(r *tune.Result) report.Table {
	t := report.NewTable(judgedColumns, r.Judge(),
		"Regret of what was found on seeds that the search has not seen, "+words.Shorten(words.Ranges(r.Search.HeldOut), 60)+": mean "+r.Tune.Metric.String()+" regret",
		"± and [ ]: 95 % t-intervals; those of the search are too low and too narrow, as the lowest of many was taken",
	)
	t.Notes = []string{"difference: held out less untuned, seed by seed"}
	return t
}

// difference returns such as "−55 [−80, −30]".
func difference(e stats.Estimate) string {
	switch {
	case e.N == 0:
		return words.None
	case !e.HasInterval():
		return e.MeanText()
	}
	return e.MeanText() + " " + e.Interval()
}

func name(c tune.Configuration) string {
	if c.Number == 0 {
		return "untuned"
	}
	return "#" + strconv.Itoa(c.Number)
}

// Stages returns the lines that say what a search runs.
func Stages(s *tune.Search, dir string) []string {
	var lines []string
	tuned := 0
	for _, p := range s.Policies {
		if len(p.Ranges) == 0 {
			lines = append(lines, fmt.Sprintf("policy  %s as it is", words.Plain(p.Policy)))
			continue
		}
		tuned++
		lines = append(lines, fmt.Sprintf("policy  %s, %s", words.Plain(p.Policy), words.Count(len(p.Configurations), "configuration")))
		for _, r := range p.Ranges {
			lines = append(lines, "  "+words.Plain(r.Option)+"  "+words.Plain(r.String()))
		}
	}
	var rungs []rungRow
	for k, r := range s.Rungs {
		rungs = append(rungs, rungRow{k + 1, r})
	}
	lines = append(lines, report.NewTable(rungColumns, rungs).Lines()...)
	last := s.Rungs[len(s.Rungs)-1]
	return append(lines,
		fmt.Sprintf("cost    %d trials of %d rounds for each policy with ranges, of a budget of %d", s.Cost(), last.Rounds, s.Tune.Budget),
		fmt.Sprintf("then    %d trials of %d rounds on the seeds held out, %s", len(s.HeldOut)*(len(s.Policies)+tuned), last.Rounds, words.Ranges(s.HeldOut)),
		"output  "+dir)
}

// A rungRow is a rung with its number, from 1.
type rungRow struct {
	number int
	tune.Rung
}

var rungColumns = report.Columns[rungRow]{
	{Header: "rung", Right: true, Text: func(r rungRow) string { return strconv.Itoa(r.number) }},
	{Header: "configurations of a policy", Right: true, Text: func(r rungRow) string { return "at most " + words.Int(r.Configurations) }},
	{Header: "seeds", Right: true, Text: func(r rungRow) string { return words.Int(r.Seeds) }},
	{Header: "rounds", Text: func(r rungRow) string { return words.Int(r.Rounds) }},
}
