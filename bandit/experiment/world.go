package experiment

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/datasets"
	"banditsim/results"
)

// A Spec is a specification with the resolved options of the environment.
type Spec struct {
	bandit.Spec
	Options json.RawMessage
}

// Open opens an environment with its data. Settings must be of the scope environment.
func (c *Catalog) Open(ctx context.Context, environment, data string, settings []Setting) (*datasets.World, Spec, error) {
	for _, s := range settings {
		if scope := s.scope(); scope != scopeEnvironment {
			return nil, Spec{}, s.wrong(unknown("scope here", scope, []string{scopeEnvironment}))
		}
	}
	world, err := Experiment{Environment: environment, Data: data}.resolveWorld(ctx, c, settings)
	if err != nil {
		return nil, Spec{}, err
	}
	env, err := world.New(stream.Root(0))
	if err != nil {
		return nil, Spec{}, err
	}
	return world.World, Spec{env.Spec(), world.environment.Options}, nil
}

// EnvironmentOf returns the environment that a source of data is plainly for, or "".
func (c *Catalog) EnvironmentOf(data string) string {
	for i, e := range c.environments {
		if takes := c.data[i].takes; takes != nil && takes(data) {
			return e.Name
		}
	}
	return ""
}

// resolveWorld opens the environment with its data.
func (e Experiment) resolveWorld(ctx context.Context, c *Catalog, settings []Setting) (opened, error) {
	none := opened{}
	kind, err := c.environmentOf(e.Environment, e.plugin)
	if err != nil {
		return none, e.environmentAt.Wrap(err)
	}
	if kind == nil {
		return none, e.environmentAt.Wrap(unknown("environment", e.Environment, names(c.Environments())))
	}
	var world *datasets.World
	var options json.RawMessage
	err = trySettings(settings, func(some []Setting) (err error) {
		var open openWorld
		if options, open, err = kind.resolve(kind.defaults, some); err == nil {
			world, err = open(ctx, e.Data)
		}
		return err
	})
	var missing *datasets.DataError
	if errors.As(err, &missing) && e.Data == e.dataInFile {
		err = e.dataAt.Wrap(err)
	}
	if err != nil {
		return none, err
	}
	env, err := world.New(stream.Root(0))
	if err != nil {
		return none, err
	}
	spec := env.Spec()
	return opened{world, results.Environment{
		Name:          e.Environment,
		Options:       options,
		Data:          world.Data,
		Arms:          spec.Arms,
		UniformRegret: results.Number(spec.UniformRegret),
	}}.complete(), nil
}

// opened is an environment with its data, and what of it is a part of the identity of trials.
type opened struct {
	*datasets.World
	environment results.Environment
}

// complete returns o with what the data say of the options and of the number of rows.
func (o opened) complete() opened {
	if o.Options != nil {
		o.environment.Options = o.Options
	}
	if o.Passes > 1 {
		o.environment.Rows = o.Rows
	}
	return o
}

// resolveLength resolves the names, opens the environment, and fits the rounds to the rows of its data, or its passes over them
// to the rounds.
func (e Experiment) resolveLength(ctx context.Context, c *Catalog) (resolvedNames, opened, error) {
	follows := e.FollowRows && !slices.ContainsFunc(e.Settings, func(s Setting) bool { return s.Key == "protocol.rounds" })
	first := e
	if follows { // these may name rounds beyond Protocol.Rounds
		first.Thresholds, first.Figure = nil, nil
	}
	names, err := first.resolveNames(c)
	if err != nil {
		return names, opened{}, err
	}
	world, err := e.resolveWorld(ctx, c, names.environment)
	if err != nil {
		return names, world, err
	}
	rows := world.Rows * world.Passes
	switch {
	case follows:
		if pulls := names.protocol.Pulls; rows > 0 {
			e.Protocol.Rounds, e.Protocol.Last = (rows+pulls-1)/pulls, rows%pulls
		}
		names, err = e.resolveNames(c)
	case rows > 0 && names.protocol.AllPulls() > rows && world.Repeat != nil:
		if world.World, err = world.Repeat((names.protocol.AllPulls() + rows - 1) / rows); err == nil {
			world = world.complete()
		}
	}
	return names, world, err
}
