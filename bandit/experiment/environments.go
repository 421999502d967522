package experiment

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"banditsim/bandit"
	"banditsim/bandit/plugin/declare"
	"banditsim/bandit/stream"
	"banditsim/datasets"
	"banditsim/internal/lists"
	"banditsim/internal/place"
	"banditsim/internal/words"
	"banditsim/policy"
	"banditsim/posterior"
	"banditsim/results"
	"banditsim/results/compare"
)

// An EnvironmentVariant is an environment with data, settings, protocol and a name of its own.
type EnvironmentVariant struct {
	Name        string               // unique in the experiment; "" if the experiment has a single, unnamed environment
	Environment string               // name of the environment in the catalog; with a Plugin, declare.KindName
	Data        string               // source of its data
	Settings    []Setting            // settings of the environment, applied before the experiment's; their keys have no scope
	Protocol    []Setting            // settings of the protocol, applied like Settings
	Plugin      *declare.Declaration // child process that is the environment; nil for an environment of the catalog

	order      int         // position in the experiment before SelectEnvironments, from 1; 0 if that was not called
	at, dataAt place.Place // places in a file
}

// maxEnvironments is the largest number of environments in an experiment.
const maxEnvironments = 1000

func environmentNames(list []EnvironmentVariant) []string {
	return lists.Each(list, func(v EnvironmentVariant) string { return v.Name })
}

// setEnvironment replaces all environments by the named one, and removes the data and the settings of the old ones.
func (e *Experiment) setEnvironment(name string) {
	e.Environment, e.Environments, e.Data = name, nil, ""
	e.environmentAt, e.dataAt = place.Place{}, place.Place{}
	e.Settings = slices.DeleteFunc(slices.Clone(e.Settings), func(s Setting) bool { return s.scope() == scopeEnvironment })
}

// SelectEnvironments keeps only the named environments. A name neither in e.Environments nor of a plugin stands for a
// registered environment with default options. If such a name is the only one, it becomes e.Environment, and e.Data and
// the environment's settings are removed. Thresholds on other environments are removed and their texts returned.
func (e *Experiment) SelectEnvironments(names []string) (dropped []string, err error) {
	if names, err = trimmed(names); err != nil {
		return nil, err
	}
	var list []EnvironmentVariant
	known := false
	own := slices.Concat(e.Environments, e.plugins)
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			return nil, fmt.Errorf("environment %s is named twice", name)
		}
		v, order := EnvironmentVariant{Name: name, Environment: name}, len(e.Environments)+i
		if k := slices.Index(environmentNames(own), name); k >= 0 {
			v, known, order = own[k], true, min(k, order)
		}
		v.order = cmp.Or(v.order, order+1)
		list = append(list, v)
	}
	dropped = e.dropThresholds(func(_, on string) bool { return on != "" && !slices.Contains(names, on) })
	if len(list) == 1 && !known {
		e.setEnvironment(list[0].Name)
		return dropped, nil
	}
	if len(e.Environments) == 0 {
		e.setEnvironment("")
	}
	e.leftOut = slices.DeleteFunc(slices.Clone(e.Environments), func(v EnvironmentVariant) bool { return slices.Contains(names, v.Name) })
	e.Environments = list
	return dropped, nil
}

// SetData sets the source of the data. With several environments the text is NAME=SOURCE, with the name of one of them;
// with a single environment it is SOURCE or NAME=SOURCE.
func (e *Experiment) SetData(text string) error {
	name, source, named := strings.Cut(text, "=")
	if len(e.Environments) == 0 {
		e.Data, e.dataAt = text, place.Place{}
		if named && name == e.Environment {
			e.Data = source
		}
		return nil
	}
	known := environmentNames(e.Environments)
	k := slices.Index(known, name)
	if k < 0 || source == "" {
		return fmt.Errorf("%q: an experiment on several environments has data of each: want NAME=SOURCE with a name of %s", text, strings.Join(known, ", "))
	}
	e.Environments = slices.Clone(e.Environments)
	e.Environments[k].Data, e.Environments[k].dataAt = source, place.Place{}
	return nil
}

// single returns one experiment per environment, each with a single element in Environments.
func (e Experiment) single(c *Catalog) ([]Experiment, error) {
	list := e.Environments
	if len(list) == 0 {
		list = []EnvironmentVariant{{Environment: e.Environment, Data: e.Data, at: e.environmentAt, dataAt: e.dataAt}}
	}
	if len(list) > maxEnvironments {
		return nil, fmt.Errorf("more than %d environments", maxEnvironments)
	}
	defaults := make([]any, len(list))
	for i, v := range list {
		kind, err := v.check(c, list[:i], len(e.Environments) > 0)
		if err != nil {
			return nil, v.at.Wrap(err)
		}
		defaults[i] = kind.defaults
	}
	for _, v := range e.leftOut {
		if kind, err := v.check(c, nil, false); err == nil {
			defaults = append(defaults, kind.defaults)
		}
	}
	isEnvironment := func(s Setting) bool { return s.scope() == scopeEnvironment }
	others := slices.DeleteFunc(slices.Clone(e.Settings), isEnvironment)
	shared := slices.DeleteFunc(slices.Clone(e.Settings), func(s Setting) bool { return !isEnvironment(s) })
	claimed, err := claim(shared, "environment", defaults, len(list))
	if err != nil {
		return nil, err
	}
	var parts []Experiment
	for i, v := range list {
		one := e
		one.Environments = []EnvironmentVariant{v}
		if one.Thresholds, err = e.thresholdsOn(v.Name); err != nil {
			return nil, err
		}
		one.Settings = slices.Concat(scoped(scopeEnvironment, v.Settings), claimed[i], scoped(scopeProtocol, v.Protocol), others)
		parts = append(parts, one)
	}
	return parts, nil
}

// check returns the kind of v. If several is true, the name of v must be valid and differ from the names in earlier.
func (v EnvironmentVariant) check(c *Catalog, earlier []EnvironmentVariant, several bool) (*kind[openWorld], error) {
	if several {
		if err := checkVariantName(v.Name); err != nil {
			return nil, fmt.Errorf("environment: %w", err)
		}
		if slices.Contains(environmentNames(earlier), v.Name) {
			return nil, fmt.Errorf("environment %s is named twice: give one another name, as in {environment: %s, name: …}", v.Name, v.Environment)
		}
	}
	kind, err := c.environmentOf(v)
	if err == nil && kind == nil {
		err = unknown("environment", v.Environment, names(c.Environments()))
	}
	return kind, err
}

// open opens the environment with its data.
func (v EnvironmentVariant) open(ctx context.Context, c *Catalog, settings []Setting) (opened PlannedEnvironment, err error) {
	kind, err := v.check(c, nil, false)
	if err != nil {
		return opened, v.at.Wrap(err)
	}
	err = trySettings(settings, func(some []Setting) error {
		all, options, open, err := kind.resolve(kind.defaults, some)
		if err != nil {
			return err
		}
		world, err := open(ctx, v.Data)
		if err == nil {
			opened, err = identify(v.Environment, options, all, world)
		}
		return err
	})
	if errors.As(err, new(*datasets.DataError)) {
		err = v.dataAt.Wrap(err)
	}
	return opened, err
}

// split splits a term of a threshold, such as "LinUCB on wheel", into policy and environment ("" if it names none).
func (e *Experiment) split(term string) (policy, environment string) {
	policy = term
	for _, v := range e.Environments {
		if p, ok := strings.CutSuffix(term, " on "+v.Name); ok && len(v.Name) > len(environment) {
			policy, environment = p, v.Name
		}
	}
	return policy, environment
}

// thresholdsOn returns the thresholds that name the given environment or no environment, with Environment set to it.
func (e *Experiment) thresholdsOn(name string) (list []compare.Threshold, err error) {
	for _, t := range e.Thresholds {
		t.Terms = slices.Clone(t.Terms)
		var named string
		for i, term := range t.Terms {
			var on string
			t.Terms[i].Policy, on = e.split(term.Policy)
			if i > 0 && on != named {
				return nil, t.Place.Wrap(fmt.Errorf("threshold %s: a difference is of two policies on the same environment: want that of both or of none", t.Text))
			}
			named = on
		}
		if t.Environment = name; named == "" || named == name {
			list = append(list, t)
		}
	}
	return list, nil
}

// Open opens an environment with its data. All settings must have the scope "environment".
func (c *Catalog) Open(ctx context.Context, environment, data string, settings []Setting) (PlannedEnvironment, bandit.Spec, error) {
	if err := onlyScope(scopeEnvironment, settings); err != nil {
		return PlannedEnvironment{}, bandit.Spec{}, err
	}
	opened, err := EnvironmentVariant{Environment: environment, Data: data}.open(ctx, c, settings)
	return opened, opened.spec, err
}

// onlyScope returns an error unless all settings have the given scope.
func onlyScope(scope string, settings []Setting) error {
	for _, s := range settings {
		if s.scope() != scope {
			return s.wrong(unknown("scope here", s.scope(), []string{scope}))
		}
	}
	return nil
}

// EnvironmentOf returns the name of the environment that recognizes a source of data as its own, or "".
func (c *Catalog) EnvironmentOf(data string) string {
	for _, k := range c.environments {
		if k.takes != nil && k.takes(data) {
			return k.Name
		}
	}
	return ""
}

// World opens the environment of a recorded trial with the recorded options, and data from the given source. It returns
// an error if the hash of the data is not the recorded one.
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

// NewPosterior returns the constructor of the named posterior with settings, whose keys have the scope "model".
func (c *Catalog) NewPosterior(name string, settings []Setting) (func(posterior.Setup) (posterior.Posterior, error), error) {
	k := find(c.posteriors, name)
	if k == nil {
		return nil, unknown("posterior", name, names(c.Posteriors()))
	}
	if err := onlyScope(scopeModel, settings); err != nil {
		return nil, err
	}
	_, _, build, err := k.resolve(k.defaults, settings)
	return build, err
}

// Randomizers returns the names of the policies that are a bandit.Randomizer with their default options.
func (c *Catalog) Randomizers() (list []string) {
	setup := policy.Setup{Spec: bandit.Spec{Dim: 1, Arms: []string{"a", "b"}, UniformRegret: math.NaN()}, Protocol: bandit.Protocol{Rounds: 1, Pulls: 1}, Stream: stream.Root(0)}
	for _, k := range c.policies {
		p, err := k.with(k.defaults)(setup)
		if _, ok := p.(bandit.Randomizer); ok && err == nil {
			list = append(list, k.Name)
		}
	}
	return list
}
