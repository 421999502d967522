// Package bandittest checks that an environment or a policy fulfills the contract of package bandit. The checks return
// errors and do not need package testing. Seeds are fixed, so a check gives the same result every time.
package bandittest

import (
	"context"
	"encoding"
	"errors"
	"fmt"
	"math"
	"slices"

	"banditsim/bandit"
	"banditsim/bandit/stream"
)

// The ways in which a policy is played. In all of them it must choose the same arms.
const (
	oneByOne    = "one by one"
	again       = "a second time"
	inBatches   = "in batches"                                // by ActBatch, if the policy has it
	overwritten = "with contexts overwritten after each call" // which callers may do
	restored    = "saved and restored"                        // if the policy can be saved

	comeAndGo = "with arms that come and go" // in which it chooses other arms
)

// A Builder returns a new policy that draws from r, for environments with the given specification.
type Builder = func(spec bandit.Spec, r *stream.Stream) (bandit.Policy, error)

// A Check is one of the checks of Policy.
type Check struct {
	Name, Proves string
	Run          func() error
}

// Policy checks a policy over 12 rounds of 8 pulls in an environment with three arms, first without and then with
// features of the arms.
//
// The checks are: arms are in range; the same stream gives the same arms; ActBatch gives the same arms as Act on each
// pull; contexts and features of arms are neither changed nor kept; a policy that is saved and restored chooses the
// same arms, if it can be saved; propensities (bandit.Randomizer) are probabilities, positive for the arm that is
// chosen, and asking for them changes nothing; and where arms come and go, the arm that is chosen can be pulled, the
// others have the propensity 0, Round.Available is neither changed nor kept, and Learn does not need it.
func Policy(build Builder) error {
	for _, c := range append(PolicyChecks(build), availableCheck(build)) {
		if err := c.Run(); err != nil {
			return err
		}
	}
	return nil
}

// PolicyChecks returns the checks of Policy but that with arms that come and go.
func PolicyChecks(build Builder) []Check {
	first := map[int][]int{} // arms that the policy chose one by one, by the number of features per arm
	var list []Check
	for _, way := range []struct{ name, proves string }{
		{oneByOne, "arms are in range"},
		{again, "the same seed gives the same arms; propensities are probabilities, and asking for them changes nothing"},
		{inBatches, "several pulls at once have the arms of one by one"},
		{overwritten, "contexts are not changed and not kept"},
		{restored, "what is saved and restored goes on with the same arms"},
	} {
		list = append(list, Check{way.name, way.proves, func() error {
			for _, armDim := range []int{0, 2} {
				if first[armDim] == nil && way.name != oneByOne {
					continue // that check has failed
				}
				chosen, err := playWay(build, way.name, armDim, false)
				if err != nil {
					return err
				}
				if want := first[armDim]; want != nil && !slices.Equal(chosen, want) {
					return fmt.Errorf("bandittest: %s the policy chooses other arms: %v, want %v (arms have %d features)", way.name, chosen, want, armDim)
				}
				first[armDim] = chosen
			}
			return nil
		}})
	}
	return list
}

// availableCheck returns the check with arms that come and go.
func availableCheck(build Builder) Check {
	return Check{comeAndGo, "the arms that are chosen can be pulled, and no others have propensities", func() error {
		for _, armDim := range []int{0, 2} {
			one, err := playWay(build, again, armDim, true)
			if err != nil {
				return err
			}
			batches, err := playWay(build, inBatches, armDim, true)
			if err == nil && !slices.Equal(one, batches) {
				err = fmt.Errorf("bandittest: %s the policy chooses other arms in batches: %v, want %v (arms have %d features)",
					comeAndGo, batches, one, armDim)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}}
}

// playWay returns the arms that a new policy chooses when it is played in one of the ways.
func playWay(build Builder, way string, armDim int, coming bool) ([]int, error) {
	spec := bandit.Spec{Dim: 4, Arms: []string{"a", "b", "c"}, ArmDim: armDim, IgnoresActions: true, UniformRegret: math.NaN()}
	p := player{build: build, spec: spec, way: way, coming: coming}
	if err := p.play(); err != nil {
		if coming {
			way = comeAndGo
		}
		return nil, fmt.Errorf("bandittest: %s: %w (arms have %d features)", way, err, armDim)
	}
	return p.chosen, nil
}

// A player plays a new policy in one way.
type player struct {
	spec   bandit.Spec
	build  Builder
	way    string
	coming bool // whether arms come and go; then rounds are overwritten too, and Learn does not get Available
	policy bandit.Policy
	chosen []int
}

// play fills chosen. In the first four rounds the policy only learns, as in burn-in.
func (p *player) play() (err error) {
	const rounds, burnIn, pulls = 12, 4, 8
	if p.policy, err = p.build(p.spec, stream.Root(1).Child("policy")); err != nil {
		return fmt.Errorf("build the policy: %w", err)
	}
	draws := stream.Root(1).Child("environment")
	for round := 1; round <= rounds; round++ {
		if p.way == restored && round == rounds/2 {
			other, err := p.build(p.spec, stream.Root(2).Child("policy"))
			if err != nil {
				return err
			}
			if ok, err := restore(p.policy, other); err != nil {
				return err
			} else if ok {
				p.policy = other
			}
		}
		list, arms := make([]bandit.Round, pulls), make([]int, pulls)
		for i := range list {
			list[i] = bandit.Round{T: (round-1)*pulls + i + 1, Row: -1, Context: make([]float32, p.spec.Dim)}
			draws.Normals(list[i].Context)
			for range p.spec.Arms {
				if p.spec.ArmDim > 0 {
					features := make([]float32, p.spec.ArmDim)
					draws.Normals(features)
					list[i].Arms = append(list[i].Arms, features)
				}
			}
			arms[i] = draws.IntN(len(p.spec.Arms))
			if p.coming {
				list[i].Available, arms[i] = p.available(draws)
			}
		}
		if round > burnIn {
			if err := p.lend(list, func(rounds []bandit.Round) error { return p.act(arms, rounds) }); err != nil {
				return err
			}
			p.chosen = append(p.chosen, arms...)
		}
		err := p.lend(list, func(rounds []bandit.Round) (err error) {
			for i, r := range rounds {
				if err = p.learn(r, arms[i], draws.Float64()); err != nil {
					break
				}
			}
			return err
		})
		if e, ok := p.policy.(bandit.RoundEnder); ok && err == nil {
			err = e.EndRound(context.Background(), round)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// available returns a random set of arms that is not empty, and one of its arms.
func (p *player) available(draws *stream.Stream) (list []bool, arm int) {
	arm = draws.IntN(len(p.spec.Arms))
	for i := range p.spec.Arms {
		list = append(list, draws.IntN(2) == 0 || i == arm)
	}
	return list, arm
}

// learn passes the reward of an arm to the policy, or the rewards of all arms to an OutcomeLearner. The reward of arm
// i is element i of the context plus noise.
func (p *player) learn(r bandit.Round, arm int, noise float64) error {
	if y, ok := p.policy.(bandit.OutcomeLearner); ok {
		return y.LearnOutcome(r, arm, p.outcome(r, noise))
	}
	r.Available = nil // as after a delay
	return p.policy.Learn(r, arm, float64(r.Context[arm])+noise)
}

func (p *player) outcome(r bandit.Round, noise float64) (o bandit.Outcome) {
	for arm := range p.spec.Arms {
		mean := float64(r.Context[arm])
		o.Mean, o.Reward = append(o.Mean, mean), append(o.Reward, mean+noise)
	}
	return o
}

// propensities returns the probabilities of a Randomizer, and nil for other policies. Asking for them must not change
// the arms, so only the way again asks: its arms are compared with those of oneByOne.
func (p *player) propensities(r bandit.Round) ([]float64, error) {
	z, ok := p.policy.(bandit.Randomizer)
	if !ok || p.way != again {
		return nil, nil
	}
	list, sum := make([]float64, len(p.spec.Arms)), 0.0
	if err := z.Propensities(list, r); err != nil {
		return nil, err
	}
	for arm, v := range list {
		if !(v >= 0) {
			return nil, fmt.Errorf("the propensity of arm %d is %g", arm, v)
		}
		if v > 0 && !r.CanPull(arm) {
			return nil, fmt.Errorf("the propensity of arm %d, which cannot be pulled, is %g", arm, v)
		}
		sum += v
	}
	if !(math.Abs(sum-1) < 1e-9) {
		return nil, fmt.Errorf("the propensities %g sum to %g, want 1", list, sum)
	}
	return list, nil
}

// act lets the policy choose arms for rounds.
func (p *player) act(arms []int, rounds []bandit.Round) (err error) {
	if b, ok := p.policy.(bandit.BatchActor); ok && p.way == inBatches {
		err = b.ActBatch(arms, rounds)
	} else {
		for i := range rounds {
			var e error
			before, e2 := p.propensities(rounds[i])
			err = errors.Join(err, e2)
			if y, ok := p.policy.(bandit.OutcomeActor); ok {
				arms[i], e = y.ActOnOutcome(rounds[i], p.outcome(rounds[i], 0))
			} else {
				arms[i], e = p.policy.Act(rounds[i])
			}
			if err = errors.Join(err, e); err != nil {
				return err
			}
			if before != nil && arms[i] >= 0 && arms[i] < len(before) && before[arms[i]] == 0 {
				err = errors.Join(err, fmt.Errorf("the policy chose arm %d, whose propensity is 0", arms[i]))
			}
		}
	}
	for i, arm := range arms {
		if arm < 0 || arm >= len(p.spec.Arms) {
			err = errors.Join(err, fmt.Errorf("arm %d, want 0 to %d", arm, len(p.spec.Arms)-1))
		} else if !rounds[i].CanPull(arm) {
			err = errors.Join(err, fmt.Errorf("pull %d: the policy chose arm %d, which cannot be pulled", rounds[i].T, arm))
		}
	}
	return err
}

// lend calls f with copies of rounds and checks that f has not changed them. In the way overwritten, and where arms come
// and go, it then fills them with NaN and false.
func (p *player) lend(rounds []bandit.Round, f func([]bandit.Round) error) error {
	copies := slices.Clone(rounds)
	for i := range copies {
		copies[i].Context = slices.Clone(rounds[i].Context)
		copies[i].Arms = cloneAll(rounds[i].Arms)
		copies[i].Available = slices.Clone(rounds[i].Available)
	}
	err := f(copies)
	for i := range copies {
		if !slices.Equal(copies[i].Context, rounds[i].Context) {
			err = errors.Join(err, errors.New("the policy changes the context"))
		}
		if !slices.EqualFunc(copies[i].Arms, rounds[i].Arms, slices.Equal) {
			err = errors.Join(err, errors.New("the policy changes the features of arms"))
		}
		if !slices.Equal(copies[i].Available, rounds[i].Available) {
			err = errors.Join(err, errors.New("the policy changes the available arms"))
		}
		if p.way == overwritten || p.coming {
			clear(copies[i].Available)
			for _, lent := range append(copies[i].Arms, copies[i].Context) {
				for k := range lent {
					lent[k] = float32(math.NaN())
				}
			}
		}
	}
	return err
}

// restore saves the state of from and restores it into to. It reports whether from could be saved.
func restore(from, to any) (ok bool, err error) {
	m, ok := from.(encoding.BinaryMarshaler)
	if !ok {
		return false, nil
	}
	b, err := m.MarshalBinary()
	if err != nil {
		return false, nil // a part of the policy cannot be saved
	}
	u, ok := to.(encoding.BinaryUnmarshaler)
	if !ok {
		return false, fmt.Errorf("%T can be saved but not restored", to)
	}
	if err := u.UnmarshalBinary(b); err != nil {
		return false, fmt.Errorf("restore: %w", err)
	}
	return true, nil
}
