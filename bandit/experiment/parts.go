package experiment

import (
	"context"
	"fmt"
	"math"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/datasets"
	"banditsim/internal/words"
	"banditsim/policy"
	"banditsim/posterior"
	"banditsim/results"
)

// A NamedPolicy is a policy of an experiment without an environment.
type NamedPolicy struct {
	Label string
	New   func(policy.Setup) (bandit.Policy, error)
}

// WithDefaults returns a policy with the default options of its kind, under its name.
func WithDefaults[O any](k policy.Kind[O]) NamedPolicy {
	return NamedPolicy{k.Name, func(s policy.Setup) (bandit.Policy, error) { return k.New(k.Defaults(), s) }}
}

// ResolvePolicies returns the policies of an experiment alone, with their options.
func (e Experiment) ResolvePolicies(c *Catalog) ([]NamedPolicy, error) {
	names, err := e.resolveNames(c)
	if err != nil {
		return nil, err
	}
	var list []NamedPolicy
	for _, p := range names.policies {
		list = append(list, NamedPolicy{p.Name, p.new})
	}
	return list, nil
}

// NewPosterior returns the posterior of that name, with its settings, whose keys begin with model.
func (c *Catalog) NewPosterior(name string, settings []Setting) (func(posterior.Setup) (posterior.Posterior, error), error) {
	k := find(c.posteriors, name)
	if k == nil {
		return nil, unknown("posterior", name, names(c.Posteriors()))
	}
	for _, s := range settings {
		if scope := s.scope(); scope != scopeModel {
			return nil, s.wrong(unknown("scope here", scope, []string{scopeModel}))
		}
	}
	_, build, err := k.resolve(k.defaults, settings)
	return build, err
}

// Randomizers returns the names of the policies that know the probabilities with which they choose.
func (c *Catalog) Randomizers() []string {
	setup := policy.Setup{Spec: bandit.Spec{Dim: 1, Arms: []string{"a", "b"}, UniformRegret: math.NaN()}, Protocol: bandit.Protocol{Rounds: 1, Pulls: 1}, Stream: stream.Root(0)}
	var list []string
	for _, k := range c.policies {
		p, err := k.with(k.defaults)(setup)
		if _, ok := p.(bandit.Randomizer); ok && err == nil {
			list = append(list, k.Name)
		}
	}
	return list
}

// World opens the environment of a recorded trial as it was, with data from the given source.
func (c *Catalog) World(ctx context.Context, e results.Environment, data string) (*datasets.World, error) {
	kind := find(c.environments, e.Name)
	if kind == nil {
		return nil, unknown("environment", e.Name, names(c.Environments()))
	}
	options, err := kind.decode(e.Options)
	if err != nil {
		return nil, err
	}
	world, err := kind.with(options)(ctx, data)
	if err != nil {
		return nil, err
	}
	if world.Data.SHA256 != e.Data.SHA256 {
		return nil, fmt.Errorf("environment %s: the data %s have the SHA-256 %s, the trial's were %s with %s: name the same data with --data", e.Name, world.Data.Name, words.Shorten(world.Data.SHA256, 15), e.Data.Name, words.Shorten(e.Data.SHA256, 15))
	}
	return world, nil
}
