package main

import (
	"context"
	"fmt"
	"math"
	"strings"

	"banditsim/bandit"
	"banditsim/bandit/logged"
	"banditsim/bandit/stream"
	"banditsim/policy"
	"banditsim/posterior/exact"
)

// A logger writes logs whose propensities are hidden. Its world has different arms and the rate 0.2.
type logger struct {
	name  string
	score func(x []float32, arm int) float64        // arms are drawn with probabilities ∝ exp(score)
	new   func(policy.Setup) (bandit.Policy, error) // returns a policy that chooses the arms; nil if score is set
	// unknown is the standard deviation of noise in the first input that logger and rewards see. The log lacks the noise.
	unknown float32
}

// second is a score that is highest for a neighbor of the arm that pays best.
func second(x []float32, arm int) float64 { return score(x, arm+1) }

var loggers = []logger{
	{name: "uniform", score: func([]float32, int) float64 { return 0 }},
	{name: "softmax, linear", score: second},
	{name: "softmax, squares", score: func(x []float32, arm int) float64 { v := second(x, arm); return v * v / 2 }},
	{name: "LinSoftmax, learning", new: byDefault(policy.SoftmaxKind(exact.Linear(), 0.1))},
	{name: "LinEpsGreedy, learning", new: byDefault(policy.EpsGreedyKind(exact.Linear(), 0.2))},
	{name: "LinUCB, learning", new: judged[2].New},
	{name: "softmax, linear, not all recorded", score: second, unknown: 1},
}

// log draws a log. Its propensities are the logger's, or 1 if the logger is a policy that does not know them.
func (g logger) log(s *stream.Stream) (*logged.Log, error) {
	w := world{rate: 0.2}
	var chooses bandit.Policy
	if g.new != nil {
		var err error
		if chooses, err = g.new(policy.Setup{Spec: spec, Protocol: bandit.Protocol{Rounds: rows, Pulls: 1}, Stream: s.Child("logger")}); err != nil {
			return nil, err
		}
	}
	list, p := make([]logged.Row, rows), make([]float64, arms)
	for i := range list {
		r := &list[i]
		x := make([]float32, dim+1)
		s.Normals(x)
		*r = logged.Row{Context: x[:dim], Time: math.NaN()}
		seen := []float32{x[0] + float32(g.unknown*x[dim]), x[1], x[2]}
		round := bandit.Round{T: i + 1, Row: -1, Context: seen}
		if err := g.choose(p, round, chooses); err != nil {
			return nil, err
		}
		r.Arm = stream.Choose(arms, s.Float64(), func(a int) float64 { return p[a] })
		r.Propensity = p[r.Arm]
		for a := range arms {
			r.Means = append(r.Means, w.mean(seen, a))
		}
		if s.Float64() < r.Means[r.Arm] {
			r.Reward = 1
		}
		if chooses != nil {
			if err := chooses.Learn(round, r.Arm, r.Reward); err != nil {
				return nil, err
			}
		}
	}
	return logged.New("simulated", spec, list)
}

// choose sets p to the probabilities of the arms: 0 and 1 for a policy that is no bandit.Randomizer.
func (g logger) choose(p []float64, round bandit.Round, chooses bandit.Policy) error {
	if knowing, ok := chooses.(bandit.Randomizer); ok {
		return knowing.Propensities(p, round)
	}
	clear(p)
	if chooses != nil {
		arm, err := chooses.Act(round)
		p[max(arm, 0)] = 1
		return err
	}
	sum := 0.0
	for a := range p {
		p[a] = math.Exp(g.score(round.Context, a))
		sum += p[a]
	}
	for a := range p {
		p[a] /= sum
	}
	return nil
}

// hide returns the counts for n logs of a logger: with the recorded propensities, and with estimated propensities.
func (g logger) hide(n int) (c [2][]count, err error) {
	c = [2][]count{make([]count, len(judged)), make([]count, len(judged))}
	for k := range n {
		l, err := g.log(stream.Root(uint64(k+1)).Child("hidden", g.name))
		if err != nil {
			return c, err
		}
		for _, counts := range c {
			if err := evaluate(l, judged, counts); err != nil {
				return c, err
			}
			if err := l.EstimatePropensities(context.Background(), nil); err != nil {
				return c, err
			}
		}
	}
	return c, nil
}

// hidden returns the table for logs whose propensities are hidden and estimated, as Markdown.
func hidden(n int) (string, error) {
	pairs, err := each(len(loggers), func(k int) ([2][]count, error) { return loggers[k].hide(n) })
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n%d logs of 4,000 rows in each line, %% of those with a verdict; 95 %% of %[1]d has a standard error of %.1f points.\n\n", n, 100*math.Sqrt(0.05*0.95/float64(n)))
	b.WriteString("| logged by | policy | recorded: verdict | DR | SNIPS | estimated: verdict | DR | SNIPS | IPS |\n| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n")
	for k, g := range loggers {
		for i := range judged {
			r, e := pairs[k][0][i], pairs[k][1][i]
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", g.name, judged[i].Label,
				percent(r.verdicts, r.logs), percent(r.held, r.verdicts), percent(r.t[1], r.verdicts),
				percent(e.verdicts, e.logs), percent(e.held, e.verdicts), percent(e.t[1], e.verdicts), percent(e.t[2], e.verdicts))
		}
	}
	return b.String(), nil
}
