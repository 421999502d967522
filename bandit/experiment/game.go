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
	Name        string                                           // of the environment, in tables and trial identities
	Environment func(*stream.Stream) (bandit.Environment, error) // called once for each trial
	Policies    []NamedPolicy                                    // Label also names the policy in trial identities
	Protocol    bandit.Protocol
	Seeds       []uint64
}

// WithDefaults returns a policy with the default options of its kind; its label is the name of the kind.
func WithDefaults[O any](k policy.Kind[O]) NamedPolicy {
	return NamedPolicy{Label: k.Name, New: func(s policy.Setup) (bandit.Policy, error) { return k.Build(k.Defaults(), s) }}
}

// Plan returns the plan of the game: one trial per policy and seed. The identity of a trial contains the names of
// environment and policy only, so trials keep their IDs when the code behind a name changes.
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

// identify returns the world of an environment with its part of a trial's identity. w.Options, if not nil, replaces
// options.
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
	return PlannedEnvironment{World: w, Identity: identity, spec: spec}, nil
}
