package experiment

import (
	"errors"
	"fmt"
	"slices"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/datasets"
	"banditsim/results"
)

// A Game is an experiment made of Go values rather than of names in a catalog.
type Game struct {
	// Name of the environment in tables and in the identity of trials.
	Name        string
	Environment func(*stream.Stream) (bandit.Environment, error) // called once for each trial
	Policies    []NamedPolicy                                    // their labels are their names in the identity of trials
	Protocol    bandit.Protocol
	Seeds       []uint64
}

// Plan returns the trials of the game: each policy on each seed. Their identity has the names, not the code behind them.
func (g Game) Plan() (*Plan, error) {
	if err := (Experiment{Seeds: g.Seeds}).checkSeeds(len(g.Policies)); err != nil {
		return nil, fmt.Errorf("experiment: game: %w", err)
	}
	if g.Environment == nil {
		return nil, errors.New("experiment: game: Environment is nil")
	}
	if err := g.Protocol.Validate(); err != nil {
		return nil, fmt.Errorf("experiment: game: %w", err)
	}
	world := &datasets.World{New: g.Environment}
	environment, _, _ := stream.Trial(g.Seeds[0])
	env, err := world.New(environment)
	if err != nil {
		return nil, fmt.Errorf("experiment: game: %w", err)
	}
	spec := env.Spec()
	identity := results.Environment{Name: g.Name, Arms: spec.Arms, UniformRegret: results.Number(spec.UniformRegret)}
	plan := &Plan{Name: g.Name, Environments: []PlannedEnvironment{{World: world, Identity: identity, Protocol: g.Protocol}}}
	for i, p := range g.Policies {
		switch {
		case p.New == nil:
			return nil, fmt.Errorf("experiment: game: policy %s: New is nil", p.Label)
		case slices.ContainsFunc(g.Policies[:i], func(q NamedPolicy) bool { return q.Label == p.Label }):
			return nil, fmt.Errorf("experiment: game: policy %s is named twice", p.Label)
		}
		if err := checkVariantName(p.Label); err != nil {
			return nil, fmt.Errorf("experiment: game: %w", err)
		}
		plan.Policies = append(plan.Policies, PlannedPolicy{p.Label, results.Policy{Name: p.Label, Options: []byte("{}")}})
	}
	for _, seed := range g.Seeds {
		for i, p := range g.Policies {
			c := Cell{Label: p.Label, NewPolicy: p.New, Cost: 1, world: world}
			c.Identity = results.Identity{Epoch: results.Epoch, Policy: plan.Policies[i].Policy, Environment: identity, Protocol: g.Protocol, Seed: seed}
			plan.Cells = append(plan.Cells, c)
		}
	}
	return plan, nil
}
