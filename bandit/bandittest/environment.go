package bandittest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"

	"banditsim/bandit"
	"banditsim/bandit/stream"
)

// limit is the number of standard errors within which an estimate must lie. A right environment
// of k arms is outside at one seed with probability 6.3e-5·(2k+1) at most, if the errors of
// its means are normal.
const limit = 4

// A pull is what an environment has drawn for one.
type pull struct {
	Row          int
	Context      []float32
	Reward, Mean []float64
}

// Environment checks an environment by so many pulls, 10,000 for example; build returns a new
// one that draws from r.
//
// The arms have names and contexts the promised length. Rewards have the mean that the
// environment says, over all pulls and weighted by the mean, within 4 standard errors; so has
// the regret of acting uniformly. The same stream gives the same pulls. If the environment can
// be saved, a restored one continues with the same pulls. If it ignores actions, its pulls do
// not depend on the arms that a policy chooses.
func Environment(pulls int, build func(r *stream.Stream) (bandit.Environment, error)) error {
	var envs [4]bandit.Environment
	for i := range envs {
		seed := uint64(1)
		if i == 2 {
			seed = 2 // restored from another: its own stream must not matter
		}
		var err error
		if envs[i], err = build(stream.Root(seed).Child("environment")); err != nil {
			return fmt.Errorf("bandittest: build the environment: %w", err)
		}
	}
	spec := envs[0].Spec()
	if err := checkSpec(spec); err != nil {
		return fmt.Errorf("bandittest: %w", err)
	}
	all, err := draw(envs[0], pulls)
	if err != nil {
		return fmt.Errorf("bandittest: %w", err)
	}
	errs := []error{checkMeans(all, spec)}
	half := len(all) / 2
	if first, err := draw(envs[1], half); err != nil || !reflect.DeepEqual(first, all[:half]) {
		errs = append(errs, fmt.Errorf("the same stream gives other pulls (error %v)", err))
	}
	if ok, err := restore(envs[1], envs[2]); err != nil {
		errs = append(errs, err)
	} else if ok {
		for i, env := range envs[1:3] {
			if rest, err := draw(env, len(all)-half); err != nil || !reflect.DeepEqual(rest, all[half:]) {
				errs = append(errs, fmt.Errorf("%s continues with other pulls (error %v)", []string{"the saved environment", "a restored one"}[i], err))
			}
		}
	}
	if spec.IgnoresActions {
		errs = append(errs, checkActions(envs[3], all))
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("bandittest: %w", err)
	}
	return nil
}

// draw returns the next n pulls, fewer if the data end.
func draw(env bandit.Environment, n int) ([]pull, error) {
	spec, nan := env.Spec(), math.NaN()
	var list []pull
	for t := 1; t <= n; t++ {
		r := bandit.Round{T: t, Context: slices.Repeat([]float32{float32(nan)}, spec.Dim)}
		o := bandit.Outcome{Reward: slices.Repeat([]float64{nan}, len(spec.Arms)), Mean: slices.Repeat([]float64{nan}, len(spec.Arms))}
		err := env.Next(&r, &o)
		if errors.Is(err, io.EOF) {
			break
		}
		switch {
		case err != nil:
			return nil, fmt.Errorf("pull %d: %w", t, err)
		case len(r.Context) != spec.Dim || len(o.Reward) != len(spec.Arms) || len(o.Mean) != len(spec.Arms):
			return nil, fmt.Errorf("pull %d: a context of length %d, %d rewards and %d means, want %d, %d and %[6]d", t, len(r.Context), len(o.Reward), len(o.Mean), spec.Dim, len(spec.Arms))
		case r.Row < -1:
			return nil, fmt.Errorf("pull %d: row %d, want that of the data or −1", t, r.Row)
		}
		for i, v := range r.Context {
			if v != v || math.IsInf(float64(v), 0) {
				return nil, fmt.Errorf("pull %d: element %d of the context is %g", t, i, v)
			}
		}
		for arm := range spec.Arms {
			if d := o.Reward[arm] - o.Mean[arm]; math.IsNaN(d) || math.IsInf(d, 0) {
				return nil, fmt.Errorf("pull %d: arm %d has reward %g and mean %g", t, arm, o.Reward[arm], o.Mean[arm])
			}
		}
		list = append(list, pull{r.Row, r.Context, o.Reward, o.Mean})
	}
	if len(list) < 2 {
		return nil, fmt.Errorf("the data end after %d pulls", len(list))
	}
	return list, nil
}

// checkMeans compares rewards with means, and the regret of acting uniformly with the
// specification.
func checkMeans(all []pull, spec bandit.Spec) error {
	var errs []error
	for arm, name := range spec.Arms {
		var plain, weighted []float64
		for _, p := range all {
			d := p.Reward[arm] - p.Mean[arm]
			plain, weighted = append(plain, d), append(weighted, d*p.Mean[arm])
		}
		for i, values := range [][]float64{plain, weighted} {
			if off := zScore(values, 0); !(math.Abs(off) <= limit) {
				errs = append(errs, fmt.Errorf("the rewards of arm %s%s are %+.1f standard errors off their means, want at most %d",
					name, []string{"", ", weighted by the mean,"}[i], off, limit))
			}
		}
	}
	var regrets []float64
	for _, p := range all {
		mean := 0.0
		for _, m := range p.Mean {
			mean += m / float64(len(p.Mean))
		}
		regrets = append(regrets, slices.Max(p.Mean)-mean)
	}
	if off := zScore(regrets, spec.UniformRegret); !math.IsNaN(spec.UniformRegret) && !(math.Abs(off) <= limit) {
		errs = append(errs, fmt.Errorf("UniformRegret, %g, is %+.1f standard errors off the pulls' mean", spec.UniformRegret, -off))
	}
	return errors.Join(errs...)
}

// zScore returns by how many standard errors the mean of values differs from want.
func zScore(values []float64, want float64) float64 {
	n, mean, squares := float64(len(values)), 0.0, 0.0
	for _, v := range values {
		mean += v / n
	}
	for _, v := range values {
		squares += (v - mean) * (v - mean)
	}
	se := math.Sqrt(squares / (n - 1) / n)
	if math.Abs(mean-want) <= 1e-9*max(1, math.Abs(want)) {
		return 0
	}
	return (mean - want) / se
}

// checkActions plays the first pulls by policies that pull one arm, and compares what the
// environment draws.
func checkActions(env bandit.Environment, all []pull) error {
	spy := &spy{Environment: env}
	const rounds = 4
	trial, err := bandit.NewTrial(spy, armOnly(1), bandit.Protocol{Rounds: rounds, Pulls: min(len(all)/rounds, 25)}, stream.Root(1), discard{})
	if err == nil {
		err = trial.Run(context.Background())
	}
	if err != nil {
		return fmt.Errorf("a trial: %w", err)
	}
	if !reflect.DeepEqual(spy.seen, all[:len(spy.seen)]) {
		return errors.New("the pulls depend on the arms chosen, though the environment says that it ignores them")
	}
	return nil
}

// A spy keeps what an environment draws.
type spy struct {
	bandit.Environment
	seen []pull
}

func (s *spy) Next(r *bandit.Round, o *bandit.Outcome) error {
	err := s.Environment.Next(r, o)
	s.seen = append(s.seen, pull{r.Row, slices.Clone(r.Context), slices.Clone(o.Reward), slices.Clone(o.Mean)})
	return err
}

// armOnly is a policy that pulls one arm.
type armOnly int

func (a armOnly) Act(bandit.Round) (int, error)          { return int(a), nil }
func (a armOnly) Learn(bandit.Round, int, float64) error { return nil }

// discard is a recorder that keeps nothing.
type discard struct{}

func (discard) Record(*bandit.RoundRecord) error { return nil }
