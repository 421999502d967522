package experiment

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"banditsim/bandit"
	"banditsim/bandit/experiment/internal/kinds"
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

// Fetch downloads the data of an environment and returns what is there now, in a line.
func (c *Catalog) Fetch(ctx context.Context, environment, data string) (string, error) {
	return c.dataVerb("fetch", environment, func(k dataKind) (string, error) { return k.fetch(ctx, data) }, func(k dataKind) bool { return k.fetch != nil })
}

// Verify checks that the data of an environment are the published ones and returns what they are, in a
// line.
func (c *Catalog) Verify(ctx context.Context, environment, data string) (string, error) {
	return c.dataVerb("verify", environment, func(k dataKind) (string, error) { return k.verify(ctx, data) }, func(k dataKind) bool { return k.verify != nil })
}

func (c *Catalog) dataVerb(verb, environment string, do func(dataKind) (string, error), can func(dataKind) bool) (string, error) {
	var able []string
	for i, e := range c.environments {
		if k := c.data[i]; can(k) {
			if able = append(able, e.Name); e.Name == environment {
				return do(k)
			}
		}
	}
	if kinds.Find(c.environments, environment) == nil {
		return "", unknown("environment", environment, names(c.Environments()))
	}
	return "", fmt.Errorf("the environment %s has no data to %s: those that have are %s", environment, verb, strings.Join(able, ", "))
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
