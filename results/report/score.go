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
	"banditsim/results/stats"
)

// A PolicyScore is the scores of a policy's trials in an environment.
type PolicyScore struct {
	Environment string         `json:"environment"`
	Policy      string         `json:"policy"` // label
	Scores      []bandit.Score `json:"-"`
	// Over the seeds. NaN for a joint loss where the posterior's draws hold for one context each.
	LogLoss      stats.Estimate `json:"log_loss"`
	JointLogLoss stats.Estimate `json:"joint_log_loss"`
	Calibration  stats.Estimate `json:"calibration_error"`
}

// A scoreMeasure is a column of Scores.
type scoreMeasure struct {
	header, name string
	of           func(bandit.Score) float64
	to           func(*PolicyScore) *stats.Estimate
}

var scoreMeasures = []scoreMeasure{
	{"log loss", "log_loss", func(s bandit.Score) float64 { return s.LogLoss }, func(p *PolicyScore) *stats.Estimate { return &p.LogLoss }},
	{"joint log loss", "joint_log_loss", func(s bandit.Score) float64 { return s.JointLogLoss }, func(p *PolicyScore) *stats.Estimate { return &p.JointLogLoss }},
	{"calibration error", "calibration_error", func(s bandit.Score) float64 { return s.Calibration }, func(p *PolicyScore) *stats.Estimate { return &p.Calibration }},
}

// Scores writes the scores of policies with their means, in each environment the lowest log loss first.
func Scores(w io.Writer, f Format, o bandit.ScoreOptions, list []PolicyScore) error {
	for i := range list {
		for _, m := range scoreMeasures {
			var values []float64
			for _, s := range list[i].Scores {
				values = append(values, m.of(s))
			}
			*m.to(&list[i]) = stats.NewEstimate(values)
		}
	}
	slices.SortStableFunc(list, func(a, b PolicyScore) int {
		return cmp.Or(cmp.Compare(a.Environment, b.Environment), cmp.Compare(a.LogLoss.Mean, b.LogLoss.Mean))
	})
	return Render(w, f, func() Table { return scoreTable(o, list) }, func() Sheet { return scoreSheet(list) }, list)
}

func scoreTable(o bandit.ScoreOptions, list []PolicyScore) Table {
	t := Table{
		Caption: []string{
			fmt.Sprintf("Predictions of the chosen arm's reward after the trial, on %s, by %s: mean ± half of the 95 %% t-interval over the seeds", words.Count(o.Contexts, "context"), words.Count(o.Draws, "draw")),
			fmt.Sprintf("log loss in nats, with a normal reward of standard deviation %g about each draw; joint: a pair of contexts", o.Noise),
		},
		Header: []string{"policy", "environment", "seeds"},
	}
	if slices.ContainsFunc(list, func(p PolicyScore) bool { return math.IsNaN(p.JointLogLoss.Mean) }) {
		t.Notes = []string{words.None + ": a draw of the posterior is for one context"}
	}
	for _, m := range scoreMeasures {
		t.Header = append(t.Header, m.header)
	}
	for i := range list {
		p := &list[i]
		row := []string{words.Plain(p.Policy), words.Plain(p.Environment), strconv.Itoa(len(p.Scores))}
		for _, m := range scoreMeasures {
			row = append(row, scoreText(*m.to(p)))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
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

func scoreSheet(list []PolicyScore) Sheet {
	s := Sheet{Header: []string{"policy", "environment", "seeds"}}
	for _, m := range scoreMeasures {
		s.Header = append(s.Header, EstimateHeader(m.name)...)
	}
	for i := range list {
		row := []string{list[i].Policy, list[i].Environment, strconv.Itoa(len(list[i].Scores))}
		for _, m := range scoreMeasures {
			row = append(row, EstimateCells(*m.to(&list[i]))...)
		}
		s.Rows = append(s.Rows, row)
	}
	return s
}
