package bandittest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"banditsim/bandit"
	"banditsim/bandit/stream"
)

// The ways in which a policy is played. All must choose the same arms.
const (
	oneByOne  = "one by one"
	again     = "a second time"
	inBatches = "in batches"                                // by ActBatch, if the policy has it
	scribbled = "with contexts overwritten after each call" // as the caller may
	restored  = "saved and restored"                        // if the policy can be saved
)

// Policy checks a policy over 12 rounds of 8 pulls in an environment of three arms; build returns
// a new policy for the specification that draws from r.
//
// Arms are in range. The same stream gives the same arms. A batch gives the arms of its pulls one
// by one. Contexts are not changed, and not kept. If the policy can be saved, a restored one
// chooses the same arms.
func Policy(build func(spec bandit.Spec, r *stream.Stream) (bandit.Policy, error)) error {
	var want []int
	for _, way := range []string{oneByOne, again, inBatches, scribbled, restored} {
		p := player{build: build, way: way}
		if err := p.play(); err != nil {
			return fmt.Errorf("bandittest: %s: %w", way, err)
		}
		if way == oneByOne {
			want = p.chosen
		} else if !slices.Equal(p.chosen, want) {
			return fmt.Errorf("bandittest: %s the policy chooses other arms: %v, want %v", way, p.chosen, want)
		}
	}
	return nil
}

var toySpec = bandit.Spec{Dim: 4, Arms: []string{"a", "b", "c"}, IgnoresActions: true, UniformRegret: math.NaN()}

// A player plays a new policy in one way.
type player struct {
	build  func(bandit.Spec, *stream.Stream) (bandit.Policy, error)
	way    string
	policy bandit.Policy
	chosen []int
}

// play fills chosen. In the first four rounds the policy only learns, as in burn-in.
func (p *player) play() (err error) {
	const rounds, burnIn, pulls = 12, 4, 8
	if p.policy, err = p.build(toySpec, stream.Root(1).Child("policy")); err != nil {
		return fmt.Errorf("build the policy: %w", err)
	}
	draws := stream.Root(1).Child("environment")
	for round := 1; round <= rounds; round++ {
		if p.way == restored && round == rounds/2 {
			other, err := p.build(toySpec, stream.Root(2).Child("policy"))
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
			list[i] = bandit.Round{T: (round-1)*pulls + i + 1, Row: -1, Context: make([]float32, toySpec.Dim)}
			draws.Normals(list[i].Context)
			arms[i] = draws.IntN(len(toySpec.Arms))
		}
		if round > burnIn {
			if err := p.lend(list, func(rounds []bandit.Round) error { return p.act(arms, rounds) }); err != nil {
				return err
			}
			p.chosen = append(p.chosen, arms...)
		}
		err := p.lend(list, func(rounds []bandit.Round) (err error) {
			for i, r := range rounds {
				err = errors.Join(err, p.policy.Learn(r, arms[i], float64(r.Context[arms[i]])+draws.Float64()))
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

// act fills arms.
func (p *player) act(arms []int, rounds []bandit.Round) (err error) {
	if b, ok := p.policy.(bandit.BatchActor); ok && p.way == inBatches {
		err = b.ActBatch(arms, rounds)
	} else {
		for i := range rounds {
			var e error
			arms[i], e = p.policy.Act(rounds[i])
			err = errors.Join(err, e)
		}
	}
	for _, arm := range arms {
		if arm < 0 || arm >= len(toySpec.Arms) {
			err = errors.Join(err, fmt.Errorf("arm %d, want 0 to %d", arm, len(toySpec.Arms)-1))
		}
	}
	return err
}

// lend calls f with copies of rounds, checks that their contexts have not been changed, and
// overwrites them if the way says so.
func (p *player) lend(rounds []bandit.Round, f func([]bandit.Round) error) error {
	copies := slices.Clone(rounds)
	for i := range copies {
		copies[i].Context = slices.Clone(rounds[i].Context)
	}
	err := f(copies)
	for i := range copies {
		if !slices.Equal(copies[i].Context, rounds[i].Context) {
			err = errors.Join(err, errors.New("the policy changes the context"))
		}
		if p.way == scribbled {
			for k := range copies[i].Context {
				copies[i].Context[k] = float32(math.NaN())
			}
		}
	}
	return err
}
