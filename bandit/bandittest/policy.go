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

// How a policy is played. All ways must choose the same arms.
const (
	oneByOne  = iota
	again     // a second time
	inBatches // by ActBatch, if the policy has it
	scribbled // contexts are overwritten after each call, as the caller may
	restored  // saved and restored in the middle, if the policy can
	ways
)

// Policy checks a policy over 12 rounds of 8 pulls in an environment of three arms whose rewards
// are linear in the context; build returns a new one for the specification, all of whose
// randomness descends from r.
//
// Arms are in range. The same stream gives the same arms. A batch is acted on as its pulls one
// by one. Contexts are not changed, and not kept. If the policy can be saved, a restored one
// goes on as if nothing had happened.
func Policy(build func(spec bandit.Spec, r *stream.Stream) (bandit.Policy, error)) error {
	var want []int
	for way := range ways {
		got, err := play(build, way)
		what := []string{"one by one", "a second time", "in batches", "with contexts overwritten after each call", "saved and restored"}[way]
		switch {
		case err != nil:
			return fmt.Errorf("bandittest: %s: %w", what, err)
		case way == oneByOne:
			want = got
		case !slices.Equal(got, want):
			return fmt.Errorf("bandittest: %s the policy chooses other arms: %v, want %v", what, got, want)
		}
	}
	return nil
}

var toySpec = bandit.Spec{Dim: 4, Arms: []string{"a", "b", "c"}, IgnoresActions: true, UniformRegret: math.NaN()}

// play returns the arms that a new policy chooses. In the first four rounds it only learns, as
// in burn-in.
func play(build func(bandit.Spec, *stream.Stream) (bandit.Policy, error), way int) ([]int, error) {
	const rounds, burnIn, pulls = 12, 4, 8
	policy, err := build(toySpec, stream.Root(1).Child("policy"))
	if err != nil {
		return nil, fmt.Errorf("build the policy: %w", err)
	}
	draws := stream.Root(1).Child("environment")
	var chosen []int
	for round := 1; round <= rounds; round++ {
		if way == restored && round == rounds/2 {
			other, err := build(toySpec, stream.Root(2).Child("policy"))
			if err != nil {
				return nil, err
			}
			ok, err := restore(policy, other)
			if err != nil {
				return nil, err
			}
			if ok {
				policy = other
			}
		}
		list, arms := make([]bandit.Round, pulls), make([]int, pulls)
		for i := range list {
			list[i] = bandit.Round{T: (round-1)*pulls + i + 1, Row: -1, Context: make([]float32, toySpec.Dim)}
			draws.Normals(list[i].Context)
			arms[i] = draws.IntN(len(toySpec.Arms))
		}
		if round > burnIn {
			if err := act(policy, way, list, arms); err != nil {
				return nil, err
			}
			chosen = append(chosen, arms...)
		}
		for i, arm := range arms {
			r := borrow(list[i])
			if err := policy.Learn(r, arm, float64(r.Context[arm])+draws.Float64()); err != nil {
				return nil, err
			}
			if err := giveBack(r, list[i], way); err != nil {
				return nil, err
			}
		}
		if p, ok := policy.(bandit.RoundEnder); ok {
			if err := p.EndRound(context.Background(), round); err != nil {
				return nil, fmt.Errorf("end round %d: %w", round, err)
			}
		}
	}
	return chosen, nil
}

// act fills arms.
func act(policy bandit.Policy, way int, list []bandit.Round, arms []int) error {
	var rounds []bandit.Round
	for _, r := range list {
		rounds = append(rounds, borrow(r))
	}
	if p, ok := policy.(bandit.BatchActor); ok && way == inBatches {
		if err := p.ActBatch(arms, rounds); err != nil {
			return err
		}
	} else {
		for i, r := range rounds {
			var err error
			if arms[i], err = policy.Act(r); err != nil {
				return err
			}
		}
	}
	for i, arm := range arms {
		if arm < 0 || arm >= len(toySpec.Arms) {
			return fmt.Errorf("arm %d, want 0 to %d", arm, len(toySpec.Arms)-1)
		}
		if err := giveBack(rounds[i], list[i], way); err != nil {
			return err
		}
	}
	return nil
}

// borrow returns a copy of a round, for one call.
func borrow(r bandit.Round) bandit.Round {
	r.Context = slices.Clone(r.Context)
	return r
}

// giveBack checks that the policy has left the context as it was, and overwrites it if so
// played.
func giveBack(r, was bandit.Round, way int) error {
	if !slices.Equal(r.Context, was.Context) {
		return errors.New("the policy changes the context")
	}
	if way == scribbled {
		for i := range r.Context {
			r.Context[i] = float32(math.NaN())
		}
	}
	return nil
}
