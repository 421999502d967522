package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"banditsim/bandit"
	"banditsim/internal/lists"
	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/compare"
	"banditsim/results/stats"
)

// RecordedScores reports policies' regret and recorded prediction scores: a table per set; CSV has all sets' rows.
func RecordedScores(sets []*results.Set) (Result, error) {
	return perSet(sets, scoreColumns, func(set *results.Set) ([]compare.PolicyScore, Table, setDocument, error) {
		scores, how, err := compare.Scores(set)
		return scores, ScoreTable(how, scores, set.Conditions), setDocument{How: &how}, err
	})
}

// Scores reports the scores in list, which it sorts by environment and log loss. The caption names the conditions.
func Scores(o bandit.ScoreOptions, list []compare.PolicyScore, conditions ...results.Conditions) Result {
	first := func(p compare.PolicyScore) float64 { return p.Measures[compare.ScoreMeasures()[0].Name].Mean }
	slices.SortStableFunc(list, func(a, b compare.PolicyScore) int {
		return cmp.Or(cmp.Compare(a.Environment, b.Environment), cmp.Compare(first(a), first(b)))
	})
	return Result{Tables: []Table{ScoreTable(o, list, conditions...)}}
}

// ScoreTable returns a table of scores, computed with o, and of regrets if list has any. The caption names conditions.
func ScoreTable(o bandit.ScoreOptions, list []compare.PolicyScore, conditions ...results.Conditions) Table {
	t := NewTable(scoreColumns(list), list,
		fmt.Sprintf("Predictions of the chosen arm's reward after the trial, on %s, by %s: mean ± half of the 95 %% t-interval over the seeds", words.Count(o.Contexts, "context"), words.Count(o.Draws, "draw")),
		fmt.Sprintf("log loss in nats, with a normal reward of standard deviation %g about each draw; joint: a pair of contexts", o.Noise),
	)
	for _, c := range conditions {
		t.Caption = append(t.Caption, c.DataName()+" · "+c.ProtocolName())
	}
	alone := false
	for _, p := range list {
		for _, m := range compare.ScoreMeasures() {
			alone = alone || p.Seeds > 0 && math.IsNaN(p.Measures[m.Name].Mean)
		}
		if n := len(p.Failures); n > 0 {
			t.Notes = append(t.Notes, fmt.Sprintf("%s: %s could not be scored, such as by %s", words.Plain(p.Policy), words.Count(n, "trial"), words.Plain(words.Shorten(p.Failures[0], 200))))
		}
	}
	if alone {
		t.Notes = append(t.Notes, words.None+": a draw of the posterior is for one context")
	}
	return t
}

func scoreColumns(list []compare.PolicyScore) Columns[compare.PolicyScore] {
	l := Columns[compare.PolicyScore]{
		{JSON: func(p compare.PolicyScore) any { return p }},
		{Name: "policy", Header: "policy", Doc: "label of the policy", Flat: true,
			Exact: func(p compare.PolicyScore) any { return p.Policy }},
		{Name: "environment", Header: "environment", Doc: "label of the environment", Flat: true,
			Exact: func(p compare.PolicyScore) any { return p.Environment }},
		{Name: "seeds", Header: "seeds", Doc: "number of trials with a score", Flat: true,
			Exact: func(p compare.PolicyScore) any { return p.Seeds }},
	}
	for _, m := range compare.ScoreMeasures() {
		l = append(l, Estimate(Column[compare.PolicyScore]{Name: m.Name, Header: m.Title, Doc: "mean " + m.Title, Flat: true,
			Text: func(p compare.PolicyScore) string { return scoreText(p.Measures[m.Name]) }},
			m.Name+"_", func(p compare.PolicyScore) stats.Estimate { return p.Measures[m.Name] })...)
	}
	if !slices.ContainsFunc(list, func(p compare.PolicyScore) bool { return p.Regret != nil }) {
		return l
	}
	regret := compare.Primary().String()
	l = append(l, Estimate(Column[compare.PolicyScore]{Name: regret, Header: regret + " regret", Doc: "mean cumulative regret of these trials", Unit: "reward", Flat: true, After: "seeds"},
		regret+"_", func(p compare.PolicyScore) stats.Estimate { return *p.Regret })...)
	return append(l, Column[compare.PolicyScore]{Name: "not_scored", Doc: "number of trials that could not be scored", Flat: true,
		Exact: func(p compare.PolicyScore) any { return len(p.Failures) }})
}

// scoreText returns a mean and half the width of its interval, with three decimals.
func scoreText(e stats.Estimate) string {
	switch {
	case math.IsNaN(e.Mean):
		return words.None
	case !e.HasInterval():
		return fmt.Sprintf("%.3f", e.Mean)
	}
	return fmt.Sprintf("%.3f ± %.3f", e.Mean, e.Half())
}

// A costRow is the cost of a policy of a set.
type costRow struct {
	compare.Cost
	set *results.Set
	all compare.Parameters // parameters of the set
}

func (r costRow) parameters() (compare.Parameters, string) { return r.all, r.Policy }

// Costs reports each policy's regret, gradient steps and time per trial: a table per set; CSV has the rows of all sets.
func Costs(sets []*results.Set) Result {
	r, _ := perSet(sets, costColumns, func(set *results.Set) ([]costRow, Table, setDocument, error) { // its error is always nil
		parameters, costs := compare.NewParameters(set), compare.Costs(set, compare.Primary())
		rows := lists.Each(costs, func(c compare.Cost) costRow { return costRow{c, set, parameters} })
		return rows, NewTable(costColumns(rows), rows,
			"Regret and cost of a trial, means over the seeds; "+words.Plain(set.Label),
			"steps: gradient steps of all chains; seconds: "+clock(rows),
			"*: no other policy has both less regret and less time",
			set.Conditions.DataName()+" · "+set.Conditions.ProtocolName(),
		), setDocument{Parameters: parameters}, nil
	})
	return r
}

func costColumns(rows []costRow) Columns[costRow] {
	name := compare.Primary().String()
	l := Columns[costRow]{
		{Name: "policy", Header: "policy", Doc: "label of the policy", Exact: func(r costRow) any { return r.Policy }},
		{Name: "setting", Doc: "label of the environment", Flat: true, Exact: func(r costRow) any { return r.set.Label }},
		{Name: "seeds", Header: "seeds", Doc: "number of trials that did all their rounds", Flat: true,
			Exact: func(r costRow) any { return r.Regret.N }},
		{Name: "regret", Doc: "mean cumulative " + name + " regret with error and interval; in JSON alone", Unit: "reward", JSON: func(r costRow) any { return r.Regret }},
	}
	l = append(l, Estimate(Column[costRow]{Name: name, Header: name + " regret", Doc: "mean cumulative " + name + " regret", Unit: "reward", Flat: true}, name+"_", func(r costRow) stats.Estimate { return r.Regret })...)
	l = append(l, Columns[costRow]{
		{Name: "steps", Header: "steps", Doc: "mean gradient steps of all chains of a trial",
			Exact: func(r costRow) any { return r.Steps }},
		{Name: "seconds", Header: "seconds", Doc: "mean processor time of a trial, which depends on the machine; wall time if a sidecar does not have it", Unit: "seconds",
			Text: func(r costRow) string { return secondsText(float64(r.Seconds)) }, Exact: func(r costRow) any { return r.Seconds }},
		{Name: "undominated", Doc: "whether no other policy has both less regret and less time; * in text", Text: func(r costRow) string { return map[bool]string{true: "*"}[r.Undominated] },
			Exact: func(r costRow) any { return r.Undominated }},
	}...)
	l = append(l, conditionColumns(func(r costRow) results.Conditions { return r.set.Conditions })...)
	var parameters []string
	for _, r := range rows {
		parameters = append(parameters, r.all.Names()...)
	}
	return withParameters(l, parameters, costRow.parameters)
}

// clock says, for a caption, whether the field Seconds of rows is processor time or wall time.
func clock(rows []costRow) string {
	if len(rows) > 0 && rows[0].Processor {
		return "processor time, which depends on the machine"
	}
	return "wall time, which depends on the machine and its load"
}

func secondsText(v float64) string {
	if !words.Finite(v) {
		return words.None
	}
	return fmt.Sprintf("%.3g", v)
}
