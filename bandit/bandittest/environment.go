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

// limit is the largest accepted distance of an estimate from its true value, in standard errors. A correct environment
// with k arms fails at a seed with probability at most 6.3e-5·(3k+2), if the errors of its means are normal.
const limit = 4

// A pull holds what an environment draws for one pull.
type pull struct {
	Row          int
	Context      []float32
	Arms         [][]float32
	Reward, Mean []float64
}

// Environment checks an environment over the given number of pulls, at least 4, for example 10,000. The function build
// returns a new environment that draws from r.
//
// The checks are:
//   - arms have different names; contexts and features of arms have the declared lengths
//   - for each arm, the mean of reward − expected reward, unweighted and weighted by expected reward, is within 4
//     standard errors of 0
//   - the mean regrets are within 4 standard errors of UniformRegret and ConstantArm.Regret, and no other constant arm
//     is better by more than that
//   - the same stream gives the same pulls, also after the environment is saved and restored, if it can be
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
	all, err := draw(envs[0], pulls)
	if err != nil {
		return err
	}
	errs := []error{checkMeans(all, spec)}
	same := func(what string, env bandit.Environment, want []pull) {
		if got, err := draw(env, len(want)); err != nil || !reflect.DeepEqual(got, want) {
			errs = append(errs, fmt.Errorf("%s other pulls (error %v)", what, err))
		}
	}
	half := len(all) / 2
	same("the same stream gives", envs[1], all[:half])
	if ok, err := restore(envs[1], envs[2]); err != nil {
		errs = append(errs, err)
	} else if ok {
		same("the saved environment continues with", envs[1], all[half:])
		same("a restored one continues with", envs[2], all[half:])
	}
	if spec.IgnoresActions {
		errs = append(errs, checkActions(envs[3], all))
	}
	return errors.Join(errs...)
}

// draw returns the next n pulls, or fewer, but at least 2, if the data end.
func draw(env bandit.Environment, n int) ([]pull, error) {
	spec, nan := env.Spec(), math.NaN()
	var list []pull
	for t := 1; t <= n; t++ {
		r := bandit.Round{T: t, Context: slices.Repeat([]float32{float32(nan)}, spec.Dim)}
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
		if err == nil {
			err = checkPull(&r, &o, spec, t)
		}
		if err != nil {
			return nil, fmt.Errorf("pull %d: %w", t, err)
		}
		list = append(list, pull{r.Row, r.Context, r.Arms, o.Reward, o.Mean})
	}
	return list, nil
}

// checkPull returns an error unless all lengths and values of pull t agree with the specification.
func checkPull(r *bandit.Round, o *bandit.Outcome, spec bandit.Spec, t int) error {
	switch {
	case len(r.Context) != spec.Dim || len(o.Reward) != len(spec.Arms) || len(o.Mean) != len(spec.Arms):
		return fmt.Errorf("a context of length %d, %d rewards and %d means, want %d, %d and %[5]d",
			len(r.Context), len(o.Reward), len(o.Mean), spec.Dim, len(spec.Arms))
	case spec.ArmDim > 0 && len(r.Arms) != len(spec.Arms), spec.ArmDim == 0 && r.Arms != nil:
		return fmt.Errorf("features of %d arms, want %d of length %d", len(r.Arms), len(spec.Arms), spec.ArmDim)
	case r.T != t:
		return fmt.Errorf("the environment set its number to %d, which is not its to set", r.T)
	case r.Row < -1:
		return fmt.Errorf("row %d, want that of the data or −1", r.Row)
	}
	if i := notFinite(r.Context); i >= 0 {
		return fmt.Errorf("element %d of the context is %g", i, r.Context[i])
	}
	for arm, features := range r.Arms {
		if len(features) != spec.ArmDim {
			return fmt.Errorf("arm %d has features of length %d, want %d", arm, len(features), spec.ArmDim)
		}
		if i := notFinite(features); i >= 0 {
			return fmt.Errorf("feature %d of arm %d is %g", i, arm, features[i])
		}
	}
	for arm := range spec.Arms {
		if d := o.Reward[arm] - o.Mean[arm]; math.IsNaN(d) || math.IsInf(d, 0) {
			return fmt.Errorf("arm %d has reward %g and mean %g", arm, o.Reward[arm], o.Mean[arm])
		}
	}
	return nil
}

// notFinite returns the index of the first value that is NaN or infinite, or −1.
func notFinite(values []float32) int {
	return slices.IndexFunc(values, func(v float32) bool { return math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) })
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
			regret := slices.Max(p.Mean)
			for _, m := range p.Mean {
				regret -= m / float64(len(p.Mean))
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
			return slices.Max(p.Mean) - p.Mean[best]
		})
		for arm, name := range spec.Arms {
			lead := func(p pull) float64 { return p.Mean[best] - p.Mean[arm] }
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

// checkActions returns an error if env draws other pulls than want for a policy that always pulls arm 1.
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
	arms := lists.Each(r.Arms, slices.Clone)
	s.seen = append(s.seen, pull{r.Row, slices.Clone(r.Context), arms, slices.Clone(o.Reward), slices.Clone(o.Mean)})
	return err
}

func (*spy) Act(bandit.Round) (int, error)          { return 1, nil }
func (*spy) Learn(bandit.Round, int, float64) error { return nil }
func (*spy) Record(*bandit.RoundRecord) error       { return nil }
