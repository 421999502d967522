package experiment

import (
	"context"
	"encoding/json"
	"errors"

	"banditsim/bandit/stream"
	"banditsim/datasets"
	"banditsim/results"
)

// resolveWorld opens the environment with its data.
func (e Experiment) resolveWorld(ctx context.Context, c *Catalog, settings []Setting) (*datasets.World, results.Environment, error) {
	none := results.Environment{}
	kind := find(c.environments, e.Environment)
	if kind == nil {
		return nil, none, e.environmentAt.Wrap(unknown("environment", e.Environment, names(c.Environments())))
	}
	var world *datasets.World
	var options json.RawMessage
	err := trySettings(settings, func(some []Setting) (err error) {
		var open openWorld
		if options, err = kind.resolve(kind.defaults, some); err == nil {
			open, err = kind.with(options)
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
	spec := env.Spec()
	return world, results.Environment{
		Name:          e.Environment,
		Options:       options,
		Data:          world.Data,
		Arms:          spec.Arms,
		UniformRegret: results.Number(spec.UniformRegret),
	}, nil
}
