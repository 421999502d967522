// Package tuning runs the searches of package tune on experiments, and shows their results as text and as figures.
package tuning

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"banditsim/internal/report"
	"banditsim/internal/tune"
	"banditsim/internal/words"
	"banditsim/results/stats"
)

// neighbors is the number of configurations shown below the best.
const neighbors = 5

// Report reports for each policy with ranges the best configuration and its neighbors. Then come the regret of the best
// ones on held-out seeds, and heldOut, a report on these. The CSV output has only the best configurations.
func Report(r *tune.Result, heldOut report.Result) report.Result {
	best := judged(r)
	type policy struct {
		Policy         string       `json:"policy"`
		Configurations report.Table `json:"configurations"`
	}
	list := []policy{}
	out := report.Result{Parts: []report.Result{heldOut}, Data: &best}
	for i := range r.Found {
		t := found(r, &r.Found[i])
		out.Tables = append(out.Tables, t)
		list = append(list, policy{r.Found[i].Policy, t})
		if f := r.Found[i]; r.Misses(f.Minutes) {
			out.Warnings = append(out.Warnings, fmt.Sprintf("%s: its search took %.3g minutes of processor time, of %g: %s", words.Plain(f.Policy), f.Minutes, r.Tune.Minutes, missed(r, f)))
		}
	}
	out.Tables = append(out.Tables, best)
	out.Document = struct {
		Policies []policy     `json:"policies"` // each with its best configuration first
		Best     report.Table `json:"best"`
		HeldOut  any          `json:"held_out"`
	}{list, best, heldOut.Document}
	return out
}

// missed returns a text that says why the search for a policy missed its budget in minutes.
func missed(r *tune.Result, f tune.Found) string {
	n := len(f.Configurations)
	if left := r.Tune.Minutes - f.Minutes; left > f.Minutes/float64(n) {
		return "its ranges have no more than " + words.Count(n, "configuration")
	}
	return words.Count(n, "configuration") + " came nearest to it: give more minutes, fewer seeds or fewer rounds"
}

// goal returns what the search minimizes, such as "mean expected regret".
func goal(t *tune.Section) string {
	if t.Objective == tune.Worst {
		return t.Metric.String() + " regret of the worst seed" + unit(t)
	}
	return "mean " + t.Metric.String() + " regret" + unit(t)
}

// unit returns a comma and the unit of regret if the search has several environments, otherwise "".
func unit(t *tune.Section) string {
	if t.Environments == nil {
		return ""
	}
	return ", % of uniform on each environment"
}

// found returns the table of the best configuration of a policy and its neighbors.
func found(r *tune.Result, f *tune.Found) report.Table {
	follow := "the nearest to it follow"
	if f.Best.Number == 0 {
		follow = "those that came furthest follow"
	}
	rows := append([]tune.Neighbor{f.Neighbor(f.Best.Number)}, f.Neighbors(neighbors)...)
	if f.Best.Number != 0 {
		rows = append(rows, f.Neighbor(0))
	}
	t := report.NewTable(foundColumns(r, f), rows,
		fmt.Sprintf("%s: %s has the lowest %s of %s", words.Plain(f.Policy), name(f.Best.Configuration), goal(r.Tune), words.Count(len(f.Configurations), "configuration")),
		"on the seeds of the search, "+words.Ranges(r.Tune.Seeds)+", and so flattered; "+follow,
	)
	t.Notes = []string{"distance: root mean square of the differences in position within the ranges, 1 for another choice", "less the best: on the same seeds and rounds, with a 95 % t-interval"}
	return t
}

// lessBest returns the regret of a configuration less that of the best in the same rung.
func lessBest(n tune.Neighbor) stats.Estimate { return tune.Difference(n.Regret, n.Best.Regret) }

// foundColumns returns the columns of the table of configurations, among them one for each range.
func foundColumns(r *tune.Result, f *tune.Found) report.Columns[tune.Neighbor] {
	l := report.Columns[tune.Neighbor]{
		{Name: "configuration", Header: "configuration", Exact: func(n tune.Neighbor) any { return name(n.Configuration) }},
		{Name: "distance", Header: "distance", Text: distanceText, Exact: func(n tune.Neighbor) any { return n.Distance }},
	}
	for i, v := range f.Ranges {
		l = append(l, report.Column[tune.Neighbor]{Name: v.Option, Header: v.Option, Exact: func(n tune.Neighbor) any {
			if len(n.Values) == 0 {
				return nil
			}
			return n.Values[i]
		}})
	}
	l = append(l, report.Columns[tune.Neighbor]{
		{Name: "rounds", Header: "rounds", Exact: func(n tune.Neighbor) any { return r.Rungs[n.Rung].Rounds }},
		{Name: "seeds", Header: "seeds", Exact: func(n tune.Neighbor) any { return r.Rungs[n.Rung].Seeds }},
	}...)
	l = append(l, estimate("regret", r.Tune.Metric.String()+" regret", func(n tune.Neighbor) stats.Estimate { return tune.Estimate(n.Regret) })...)
	l = append(l, report.Column[tune.Neighbor]{Header: "worst seed", Text: worstText})
	return append(l, report.Estimate(report.Column[tune.Neighbor]{Name: "less_the_best", Header: "less the best", Text: func(n tune.Neighbor) string {
		if n.Number == n.Best.Number {
			return ""
		}
		return lessBest(n).WithInterval()
	}}, "less_the_best_", lessBest)...)
}

// estimate returns the columns of a mean regret. Their names begin with the given name.
func estimate[R any](name, header string, of func(R) stats.Estimate) report.Columns[R] {
	return report.Estimate(report.Column[R]{Name: name, Header: header, Unit: "reward", Text: func(r R) string { return of(r).String() }}, name+"_", of)
}

func distanceText(n tune.Neighbor) string {
	if !words.Finite(n.Distance) {
		return ""
	}
	return strconv.FormatFloat(n.Distance, 'f', 3, 64)
}

func worstText(n tune.Neighbor) string {
	finished := tune.Estimate(n.Regret).N
	switch failed := len(n.Regret) - finished; {
	case failed > 0:
		return words.Int(failed) + " failed"
	case finished == 0:
		return words.None
	}
	return words.Amount(slices.Max(n.Regret))
}

// judgedColumns are the columns of the best configurations on the seeds held out.
func judgedColumns(t *tune.Section) report.Columns[tune.Judgment] {
	share := ""
	if t.Environments != nil {
		share = ", % of uniform"
	}
	l := slices.Concat(
		report.Columns[tune.Judgment]{
			{Name: "policy", Header: "policy", Exact: func(j tune.Judgment) any { return j.Best.Policy }},
			{Name: "configuration", Header: "configuration", Exact: func(j tune.Judgment) any { return name(j.Best) }},
		},
		estimate("search", "search", func(j tune.Judgment) stats.Estimate { return j.Search }),
		estimate("held_out", "held out", func(j tune.Judgment) stats.Estimate { return j.HeldOut }),
		estimate("untuned", "untuned", func(j tune.Judgment) stats.Estimate { return j.Untuned }),
		report.Estimate(report.Column[tune.Judgment]{Name: "difference", Header: "tuned less untuned" + share, Unit: "reward", Text: func(j tune.Judgment) string { return j.Difference.WithInterval() }},
			"difference_", func(j tune.Judgment) stats.Estimate { return j.Difference }),
	)
	if t.Minutes == 0 {
		return l
	}
	return append(l, report.Column[tune.Judgment]{Name: "minutes", Header: "minutes", Unit: "minutes of processor time", Right: true,
		Text: func(j tune.Judgment) string { return fmt.Sprintf("%.3g", j.Minutes) }, Exact: func(j tune.Judgment) any { return j.Minutes }})
}

// judged returns the table of the best configurations on the seeds held out.
func judged(r *tune.Result) report.Table {
	t := report.NewTable(judgedColumns(r.Tune), r.Judge(),
		"Regret of what was found on seeds that the search has not seen, "+words.Shorten(words.Ranges(r.Search.HeldOut), 60)+": mean "+r.Tune.Metric.String()+" regret"+unit(r.Tune),
		"± and [ ]: 95 % t-intervals; those of the search are too low and too narrow, as the lowest of many was taken",
	)
	t.Notes = []string{"tuned less untuned: what tuning bought, held out less untuned, seed by seed; below 0 it lowers regret"}
	if r.Tune.Minutes > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("minutes: processor time of the search, of %g; which configurations were tried depends on the machine, the trials of each do not", r.Tune.Minutes))
	}
	return t
}

func name(c tune.Configuration) string {
	if c.Number == 0 {
		return "untuned"
	}
	return "#" + strconv.Itoa(c.Number)
}

// Stages returns lines that describe what a search will run.
func Stages(s *tune.Search, dir string) []string {
	var lines []string
	tuned := 0
	for _, p := range s.Policies {
		if len(p.Ranges) == 0 {
			lines = append(lines, fmt.Sprintf("policy  %s as it is", words.Plain(p.Policy)))
			continue
		}
		tuned++
		count := words.Count(len(p.Configurations), "configuration")
		if s.Tune.Minutes > 0 { // the number of configurations is not known yet
			count = fmt.Sprintf("%g min of processor time", s.Tune.Minutes)
		}
		lines = append(lines, fmt.Sprintf("policy  %s, %s", words.Plain(p.Policy), count))
		for _, r := range p.Ranges {
			lines = append(lines, "  "+words.Plain(r.Option)+"  "+words.Plain(r.String()))
		}
	}
	last := s.Rungs[len(s.Rungs)-1]
	cost := fmt.Sprintf("cost    %d trials of %d rounds for each policy with ranges, of a budget of %d", s.Cost(), last.Rounds, s.Tune.Budget)
	most := func(r tune.Rung) string { return "at most " + words.Int(r.Configurations) }
	if s.Tune.Minutes > 0 {
		cost = fmt.Sprintf("cost    %g min of processor time for each policy with ranges", s.Tune.Minutes)
		most = func(tune.Rung) string { return "as many as the minutes allow" }
	}
	lines = append(lines, report.NewTable(report.Columns[tune.Rung]{
		{Header: "rung", Right: true, Text: func(r tune.Rung) string { return strconv.Itoa(slices.Index(s.Rungs, r) + 1) }},
		{Header: "configurations of a policy", Right: true, Text: most},
		{Header: "seeds", Right: true, Text: func(r tune.Rung) string { return words.Int(r.Seeds) }},
		{Header: "rounds", Text: func(r tune.Rung) string { return words.Int(r.Rounds) }},
	}, s.Rungs).Lines()...)
	if s.Judges != nil {
		lines = append(lines, "search  on "+words.Plain(strings.Join(s.Tune.Environments, ", ")), "judged  on "+words.Plain(strings.Join(s.Judges, ", ")))
	}
	return append(lines,
		cost,
		fmt.Sprintf("then    %d trials of %d rounds on the seeds held out, %s", len(s.HeldOut)*(len(s.Policies)+tuned)*max(len(s.Judges), 1), last.Rounds, words.Ranges(s.HeldOut)),
		"output  "+dir)
}
