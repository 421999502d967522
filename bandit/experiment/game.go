package experiment

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/datasets"
	"banditsim/policy"
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

// WithDefaults returns a policy with the default options of its kind, under its name.
func WithDefaults[O any](k policy.Kind[O]) NamedPolicy {
	return NamedPolicy{Label: k.Name, New: func(s policy.Setup) (bandit.Policy, error) { return k.Build(k.Defaults(), s) }}
}

// Plan returns the trials of the game: each policy on each seed. Their identity has the names, not the code behind them.
func (g Game) Plan() (*Plan, error) {
	plan, err := g.plan()
	if err != nil {
		return nil, fmt.Errorf("experiment: game: %w", err)
	}
	return plan, nil
}

func (g Game) plan() (*Plan, error) {
	if err := checkSeeds(g.Seeds, len(g.Policies)); err != nil {
		return nil, err
	}
	if g.Environment == nil {
		return nil, errors.New("the game has no Environment: want a function that makes it")
	}
	if err := g.Protocol.Validate(); err != nil {
		return nil, err
	}
	environment, err := identify(g.Name, nil, &datasets.World{New: g.Environment})
	if err != nil {
		return nil, err
	}
	environment.Protocol = g.Protocol
	policies := slices.Clone(g.Policies)
	for i, p := range policies {
		switch {
		case p.New == nil:
			return nil, fmt.Errorf("policy %s: New is nil", p.Label)
		case slices.ContainsFunc(policies[:i], func(q NamedPolicy) bool { return q.Label == p.Label }):
			return nil, fmt.Errorf("policy %s is named twice", p.Label)
		}
		if err := checkVariantName(p.Label); err != nil {
			return nil, err
		}
		policies[i].Policy = results.Policy{Name: p.Label, Options: []byte("{}")}
	}
	environments := []PlannedEnvironment{environment}
	return &Plan{Name: g.Name, Environments: environments, Policies: policies, Cells: cellsOf(environment, policies, g.Seeds)}, nil
}

// identify returns an environment with its part of the identity of trials. The data may complete its options.
func identify(name string, options json.RawMessage, w *datasets.World) (PlannedEnvironment, error) {
	env, err := w.New(stream.Root(0))
	if err != nil {
		return PlannedEnvironment{}, err
	}
	spec := env.Spec()
	if w.Options != nil {
		options = w.Options
	}
	identity := results.Environment{Name: name, Options: options, Data: w.Data, Arms: spec.Arms, UniformRegret: results.Number(spec.UniformRegret)}
	if w.Passes > 1 {
		identity.Rows = w.Rows
	}
	return PlannedEnvironment{World: w, Identity: identity}, nil
}
