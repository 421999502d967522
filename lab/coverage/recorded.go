package main

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"banditsim/bandit"
	"banditsim/bandit/experiment"
	"banditsim/bandit/logged"
	"banditsim/bandit/stream"
	"banditsim/cmd/banditsim/builtin"
	"banditsim/policy"
	"banditsim/results/stats"
)

// learners are the policies that write logs with -recorded.
var learners = []string{"LinUCB", "LinTS", "LogisticTS", "GP", "kNNUCB", "pICSGLD", "EpsGreedy", "NeuralLinear"}

// protocol is that of the trials of learners.
var protocol = bandit.Protocol{Rounds: 400, Pulls: 10, BurnIn: 100, Sequential: true}

// recorded returns the table of logs that policies with the given names wrote while they learned, as Markdown.
func recorded(seeds int, explore float64, names []string) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "%d seeds, %d pulls, explore %v\n\n", seeds, protocol.AllPulls(), explore)
	b.WriteString("| policy | intervals with a verdict | truth inside | regret | without explore |\n| --- | ---: | ---: | ---: | ---: |\n")
	for _, name := range names {
		with, err := play(name, seeds, explore)
		if err != nil {
			return "", err
		}
		without, err := play(name, seeds, 0)
		if err != nil {
			return "", err
		}
		share := float64(with.held) / float64(with.verdicts)
		fmt.Fprintf(&b, "| %s | %d of %d | %.1f ± %.1f %% | %.0f ± %.0f | %.0f ± %.0f |\n", name, with.verdicts, with.logs, 100*share,
			100*math.Sqrt(share*(1-share)/float64(with.verdicts)), with.regret.Mean, with.regret.StdErr, without.regret.Mean, without.regret.StdErr)
	}
	return b.String(), nil
}

// trials has a policy's trials: how many intervals from their logs contain the truth, and a trial's expected regret.
type trials struct {
	count
	regret stats.Estimate
}

// play runs the trials of a policy. If explore is above 0, it also evaluates, on their logs, Uniform and the policies
// that always pull one arm.
func play(name string, seeds int, explore float64) (t trials, err error) {
	catalog := builtin.Default()
	e := experiment.Experiment{Name: "recorded", Profile: "general", Policies: []string{name}, Seeds: []uint64{1}, Protocol: protocol}
	if explore > 0 {
		e.Settings = []experiment.Setting{{Key: name + ".explore", Value: fmt.Sprint(explore)}}
	}
	resolved, err := e.ResolvePolicies(catalog)
	if err != nil {
		return t, err
	}
	world, _, err := catalog.Open(context.Background(), "logistic", "", nil)
	if err != nil {
		return t, err
	}
	regrets := make([]float64, seeds)
	counts, err := each(seeds, func(i int) ([]count, error) {
		l, regret, err := record(resolved[0], world, uint64(1000+i))
		if regrets[i] = regret; err != nil || explore == 0 {
			return nil, err
		}
		list := []logged.Policy{judged[1]}
		for arm := range l.Spec.Arms {
			list = append(list, always(arm))
		}
		counts := make([]count, len(list))
		return counts, evaluate(l, list, counts)
	})
	for _, c := range slices.Concat(counts...) {
		t.logs, t.verdicts, t.held = t.logs+c.logs, t.verdicts+c.verdicts, t.held+c.held
	}
	t.regret = stats.NewEstimate(regrets)
	return t, err
}

// A recorder is an environment that records each pull's context, and the expected rewards and rewards of all arms.
type recorder struct {
	bandit.Environment
	rows []logged.Row
}

func (r *recorder) Next(round *bandit.Round, o *bandit.Outcome) error {
	err := r.Environment.Next(round, o)
	r.rows = append(r.rows, logged.Row{Context: slices.Clone(round.Context), Means: slices.Clone(o.Mean), Rewards: slices.Clone(o.Reward)})
	return err
}

// record runs a trial of a policy and returns its log and its expected regret.
func record(named experiment.NamedPolicy, planned experiment.PlannedEnvironment, seed uint64) (*logged.Log, float64, error) {
	environment, own, burnIn := stream.Trial(seed)
	world, err := planned.World.New(environment)
	if err != nil {
		return nil, 0, err
	}
	env := &recorder{Environment: world}
	p, err := named.New(policy.Setup{Spec: env.Spec(), Protocol: protocol, Stream: own})
	if err != nil {
		return nil, 0, err
	}
	trial, err := bandit.NewTrial(env, p, protocol, burnIn, nil)
	if err != nil {
		return nil, 0, err
	}
	regret := 0.0
	trial.RecordPulls(func(r *bandit.PullRecord) error {
		row := &env.rows[r.T-1]
		row.Arm, row.Reward, row.Propensity = r.Arm, r.Reward, r.Propensity
		if math.IsNaN(r.Propensity) {
			row.Propensity = 1 // any number will do: explore is 0, and such logs are not evaluated
		}
		regret += r.Best - r.Expected
		return nil
	})
	if err := trial.Run(context.Background()); err != nil {
		return nil, 0, err
	}
	l, err := logged.New(fmt.Sprintf("%s, seed %d", named.Label, seed), env.Spec(), env.rows)
	return l, regret, err
}
