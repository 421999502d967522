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
	"banditsim/internal/lists"
)

// limit is the largest accepted distance of an estimate from its true value, in standard errors. An environment with k
// arms has at most 3k+2 estimates. If it is correct and errors are normal, each fails with probability at most 6.3e-5.
const limit = 4

// A pull holds what an environment draws for one pull.
type pull struct {
	bandit.Round
	bandit.Outcome
}

func (p pull) clone() pull {
	return pull{p.Round.Clone(), bandit.Outcome{Reward: slices.Clone(p.Reward), Mean: slices.Clone(p.Mean)}}
}

// means returns the expected rewards of the arms that can be pulled.
func (p pull) means() []float64 {
	return lists.Each(p.Pullable(nil, len(p.Mean)), func(arm int) float64 { return p.Mean[arm] })
}

// always returns policy.Fixed's expected reward, from the given arm or, if it cannot be pulled, the first that can.
func (p pull) always(arm int) float64 {
	if !p.CanPull(arm) {
		return p.means()[0]
	}
	return p.Mean[arm]
}

// Environment checks an environment over the given number of pulls, at least 4, for example 10,000. The function build
// returns a new environment that draws from r.
//
// The checks are:
//   - arms have different names; contexts and features of arms have the declared lengths; the data end after Spec.Pulls
//   - for each arm, the mean of reward − expected reward, unweighted and weighted by expected reward, is within 4
//     standard errors of 0
//   - the mean regrets of choosing uniformly and of ConstantArm, among the arms that can be pulled, are within 4 standard
//     errors of UniformRegret and ConstantArm.Regret, and no other constant arm is better by more than 4 standard errors
//   - the same stream gives the same pulls, also after the environment is saved and restored, if it can be
//   - a call of Next does not change the pulls drawn before, and sets Round.Available if an earlier call did
//   - if the environment ignores actions, its pulls do not depend on the arms that a policy chooses
func Environment(pulls int, build func(r *stream.Stream) (bandit.Environment, error)) error {
	if err := checkEnvironment(pulls, build); err != nil {
		return fmt.Errorf("bandittest: %w", err)
	}
	return nil
}

func checkEnvironment(pulls int, build func(r *stream.Stream) (bandit.Environment, error)) error {
	var envs [4]bandit.Environment
	for i, seed := range []uint64{1, 1, 2, 1} {
		var err error
		if envs[i], err = build(stream.Root(seed).Child("environment")); err != nil {
			return fmt.Errorf("build the environment: %w", err)
		}
	}
	spec := envs[0].Spec()
	if err := spec.Validate(); err != nil {
		return err
	}
	for i, name := range spec.Arms {
		if name == "" || slices.Contains(spec.Arms[:i], name) {
			return fmt.Errorf("arm %d has the name %q, want one of its own", i, name)
		}
	}
	all, err := draw(envs[0], 1, pulls)
	if err != nil {
		return err
	}
	if len(all) != pulls && len(all) != spec.Pulls || spec.Pulls > 0 && len(all) > spec.Pulls {
		return fmt.Errorf("Next gave %d of %d pulls, but Spec.Pulls is %d", len(all), pulls, spec.Pulls)
	}
	errs := []error{checkMeans(all, spec)}
	same := func(what string, env bandit.Environment, from, to int) {
		if got, err := draw(env, from+1, to-from); err != nil || !reflect.DeepEqual(got, all[from:to]) {
			errs = append(errs, fmt.Errorf("%s other pulls (error %v)", what, err))
		}
	}
	half := len(all) / 2
	same("the same stream gives", envs[1], 0, half)
	if ok, err := restore(envs[1], envs[2]); err != nil {
		errs = append(errs, err)
	} else if ok {
		same("the saved environment continues with", envs[1], half, len(all))
		same("a restored one continues with", envs[2], half, len(all))
	}
	if spec.IgnoresActions {
		errs = append(errs, checkActions(envs[3], all))
	}
	return errors.Join(errs...)
}

// draw returns the next n pulls, numbered from first. It returns fewer if the data end; fewer than 2 are an error. As
// in a trial, Next gets the previous pull's slice Available, here all false, so that a Next that leaves it is an error.
func draw(env bandit.Environment, first, n int) (list []pull, err error) {
	spec, nan := env.Spec(), math.NaN()
	var before pull // the pull before, with the slices that Next has filled
	var available []bool
	for t := first; t < first+n; t++ {
		r := bandit.Round{T: t, Context: slices.Repeat([]float32{float32(nan)}, spec.Dim), Available: available}
		if spec.ArmDim > 0 {
			for range spec.Arms {
				r.Arms = append(r.Arms, slices.Repeat([]float32{float32(nan)}, spec.ArmDim))
			}
		}
		o := bandit.Outcome{Reward: slices.Repeat([]float64{nan}, len(spec.Arms)), Mean: slices.Repeat([]float64{nan}, len(spec.Arms))}
		err := env.Next(&r, &o)
		if errors.Is(err, io.EOF) && len(list) > 1 {
			break
		}
		if r.T != t {
			err = fmt.Errorf("the environment set its number to %d, which is not its to set", r.T)
		}
		if err != nil {
			return nil, fmt.Errorf("pull %d: %w", t, err)
		}
		if err := spec.CheckPull(&r, &o); err != nil {
			return nil, err
		}
		if t > first && !reflect.DeepEqual(before, list[t-first-1]) {
			return nil, fmt.Errorf("pull %d: Next changes the slices of the pull before, want it to fill those of its arguments, "+
				"as several pulls may be drawn before Act", t)
		}
		before = pull{r, o}
		list = append(list, before.clone())
		available = slices.Clone(r.Available)
		clear(available)
	}
	return list, nil
}

// checkMeans compares rewards with expected rewards. It also compares the regrets of choosing uniformly and of the
// constant arm with those of the specification.
func checkMeans(all []pull, spec bandit.Spec) error {
	var errs []error
	check := func(what string, want float64, value func(pull) float64) {
		if off := zScore(all, value, want); !(math.Abs(off) <= limit) {
			errs = append(errs, fmt.Errorf("%s are %+.1f standard errors off, want at most %d", what, off, limit))
		}
	}
	for arm, name := range spec.Arms {
		check("the rewards of arm "+name, 0, func(p pull) float64 { return p.Reward[arm] - p.Mean[arm] })
		check("the rewards of arm "+name+", weighted by the mean,", 0, func(p pull) float64 { return (p.Reward[arm] - p.Mean[arm]) * p.Mean[arm] })
	}
	if want := spec.UniformRegret; !math.IsNaN(want) {
		check(fmt.Sprintf("the regrets of acting uniformly, compared with UniformRegret, %g,", want), want, func(p pull) float64 {
			means := p.means()
			regret := slices.Max(means)
			for _, m := range means {
				regret -= m / float64(len(means))
			}
			return regret
		})
	}
	if want := spec.ConstantArm; want != nil {
		best := slices.Index(spec.Arms, want.Arm)
		if best < 0 {
			return fmt.Errorf("ConstantArm is %s, want one of the arms %q", want.Arm, spec.Arms)
		}
		check(fmt.Sprintf("the regrets of always %s, compared with that of ConstantArm, %g,", want.Arm, want.Regret), want.Regret, func(p pull) float64 {
			return slices.Max(p.means()) - p.always(best)
		})
		for arm, name := range spec.Arms {
			lead := func(p pull) float64 { return p.always(best) - p.always(arm) }
			if off := zScore(all, lead, 0); off < -limit {
				errs = append(errs, fmt.Errorf("always %s is better than always %s, the ConstantArm, by %.1f standard errors, want at most %d", name, want.Arm, -off, limit))
			}
		}
	}
	return errors.Join(errs...)
}

// zScore returns the difference between the mean of a value over all pulls and want, in standard errors.
func zScore(all []pull, value func(pull) float64, want float64) float64 {
	n, mean, squares := float64(len(all)), 0.0, 0.0
	for _, p := range all {
		mean += value(p) / n
	}
	for _, p := range all {
		squares += (value(p) - mean) * (value(p) - mean)
	}
	if math.Abs(mean-want) <= 1e-9*max(1, math.Abs(want)) {
		return 0
	}
	return (mean - want) / math.Sqrt(squares/(n-1)/n)
}

// checkActions returns an error if env does not draw the pulls in want when a policy always pulls the last arm it can.
func checkActions(env bandit.Environment, want []pull) error {
	s := &spy{Environment: env}
	const rounds = 4
	trial, err := bandit.NewTrial(s, s, bandit.Protocol{Rounds: rounds, Pulls: min(len(want)/rounds, 25)}, stream.Root(1), s)
	if err == nil {
		err = trial.Run(context.Background())
	}
	if err == nil && !reflect.DeepEqual(s.seen, want[:len(s.seen)]) {
		err = errors.New("the pulls depend on the arms chosen, though the environment says that it ignores them")
	}
	return err
}

// A spy is an environment that keeps copies of its pulls. It is also the policy and the recorder of checkActions.
type spy struct {
	bandit.Environment
	seen []pull
}

func (s *spy) Next(r *bandit.Round, o *bandit.Outcome) error {
	err := s.Environment.Next(r, o)
	s.seen = append(s.seen, pull{*r, *o}.clone())
	return err
}

func (s *spy) Act(r bandit.Round) (int, error) {
	return slices.Max(r.Pullable(nil, len(s.Spec().Arms))), nil
}
func (*spy) Learn(bandit.Round, int, float64) error { return nil }
func (*spy) Record(*bandit.RoundRecord) error       { return nil }
