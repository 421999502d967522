// Command recorded measures how often the intervals of 'banditsim evaluate' contain the truth on logs that learning policies wrote,
// and how much regret the policies' uniform pulls cost:
//
//	go -C lab run ./recorded
//
// A log has the pulls of a trial in the environment logistic, 4,000 unless changed by -rounds; the first 100 are
// uniform. From each log the mean rewards of Uniform and of always pulling one arm are estimated (doubly robust,
// t-intervals). The truth is the mean of the expected rewards in the contexts of the log. Only intervals with a verdict
// count, which means that the log can tell the policy's value.
package main

import (
	"context"
	"flag"
	"fmt"
	"math"
	"os"
	"runtime"
	"strings"

	"banditsim/bandit"
	"banditsim/bandit/experiment"
	"banditsim/bandit/logged"
	"banditsim/bandit/stream"
	"banditsim/cmd/banditsim/builtin"
	"banditsim/internal/pool"
	"banditsim/policy"
	"banditsim/results/stats"
)

var policies = []string{"LinUCB", "LinTS", "LogisticTS", "GP", "kNNUCB", "pICSGLD", "EpsGreedy", "NeuralLinear"}

var protocol = bandit.Protocol{Rounds: 400, Pulls: 10, BurnIn: 100, Sequential: true}

func main() {
	seeds := flag.Int("seeds", 20, "trials of each policy")
	explore := flag.Float64("explore", 0.1, "share of uniform pulls")
	flag.IntVar(&protocol.Rounds, "rounds", protocol.Rounds, "rounds of ten pulls in a log")
	only := flag.String("policies", strings.Join(policies, ","), "policies, separated by commas")
	flag.Parse()
	if err := table(*seeds, *explore, strings.Split(*only, ",")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// table prints the table, with one row per policy.
func table(seeds int, explore float64, names []string) error {
	fmt.Printf("%d seeds, %d pulls, explore %v\n\n| policy | intervals with a verdict | truth inside | regret | without explore |\n| --- | ---: | ---: | ---: | ---: |\n", seeds, protocol.AllPulls(), explore)
	for _, name := range names {
		with, err := play(name, seeds, explore)
		if err != nil {
			return err
		}
		without, err := play(name, seeds, 0)
		if err != nil {
			return err
		}
		share := float64(with.inside) / float64(with.verdicts)
		fmt.Printf("| %s | %d of %d | %.1f ± %.1f %% | %.0f ± %.0f | %.0f ± %.0f |\n", name, with.verdicts, with.intervals, 100*share,
			100*math.Sqrt(share*(1-share)/float64(with.verdicts)), with.regret.Mean, with.regret.StdErr, without.regret.Mean, without.regret.StdErr)
	}
	return nil
}

// A count has the results of the trials of a policy.
type count struct {
	intervals, verdicts, inside int            // numbers of intervals: all, with a verdict, with a verdict and the truth inside
	regret                      stats.Estimate // expected regret of a trial
}

// play runs the trials of a policy. If explore is above 0, it also evaluates their logs.
func play(name string, seeds int, explore float64) (c count, err error) {
	ctx, catalog := context.Background(), builtin.Default()
	e := experiment.Experiment{Name: "recorded", Profile: "general", Policies: []string{name}, Seeds: []uint64{1}, Protocol: protocol}
	if explore > 0 {
		e.Settings = []experiment.Setting{{Key: name + ".explore", Value: fmt.Sprint(explore)}}
	}
	resolved, err := e.ResolvePolicies(catalog)
	if err != nil {
		return c, err
	}
	world, _, err := catalog.Open(ctx, "logistic", "", nil)
	if err != nil {
		return c, err
	}
	counts, regrets := make([]count, seeds), make([]float64, seeds)
	workers := pool.Pool{Workers: runtime.GOMAXPROCS(0)}
	err = workers.Run(ctx, seeds, func(i int) error {
		l, regret, err := record(resolved[0], world, uint64(1000+i))
		if regrets[i] = regret; err == nil && explore > 0 {
			counts[i], err = judge(ctx, catalog, l)
		}
		return err
	})
	if err != nil {
		return c, err
	}
	for _, one := range counts {
		c.intervals, c.verdicts, c.inside = c.intervals+one.intervals, c.verdicts+one.verdicts, c.inside+one.inside
	}
	c.regret = stats.NewEstimate(regrets)
	return c, nil
}

// A recorder is an environment that records each pull's context, and the expected rewards and rewards of all arms.
type recorder struct {
	bandit.Environment
	rows []logged.Row
}

func (r *recorder) Next(round *bandit.Round, o *bandit.Outcome) error {
	err := r.Environment.Next(round, o)
	r.rows = append(r.rows, logged.Row{Context: append([]float32{}, round.Context...), Means: append([]float64{}, o.Mean...), Rewards: append([]float64{}, o.Reward...)})
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

// judge evaluates policies on a log: Uniform and, for each arm, the policy that always pulls it. It counts the intervals.
func judge(ctx context.Context, catalog *experiment.Catalog, l *logged.Log) (c count, err error) {
	list := []logged.Policy{{Label: "Uniform", New: func(s policy.Setup) (bandit.Policy, error) {
		return policy.NewUniform(len(s.Spec.Arms), s.Stream.Child("explore")), nil
	}}}
	for k := range l.Spec.Arms {
		list = append(list, logged.Policy{Label: fmt.Sprint("always ", k), New: func(policy.Setup) (bandit.Policy, error) { return policy.Fixed(k), nil }})
	}
	o := logged.DefaultOptions()
	if o.Model, err = catalog.NewPosterior("Linear", nil); err != nil {
		return c, err
	}
	e, err := logged.Evaluate(ctx, l, list, o)
	if err != nil {
		return c, err
	}
	for _, s := range e.Estimates {
		if s.Estimator != e.Preferred() {
			continue
		}
		c.intervals++
		if s.Verdict {
			c.verdicts++
			if s.Mean.Low <= s.Truth && s.Truth <= s.Mean.High {
				c.inside++
			}
		}
	}
	return c, nil
}
