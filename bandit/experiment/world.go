package experiment

import (
	"context"
	"encoding/json"
	"errors"

	"banditsim/bandit/stream"
	"banditsim/datasets"
	"banditsim/results"
)

// openWorld opens the environment with its data.
func (e Experiment) openWorld(ctx context.Context, c *Catalog, settings []Setting) (*datasets.World, results.Environment, error) {
	none := results.Environment{}
	entry := c.environment(e.Environment)
	if entry == nil {
		return nil, none, e.environmentAt.Wrap(unknown("environment", e.Environment, names(c.Environments())))
	}
	var world *datasets.World
	var options json.RawMessage
	err := trySettings(settings, func(some []Setting) (err error) {
		if options, err = entry.resolve(some); err == nil {
			world, err = entry.open(ctx, options, e.Data)
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
		UniformRegret: spec.UniformRegret,
	}, nil
}

// resolve applies settings to the defaults of the environment.
func (entry *environmentEntry) resolve(settings []Setting) (json.RawMessage, error) {
	options := entry.defaults
	for _, s := range settings {
		_, path := s.split()
		var err error
		if options, err = apply(options, path, s.Value); err != nil {
			return nil, s.wrong(err)
		}
		if _, err = entry.normalize(options); err != nil {
			return nil, s.wrong(illTyped(s, err))
		}
	}
	return entry.normalize(options)
}
