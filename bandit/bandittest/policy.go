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
	"banditsim/internal/lists"
)

// A way is one of the ways to play a policy. The policy must choose the same arms in all ways with the same comeAndGo.
type way struct {
	name, proves string
	batches      bool // the policy acts by ActBatch, if it is a BatchActor
	asks         bool // the policy is asked for its propensities before each pull, if it is a Randomizer
	overwrites   bool // the Rounds that a call got are overwritten after it, as callers may do
	restores     bool // halfway, if the policy can be saved, a new policy takes its place and is restored from its state
	comeAndGo    bool // arms come and go, and Learn does not get Available
}

var ways = []way{
	{name: "one by one", proves: "arms are in range"},
	{name: "a second time", asks: true,
		proves: "the same seed gives the same arms; propensities are probabilities, and asking for them changes nothing"},
	{name: "in batches", proves: "several pulls at once have the arms of one by one", batches: true},
	{name: "with contexts overwritten after each call", proves: "contexts are not changed and not kept", overwrites: true},
	{name: "saved and restored", proves: "what is saved and restored goes on with the same arms", restores: true},
	{name: "with arms that come and go", asks: true, overwrites: true, comeAndGo: true,
		proves: "the arms that are chosen can be pulled, and no others have propensities"},
	{name: "with arms that come and go, in batches", batches: true, overwrites: true, comeAndGo: true,
		proves: "several pulls at once have the arms of one by one"},
}

// A Builder returns a new policy that draws from r, for environments with the given specification.
type Builder = func(spec bandit.Spec, r *stream.Stream) (bandit.Policy, error)

// A Check is one of the checks of Policy.
type Check struct {
	Name, Proves string
	Run          func() error
}

// Policy checks a policy over 12 rounds of 8 pulls in environments with three arms, without and with features of arms.
//
// The checks are:
//   - arms are in range; the same stream gives the same arms, also in batches and after a save and restore
//   - contexts, features of arms and Round.Available are neither changed nor kept
//   - propensities (bandit.Randomizer) are probabilities, above 0 for the chosen arm, and asking for them changes nothing
//   - where arms come and go, only available arms are chosen or have propensities, and Learn does not need Round.Available
func Policy(build Builder) error {
	for _, c := range checks(build, true) {
		if err := c.Run(); err != nil {
			return err
		}
	}
	return nil
}

// PolicyChecks returns the checks of Policy except those with arms that come and go. Run them in order: the later ones
// compare the arms that are chosen with those of the first check, and pass if it has failed or was not run.
func PolicyChecks(build Builder) []Check { return checks(build, false) }

func checks(build Builder, comeAndGo bool) (list []Check) {
	type world struct {
		armDim    int
		comeAndGo bool
	}
	first := map[world][]int{} // arms that the policy chose in the first way of a world; the other ways must give the same
	for i, way := range ways {
		if way.comeAndGo && !comeAndGo {
			continue
		}
		list = append(list, Check{way.name, way.proves, func() error {
			for _, armDim := range []int{0, 2} {
				w := world{armDim, way.comeAndGo}
				want, compare := first[w], i > 0 && ways[i-1].comeAndGo == way.comeAndGo
				if compare && want == nil {
					continue // the check of the first way failed or was not run
				}
				p := player{way: way, build: build, spec: bandit.Spec{
					Dim: 4, Arms: []string{"a", "b", "c"}, ArmDim: armDim, IgnoresActions: true, UniformRegret: math.NaN()}}
				if err := p.play(); err != nil {
					return fmt.Errorf("bandittest: %s: %w (arms have %d features)", way.name, err, armDim)
				}
				if compare && !slices.Equal(p.chosen, want) {
					return fmt.Errorf("bandittest: %s the policy chooses other arms: %v, want %v (arms have %d features)",
						way.name, p.chosen, want, armDim)
				}
				first[w] = p.chosen
			}
			return nil
		}})
	}
	return list
}

// A player plays a new policy in one way.
type player struct {
	way
	spec   bandit.Spec
	build  Builder
	policy bandit.Policy
	chosen []int
}

// play fills p.chosen. In the first four rounds the policy only learns, as in burn-in.
func (p *player) play() (err error) {
	const rounds, burnIn, pulls = 12, 4, 8
	if p.policy, err = p.build(p.spec, stream.Root(1).Child("policy")); err != nil {
		return fmt.Errorf("build the policy: %w", err)
	}
	draws := stream.Root(1).Child("environment")
	for round := 1; round <= rounds; round++ {
		if p.restores && round == rounds/2 {
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
			list[i], _ = bandit.NewPull(p.spec)
			list[i].T, list[i].Row = (round-1)*pulls+i+1, -1
			draws.Normals(list[i].Context)
			for _, features := range list[i].Arms {
				draws.Normals(features)
			}
			arms[i] = draws.IntN(len(p.spec.Arms))
			if p.comeAndGo {
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
		if err == nil {
			err = bandit.EndRound(context.Background(), p.policy, round)
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

// propensities returns the propensities of the policy, or nil if it is not a Randomizer or the way does not ask. Only
// some ways ask, and all must choose the same arms: this shows that asking changes nothing.
func (p *player) propensities(r bandit.Round) ([]float64, error) {
	z, ok := p.policy.(bandit.Randomizer)
	if !ok || !p.asks {
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
	if b, ok := p.policy.(bandit.BatchActor); ok && p.batches {
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

// lend calls f with copies of rounds and checks that f has not changed them. If p.overwrites is true, lend then fills
// the copies with NaN and, in Available, false.
func (p *player) lend(rounds []bandit.Round, f func([]bandit.Round) error) error {
	copies := lists.Each(rounds, bandit.Round.Clone)
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
		if p.overwrites {
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
