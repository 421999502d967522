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
	"banditsim/results/compare"
	"banditsim/results/stats"
)

// An environmentScore is the JSON of one set.
type environmentScore struct {
	Environment string                `json:"environment"` // label
	Conditions  results.Conditions    `json:"setting"`
	How         bandit.ScoreOptions   `json:"scored_by"`
	Policies    []compare.PolicyScore `json:"policies"`
}

// RecordedScores writes the recorded scores of each set beside the regret: a table for each, or all in one sheet.
func RecordedScores(w io.Writer, f Format, sets []*results.Set) error {
	var all []environmentScore
	var list []compare.PolicyScore
	for _, set := range sets {
		scores, how, err := compare.Scores(set)
		if err != nil {
			return err
		}
		all, list = append(all, environmentScore{set.Label, set.Conditions, how, scores}), append(list, scores...)
	}
	table := func(e environmentScore) Table { return ScoreTable(e.How, e.Policies, e.Conditions) }
	return renderEach(w, f, all, table, func() Sheet { return scoreSheet(list) })
}

// Scores writes the scores of policies under some conditions, in each environment the lowest log loss first.
func Scores(w io.Writer, f Format, o bandit.ScoreOptions, list []compare.PolicyScore, under ...results.Conditions) error {
	first := func(p compare.PolicyScore) float64 { return p.Measures[compare.ScoreMeasures[0].Name].Mean }
	slices.SortStableFunc(list, func(a, b compare.PolicyScore) int {
		return cmp.Or(cmp.Compare(a.Environment, b.Environment), cmp.Compare(first(a), first(b)))
	})
	return Render(w, f, func() Table { return ScoreTable(o, list, under...) }, func() Sheet { return scoreSheet(list) }, list)
}

// ScoreTable returns the table of scores under some conditions, with the regret if they have it.
func ScoreTable(o bandit.ScoreOptions, list []compare.PolicyScore, under ...results.Conditions) Table {
	t := Table{
		Caption: []string{
			fmt.Sprintf("Predictions of the chosen arm's reward after the trial, on %s, by %s: mean ± half of the 95 %% t-interval over the seeds", words.Count(o.Contexts, "context"), words.Count(o.Draws, "draw")),
			fmt.Sprintf("log loss in nats, with a normal reward of standard deviation %g about each draw; joint: a pair of contexts", o.Noise),
		},
		Header: []string{"policy", "environment", "seeds"},
	}
	for _, c := range under {
		t.Caption = append(t.Caption, c.DataName()+" · "+c.ProtocolName())
	}
	recorded := hasRegret(list)
	if recorded {
		t.Header = append(t.Header, compare.Metrics[0].Name+" regret")
	}
	for _, m := range compare.ScoreMeasures {
		t.Header = append(t.Header, m.Title)
	}
	alone := false
	for _, p := range list {
		row := []string{words.Plain(p.Policy), words.Plain(p.Environment), strconv.Itoa(p.Seeds)}
		if recorded {
			row = append(row, p.Regret.String())
		}
		for _, m := range compare.ScoreMeasures {
			row = append(row, scoreText(p.Measures[m.Name]))
			alone = alone || p.Seeds > 0 && math.IsNaN(p.Measures[m.Name].Mean)
		}
		t.Rows = append(t.Rows, row)
		if n := len(p.Failures); n > 0 {
			t.Notes = append(t.Notes, fmt.Sprintf("%s: %s could not be scored, such as by %s", words.Plain(p.Policy), words.Count(n, "trial"), words.Plain(words.Shorten(p.Failures[0], 200))))
		}
	}
	if alone {
		t.Notes = append(t.Notes, words.None+": a draw of the posterior is for one context")
	}
	return t
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

func scoreSheet(list []compare.PolicyScore) Sheet {
	s, recorded := Sheet{Header: []string{"policy", "environment", "seeds"}}, hasRegret(list)
	for _, m := range compare.ScoreMeasures {
		s.Header = append(s.Header, EstimateHeader(m.Name)...)
	}
	if recorded {
		s.Header = append(append(s.Header, EstimateHeader(compare.Metrics[0].Name)...), "not_scored")
	}
	for _, p := range list {
		row := []string{p.Policy, p.Environment, strconv.Itoa(p.Seeds)}
		for _, m := range compare.ScoreMeasures {
			row = append(row, EstimateCells(p.Measures[m.Name])...)
		}
		if recorded {
			row = append(append(row, EstimateCells(*p.Regret)...), strconv.Itoa(len(p.Failures)))
		}
		s.Rows = append(s.Rows, row)
	}
	return s
}
