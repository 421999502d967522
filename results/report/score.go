package report

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"banditsim/bandit"
	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/column"
	"banditsim/results/compare"
	"banditsim/results/stats"
)

// scoreJSON is the JSON of one set.
type scoreJSON struct {
	Environment string                              `json:"environment"` // label
	Conditions  results.Conditions                  `json:"setting"`
	How         bandit.ScoreOptions                 `json:"scored_by"`
	Policies    column.Objects[compare.PolicyScore] `json:"policies"`
}

// RecordedScores writes the recorded scores of each set beside the regret: a table for each, or all in one CSV.
func RecordedScores(w io.Writer, f Format, sets []*results.Set) error {
	var documents []scoreJSON
	var rows []compare.PolicyScore
	for _, set := range sets {
		scores, how, err := compare.Scores(set)
		if err != nil {
			return err
		}
		documents = append(documents, scoreJSON{set.Label, set.Conditions, how, column.Objects[compare.PolicyScore]{Columns: scoreColumns(true), Rows: scores}})
		rows = append(rows, scores...)
	}
	table := func(e scoreJSON) Table { return ScoreTable(e.How, e.Policies.Rows, e.Conditions) }
	return renderEach(w, f, documents, table, scoreColumns(hasRegret(rows)).CSV(rows), documents)
}

// Scores writes the scores of policies under some conditions, in each environment the lowest log loss first.
func Scores(w io.Writer, f Format, o bandit.ScoreOptions, list []compare.PolicyScore, under ...results.Conditions) error {
	first := func(p compare.PolicyScore) float64 { return p.Measures[compare.ScoreMeasures()[0].Name].Mean }
	slices.SortStableFunc(list, func(a, b compare.PolicyScore) int {
		return cmp.Or(cmp.Compare(a.Environment, b.Environment), cmp.Compare(first(a), first(b)))
	})
	columns := scoreColumns(hasRegret(list))
	return Render(w, f, func() Table { return ScoreTable(o, list, under...) }, columns.CSV(list), column.Objects[compare.PolicyScore]{Columns: columns, Rows: list})
}

// ScoreTable returns the table of scores under some conditions, with the regret if they have it.
func ScoreTable(o bandit.ScoreOptions, list []compare.PolicyScore, under ...results.Conditions) Table {
	t := NewTable(scoreColumns(hasRegret(list)), list,
		fmt.Sprintf("Predictions of the chosen arm's reward after the trial, on %s, by %s: mean ± half of the 95 %% t-interval over the seeds", words.Count(o.Contexts, "context"), words.Count(o.Draws, "draw")),
		fmt.Sprintf("log loss in nats, with a normal reward of standard deviation %g about each draw; joint: a pair of contexts", o.Noise),
	)
	for _, c := range under {
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

// scoreColumns returns the columns of scores, if recorded with the regret.
func scoreColumns(recorded bool) column.List[compare.PolicyScore] {
	l := column.List[compare.PolicyScore]{
		{JSON: func(p compare.PolicyScore) any { return p }},
		{Name: "policy", Header: "policy", Doc: "label of the policy", Flat: true,
			Text: func(p compare.PolicyScore) string { return words.Plain(p.Policy) }, Exact: func(p compare.PolicyScore) any { return p.Policy }},
		{Name: "environment", Header: "environment", Doc: "label of the environment", Flat: true,
			Text: func(p compare.PolicyScore) string { return words.Plain(p.Environment) }, Exact: func(p compare.PolicyScore) any { return p.Environment }},
		{Name: "seeds", Header: "seeds", Doc: "number of trials with a score", Flat: true,
			Text: func(p compare.PolicyScore) string { return strconv.Itoa(p.Seeds) }, Exact: func(p compare.PolicyScore) any { return p.Seeds }},
	}
	for _, m := range compare.ScoreMeasures() {
		l = append(l, column.Estimate(column.Column[compare.PolicyScore]{Name: m.Name, Header: m.Title, Doc: "mean " + m.Title, Flat: true,
			Text: func(p compare.PolicyScore) string { return scoreText(p.Measures[m.Name]) }},
			m.Name+"_", func(p compare.PolicyScore) stats.Estimate { return p.Measures[m.Name] })...)
	}
	if !recorded {
		return l
	}
	regret := compare.Metrics()[0].String()
	l = append(l, column.Estimate(column.Column[compare.PolicyScore]{Name: regret, Header: regret + " regret", Doc: "mean cumulative regret of these trials", Unit: "reward", Flat: true, After: "seeds",
		Text: func(p compare.PolicyScore) string { return p.Regret.String() }},
		regret+"_", func(p compare.PolicyScore) stats.Estimate { return *p.Regret })...)
	return append(l, column.Column[compare.PolicyScore]{Name: "not_scored", Doc: "number of trials that could not be scored", Flat: true,
		Exact: func(p compare.PolicyScore) any { return len(p.Failures) }})
}

func hasRegret(list []compare.PolicyScore) bool {
	return slices.ContainsFunc(list, func(p compare.PolicyScore) bool { return p.Regret != nil })
}

// scoreText returns a mean with half of its interval, to three digits after the point.
func scoreText(e stats.Estimate) string {
	switch {
	case math.IsNaN(e.Mean):
		return words.None
	case !e.HasInterval():
		return fmt.Sprintf("%.3f", e.Mean)
	}
	return fmt.Sprintf("%.3f ± %.3f", e.Mean, e.Half())
}
