package experiment

import (
	"context"
	"encoding/json"
	"errors"

	"banditsim/bandit"
	"banditsim/bandit/experiment/internal/setting"
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
		if scope := s.Scope(); scope != setting.Environment {
			return nil, Spec{}, s.Wrong(unknown("scope here", scope, []string{setting.Environment}))
		}
	}
	world, e, err := Experiment{Environment: environment, Data: data}.resolveWorld(ctx, c, settings)
	if err != nil {
		return nil, Spec{}, err
	}
	env, err := world.New(stream.Root(0))
	if err != nil {
		return nil, Spec{}, err
	}
	return world, Spec{env.Spec(), e.Options}, nil
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
func (e Experiment) resolveWorld(ctx context.Context, c *Catalog, settings []Setting) (*datasets.World, results.Environment, error) {
	none := results.Environment{}
	kind, err := c.environmentOf(e.Environment, e.plugin)
	if err != nil {
		return nil, none, e.environmentAt.Wrap(err)
	}
	if kind == nil {
		return nil, none, e.environmentAt.Wrap(unknown("environment", e.Environment, names(c.Environments())))
	}
	var world *datasets.World
	var options json.RawMessage
	err = trySettings(settings, func(some []Setting) (err error) {
		var open openWorld
		if options, err = kind.Resolve(kind.Defaults, some); err == nil {
			open, err = kind.With(options)
		}
		if err == nil {
			world, err = open(ctx, e.Data)
		}
		return err
	})
	var missing *datasets.DataError
	if errors.As(err, &missing) && e.Data == e.dataInFile {
		err = e.dataAt.Wrap(err)
	}
	if err != nil {
		return nil, none, err
	}
	env, err := world.New(stream.Root(0))
	if err != nil {
		return nil, none, err
	}
	if world.Options != nil {
		options = world.Options
	}
	spec := env.Spec()
	return world, results.Environment{
		Name:          e.Environment,
		Options:       options,
		Data:          world.Data,
		Arms:          spec.Arms,
		UniformRegret: results.Number(spec.UniformRegret),
	}, nil
}
