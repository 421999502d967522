package experiment

import (
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
	"banditsim/internal/place"
	"banditsim/internal/words"
	"banditsim/policy"
	"banditsim/posterior"
	"banditsim/results"
	"banditsim/results/compare"
)

// An EnvironmentVariant is a registered environment under another name, with data, settings and a
// protocol of its own.
type EnvironmentVariant struct {
	Name        string    // unique in the experiment; "" of the environment of an experiment on one
	Environment string    // registered name
	Data        string    // source of its data
	Settings    []Setting // applied before those of the experiment; their keys have no scope
	Protocol    []Setting // the same for the protocol
	// Plugin declares a child process; nil: Environment is in the catalog.
	Plugin *declare.Declaration

	at, dataAt place.Place // places in a file
}

// maxEnvironments bounds the environments of an experiment.
const maxEnvironments = 1000

func environmentNames(list []EnvironmentVariant) []string {
	return each(list, func(v EnvironmentVariant) string { return v.Name })
}

// setEnvironment changes the environment. Its data and the settings of the old one are dropped.
func (e *Experiment) setEnvironment(name string) {
	e.Environment, e.Environments, e.Data = name, nil, ""
	e.environmentAt, e.dataAt = place.Place{}, place.Place{}
	e.Settings = slices.DeleteFunc(slices.Clone(e.Settings), func(s Setting) bool { return s.scope() == scopeEnvironment })
}

// SelectEnvironments keeps the named environments: those of the experiment, by their names in it. A
// name that it does not have is taken as that of a registered environment with its defaults. If that
// is the only one the experiment is on it alone. It returns the texts of thresholds that
// are left out, as they name an environment that is.
func (e *Experiment) SelectEnvironments(names []string) (dropped []string, err error) {
	if names, err = trimmed(names); err != nil {
		return nil, err
	}
	var list []EnvironmentVariant
	known := false
	own := slices.Concat(e.Environments, e.plugins)
	for _, name := range names {
		v := EnvironmentVariant{Name: name, Environment: name}
		if k := slices.Index(environmentNames(own), name); k >= 0 {
			v, known = own[k], true
		}
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
	e.Environments = list
	return dropped, nil
}

// SetData sets the source of the data: of an experiment on several environments that of one, by its name, as
// NAME=SOURCE, which the only environment of an experiment may have too.
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

// single returns the experiment on each of its environments alone, which is the only one of its Environments.
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
	isEnvironment := func(s Setting) bool { return s.scope() == scopeEnvironment }
	others := slices.DeleteFunc(slices.Clone(e.Settings), isEnvironment)
	shared := slices.DeleteFunc(slices.Clone(e.Settings), func(s Setting) bool { return !isEnvironment(s) })
	claimed, err := claim(shared, "environment", defaults)
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

// check returns the kind of an environment that follows those before it. Those of an experiment on several have names.
func (v EnvironmentVariant) check(c *Catalog, before []EnvironmentVariant, several bool) (*kind[openWorld], error) {
	if several {
		if err := checkVariantName(v.Name); err != nil {
			return nil, fmt.Errorf("environment: %w", err)
		}
		if slices.Contains(environmentNames(before), v.Name) {
			return nil, fmt.Errorf("environment %s is named twice: give one another name, as in {environment: %s, name: …}", v.Name, v.Environment)
		}
	}
	kind, err := c.environmentOf(v)
	if err == nil && kind == nil {
		err = unknown("environment", v.Environment, append(names(c.Environments()), environmentNames(before)...))
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
		options, open, err := kind.resolve(kind.defaults, some)
		if err != nil {
			return err
		}
		world, err := open(ctx, v.Data)
		if err == nil {
			opened, err = identify(v.Environment, options, world)
		}
		return err
	})
	if errors.As(err, new(*datasets.DataError)) {
		err = v.dataAt.Wrap(err)
	}
	return opened, err
}

// split returns the policy and the environment of a term, such as LinUCB on wheel; "" for an environment that it does
// not name.
func (e *Experiment) split(term string) (policy, environment string) {
	policy = term
	for _, v := range e.Environments {
		if p, ok := strings.CutSuffix(term, " on "+v.Name); ok && len(v.Name) > len(environment) {
			policy, environment = p, v.Name
		}
	}
	return policy, environment
}

// thresholdsOn returns the thresholds on one of several environments: those that name it, and those that name none,
// which hold on each.
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
	if err != nil {
		return opened, bandit.Spec{}, err
	}
	env, err := opened.World.New(stream.Root(0))
	if err != nil {
		return opened, bandit.Spec{}, err
	}
	return opened, env.Spec(), nil
}

// onlyScope returns an error for a setting of another scope.
func onlyScope(scope string, settings []Setting) error {
	for _, s := range settings {
		if s.scope() != scope {
			return s.wrong(unknown("scope here", s.scope(), []string{scope}))
		}
	}
	return nil
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

// NewPosterior returns the posterior of that name, with its settings, whose keys begin with model.
func (c *Catalog) NewPosterior(name string, settings []Setting) (func(posterior.Setup) (posterior.Posterior, error), error) {
	k := find(c.posteriors, name)
	if k == nil {
		return nil, unknown("posterior", name, names(c.Posteriors()))
	}
	if err := onlyScope(scopeModel, settings); err != nil {
		return nil, err
	}
	_, build, err := k.resolve(k.defaults, settings)
	return build, err
}

// Randomizers returns the names of the policies that know the probabilities with which they choose.
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
