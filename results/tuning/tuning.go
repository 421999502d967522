// Package tuning shows what a search for options has found, as text and as a figure.
package tuning

import (
	"fmt"
	"io"
	"slices"
	"strconv"

	"banditsim/bandit/experiment"
	"banditsim/bandit/tune"
	"banditsim/internal/words"
	"banditsim/results/report"
	"banditsim/results/stats"
)

// neighbours is the number of configurations that are shown below the best.
const neighbours = 5

// Write writes for each policy with ranges the best configuration and those nearest to it, then the regret of the
// best on the seeds held out.
func Write(w io.Writer, r *tune.Result) error {
	for i := range r.Found {
		if err := report.Render(w, report.Text, func() report.Table { return found(r, &r.Found[i]) }, nil, nil); err != nil {
			return err
		}
		if _, err := fmt.Fprintln(w); err != nil {
			return err
		}
	}
	return report.Render(w, report.Text, func() report.Table { return judged(r) }, nil, nil)
}

// goal returns what the search minimises, such as "mean expected regret".
func goal(t *experiment.Tune) string {
	if t.Objective == experiment.Worst {
		return t.Metric.Name + " regret of the worst seed"
	}
	return "mean " + t.Metric.Name + " regret"
}

// found returns the table of the best configuration of a policy and its neighbours.
func found(r *tune.Result, f *tune.Found) report.Table {
	follow := "the nearest to it follow"
	if f.Best.Number == 0 {
		follow = "those that came furthest follow"
	}
	t := report.Table{
		Caption: []string{
			fmt.Sprintf("%s: %s has the lowest %s of %s", words.Plain(f.Policy), name(f.Best.Configuration), goal(r.Tune), words.Count(len(f.Configurations), "configuration")),
			"on the seeds of the search, " + words.Ranges(r.Tune.Seeds) + ", and so flattered; " + follow,
		},
		Header: []string{"configuration", "distance"},
		Notes:  []string{"distance: root mean square of the differences in position within the ranges, 1 for another choice", "less the best: on the same seeds and rounds, with a 95 % t-interval"},
	}
	for _, v := range f.Ranges {
		t.Header = append(t.Header, v.Option)
	}
	t.Header = append(t.Header, "rounds", "seeds", r.Tune.Metric.Name+" regret", "worst seed", "less the best")
	add := func(c tune.Scored, rung int, distance, less string) {
		row := []string{name(c.Configuration), distance}
		for i := range f.Ranges {
			value := words.None
			if len(c.Values) > 0 {
				value = words.Plain(c.Values[i])
			}
			row = append(row, value)
		}
		e := tune.Estimate(c.Regret)
		worst, mean := words.None, words.None
		if e.N > 0 {
			mean, worst = e.String(), words.Amount(slices.Max(c.Regret))
		}
		if failed := len(c.Regret) - e.N; failed > 0 {
			worst = words.Int(failed) + " failed"
		}
		t.Rows = append(t.Rows, append(row, words.Int(r.Rungs[rung].Rounds), strconv.Itoa(r.Rungs[rung].Seeds), mean, worst, less))
	}
	last := len(f.Rungs) - 1
	add(f.Best, last, "", "")
	for _, n := range f.Neighbours(neighbours) {
		distance := ""
		if words.Finite(n.Distance) {
			distance = strconv.FormatFloat(n.Distance, 'f', 3, 64)
		}
		add(n.Scored, n.Rung, distance, difference(tune.Difference(n.Regret, n.Best.Regret)))
	}
	if f.Best.Number != 0 {
		untuned, rung := f.Last(0)
		best, _ := f.At(rung, f.Best.Number)
		add(untuned, rung, "", difference(tune.Difference(untuned.Regret, best.Regret)))
	}
	return t
}

// judged returns the table of the best configurations on the seeds held out.
func judged(r *tune.Result) report.Table {
	t := report.Table{
		Caption: []string{
			"Regret of what was found on seeds that the search has not seen, " + words.Shorten(words.Ranges(r.Search.HeldOut), 60) + ": mean " + r.Tune.Metric.Name + " regret",
			"± and [ ]: 95 % t-intervals; those of the search are too low and too narrow, as the lowest of many was taken",
		},
		Header: []string{"policy", "configuration", "search", "held out", "untuned", "difference"},
		Notes:  []string{"difference: held out less untuned, seed by seed"},
	}
	for _, j := range r.Judge() {
		untuned := words.None
		if j.Untuned.N > 0 {
			untuned = j.Untuned.String()
		}
		t.Rows = append(t.Rows, []string{words.Plain(j.Best.Policy), name(j.Best), j.Search.String(), j.HeldOut.String(), untuned, difference(j.Difference)})
	}
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
	rows := [][]string{{"rung", "configurations of a policy", "seeds", "rounds"}}
	for k, r := range s.Rungs {
		rows = append(rows, []string{strconv.Itoa(k + 1), "at most " + words.Int(r.Configurations), words.Int(r.Seeds), words.Int(r.Rounds)})
	}
	lines = append(lines, report.Columns(rows, 0, 1, 2)...)
	last := s.Rungs[len(s.Rungs)-1]
	return append(lines,
		fmt.Sprintf("cost    %d trials of %d rounds for each policy with ranges, of a budget of %d", s.Cost(), last.Rounds, s.Tune.Budget),
		fmt.Sprintf("then    %d trials of %d rounds on the seeds held out, %s", len(s.HeldOut)*(len(s.Policies)+tuned), last.Rounds, words.Ranges(s.HeldOut)),
		"output  "+dir)
}
