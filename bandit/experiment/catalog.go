// Package experiment describes experiments: grids of policies × seeds on one environment.
//
// A Catalog lists what can be run. An Experiment selects from it; Resolve turns it into a Plan of
// cells, each with an identity that determines its numbers. Package harness runs plans.
package experiment

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"banditsim/bandit"
	"banditsim/bandit/plugin/declare"
	"banditsim/datasets"
	"banditsim/internal/nearest"
	"banditsim/internal/optiontree"
	"banditsim/internal/words"
	"banditsim/policy"
	"banditsim/posterior"
	"banditsim/posterior/neural"
	"banditsim/posterior/sgmcmc"
	"banditsim/results"
)

// A Catalog holds the environments, posteriors, samplers and policies that can be named on the
// command line and in experiments. Registering a name twice is an error. Fill it before use;
// it is then safe for concurrent reads.
type Catalog struct {
	policies     []kind[newPolicy]
	posteriors   []kind[newPosterior]
	contracts    []posterior.Subject
	samplers     []neural.Subject
	environments []kind[openWorld]
	data         []dataKind // data sources of the environments
	presets      []Experiment
	profiles     []profile
	renamed      map[string]string // see Renamed
	fieldDocs    []byte            // see DescribeFields
	starter      declare.Starter   // starts child processes; nil: they are an error
}

// What the options of a policy and of an environment make.
type (
	newPolicy = func(policy.Setup) (bandit.Policy, error)
	openWorld = func(ctx context.Context, data string) (*datasets.World, error)
	// newPosterior is what the options of a posterior make.
	newPosterior = func(posterior.Setup) (posterior.Posterior, error)
)

// A dataKind holds the functions of an environment's data; each may be nil.
type dataKind struct {
	takes func(data string) bool
	rows  func(context.Context, results.Environment) (*datasets.Rows, error)
}

// AddPolicy registers a policy.
func AddPolicy[O any](c *Catalog, k policy.Kind[O]) error {
	return c.addPolicy(policyKind(k))
}

func (c *Catalog) addPolicy(p *kind[newPolicy], err error) error {
	if err := cmp.Or(checkRegistered(p.Name), err); err != nil {
		return err
	}
	switch {
	case slices.Contains(reservedNames(), p.Name):
		return fmt.Errorf("experiment: register: the name %q is reserved: it has another meaning in --set", p.Name)
	case find(c.policies, p.Name) != nil:
		return fmt.Errorf("experiment: register: there is a policy %q already", p.Name)
	}
	c.policies = append(c.policies, *p)
	return nil
}

// AddPosterior registers a posterior with the policies that do Thompson sampling over it; without any, with one of its own
// name. 'verify' of the lab checks its contract and its claims.
func AddPosterior[O any](c *Catalog, k posterior.Kind[O], policies ...policy.Kind[policy.ThompsonOptions[O]]) error {
	if err := checkClaims(k.Name, k.Claims); err != nil {
		return err
	}
	if len(policies) == 0 {
		policies = append(policies, policy.ThompsonKind(k))
	}
	for _, p := range policies {
		if err := AddPolicy(c, p); err != nil {
			return err
		}
	}
	build := k.New
	return c.addPosterior(k.Subject(), k.Defaults(), func(o any, s posterior.Setup) (posterior.Posterior, error) { return build(o.(O), s) })
}

// Renamed sets former names of policies, with what they are now, for the error about an unknown policy.
func (c *Catalog) Renamed(now map[string]string) error {
	c.renamed = now
	return nil
}

func checkClaims(name string, claims posterior.Claims) error {
	if claims.Rounds < 1 {
		return fmt.Errorf("experiment: register %s: Claims.Rounds is %d, want at least 1: the training rounds in which it learns", name, claims.Rounds)
	}
	return nil
}

// addPosterior adds a posterior, which construct makes of options of the type of defaults.
func (c *Catalog) addPosterior(subject posterior.Subject, defaults any, construct func(any, posterior.Setup) (posterior.Posterior, error)) error {
	p, err := newKind(subject.Name, subject.Doc, defaults, func(o any) newPosterior {
		return func(s posterior.Setup) (posterior.Posterior, error) { return construct(o, s) }
	})
	if err != nil {
		return err
	}
	c.posteriors = append(c.posteriors, p)
	c.contracts = append(c.contracts, subject)
	return nil
}

// AddEnvironment registers an environment.
func AddEnvironment[O any](c *Catalog, k datasets.Kind[O]) error {
	return c.addEnvironment(Entry{Name: k.Name, Doc: k.Doc}, func() any { return k.Defaults() }, func(ctx context.Context, o any, data string) (*datasets.World, error) {
		return k.Open(ctx, o.(O), data)
	}, dataKind{k.Takes, k.Rows})
}

// addEnvironment adds an environment, which open opens with options of the type of the defaults.
func (c *Catalog) addEnvironment(e Entry, defaults func() any, open func(ctx context.Context, options any, data string) (*datasets.World, error), d dataKind) error {
	if err := checkRegistered(e.Name); err != nil {
		return err
	}
	if find(c.environments, e.Name) != nil {
		return fmt.Errorf("experiment: register: there is an environment %q already", e.Name)
	}
	k, err := newKind(e.Name, e.Doc, defaults(), func(o any) openWorld {
		return func(ctx context.Context, data string) (*datasets.World, error) { return open(ctx, o, data) }
	})
	if err != nil {
		return err
	}
	c.environments = append(c.environments, k)
	c.data = append(c.data, d)
	return nil
}

// AddSampler registers a sampler: as a posterior over a network, with the policy of its name, and
// with its claims, which 'verify' of the lab checks.
func AddSampler[S any](c *Catalog, s neural.Sampler[S]) error {
	if err := c.addSubject(s.Subject()); err != nil {
		return err
	}
	return AddPosterior(c, s.Kind)
}

// AddMethod registers a sampler for 'verify' of the lab alone, such as one that no policy uses under
// its name.
func AddMethod[S any](c *Catalog, m sgmcmc.Method[S]) error {
	return c.addSubject(neural.Over(m).Subject())
}

func (c *Catalog) addSubject(s neural.Subject, err error) error {
	if err := checkRegistered(s.Name); err != nil {
		return err
	}
	if err != nil {
		return fmt.Errorf("experiment: register %s: %w", s.Name, err)
	}
	for _, known := range c.samplers {
		if known.Name == s.Name {
			return fmt.Errorf("experiment: register: there is a sampler %q already", s.Name)
		}
	}
	c.samplers = append(c.samplers, s)
	return nil
}

// AddPreset registers an experiment under its name.
func (c *Catalog) AddPreset(e Experiment) error {
	if err := checkRegistered(e.Name); err != nil {
		return err
	}
	if _, err := c.Preset(e.Name); err == nil {
		return fmt.Errorf("experiment: register: there is a preset %q already", e.Name)
	}
	c.presets = append(c.presets, e.clone())
	return nil
}

// Policies returns the policies.
func (c *Catalog) Policies() []Entry { return entriesOf(c.policies) }

// Posteriors returns the posteriors.
func (c *Catalog) Posteriors() []Entry { return entriesOf(c.posteriors) }

// Contracts returns the posteriors as 'verify' of the lab checks them: in their small form.
func (c *Catalog) Contracts() []posterior.Subject { return c.contracts }

// Samplers returns the samplers as 'verify' of the lab checks them.
func (c *Catalog) Samplers() []neural.Subject { return c.samplers }

// Environments returns the environments.
func (c *Catalog) Environments() []Entry { return entriesOf(c.environments) }

// Rows describes the rows of the data that recorded trials ran on. It returns nil for an
// environment that is not in the catalog or does not describe its rows.
func (c *Catalog) Rows(ctx context.Context, e results.Environment) (*datasets.Rows, error) {
	for i, k := range c.data {
		if c.environments[i].Name == e.Name && k.rows != nil {
			return k.rows(ctx, e)
		}
	}
	return nil, nil
}

// Presets returns the experiments that can be run by name, with the seeds that tuned them.
func (c *Catalog) Presets() []Entry {
	var list []Entry
	for _, p := range c.presets {
		if len(p.TunedSeeds) > 0 {
			p.Doc += " (tuned on the seeds " + words.Ranges(p.TunedSeeds) + ")"
		}
		list = append(list, Entry{Name: p.Name, Doc: p.Doc})
	}
	return list
}

// Preset returns a preset by name. The error suggests a similar name.
func (c *Catalog) Preset(name string) (Experiment, error) {
	var known []string
	for _, e := range c.presets {
		if e.Name == name {
			return e.clone(), nil
		}
		known = append(known, e.Name)
	}
	return Experiment{}, unknown("preset", name, known)
}

func names(entries []Entry) []string {
	var list []string
	for _, e := range entries {
		list = append(list, e.Name)
	}
	return list
}

// mappingOption reports whether an option of some environment takes a mapping as its value.
func (c *Catalog) mappingOption(key string) bool {
	for _, k := range c.environments {
		for _, f := range optiontree.Fields(reflect.TypeOf(k.defaults)) {
			if f.JSON == key && f.Type.Kind() == reflect.Struct && !optiontree.IsGroup(f.Type) {
				return true
			}
		}
	}
	return false
}

// scopedMapping is mappingOption of a key with a scope.
func (c *Catalog) scopedMapping(key string) bool {
	option, ok := strings.CutPrefix(key, scopeEnvironment+".")
	return ok && c.mappingOption(option)
}

// unknown returns the error for a name that is not in a list.
func unknown(kind, name string, known []string) error {
	return nearest.Unknown("there is no "+kind, name, known)
}

// families are words of the field, with the policies that they may mean.
var families = []struct {
	word     string
	policies []string
}{
	{"thompson", []string{"LinTS", "NeuralTS", "BetaTS"}},
	{"ucb", []string{"LinUCB", "NeuralUCB", "UCB1"}},
	{"greedy", []string{"EpsGreedy", "LinEpsGreedy"}},
}

// unknownPolicy returns the error for the name of a policy that is not in a list. Without a similar name it suggests those of
// a family, and a plugin.
func (c *Catalog) unknownPolicy(name string, known []string) error {
	if now, ok := c.renamed[name]; ok {
		return fmt.Errorf("there is no policy %q: it is %s", name, now)
	}
	if nearest.Name(name, known) != "" {
		return unknown("policy", name, known)
	}
	hint := ""
	for _, f := range families {
		missing := func(policy string) bool { return !slices.Contains(known, policy) }
		if meant := slices.DeleteFunc(slices.Clone(f.policies), missing); len(meant) > 0 && strings.Contains(strings.ToLower(name), f.word) {
			hint = "did you mean " + strings.Join(meant, ", ") + "? "
		}
	}
	return fmt.Errorf("there is no policy %q: %s'banditsim list policies' has %d, and one of your own is --plugin '%s=COMMAND'", name, hint, len(known), name)
}

// notHere returns the error for a name that is not in a list of the experiment.
func notHere(kind, name string, known []string) error {
	return nearest.Unknown("this experiment has no "+kind, name, known)
}
