package harness

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/posterior"
	"banditsim/results"
)

// An Experiment says what to run. It becomes a Plan by Resolve.
type Experiment struct {
	Name        string
	Doc         string            // a line about it, for lists
	Environment string            // a name in the catalog
	Profile     posterior.Profile // which defaults the policies take
	Protocol    bandit.Protocol
	Policies    []string // names in the catalog
	Seeds       []uint64
	Settings    []Setting // changes of options, in order
	Data        string    // where the environment takes its data from
}

func (e Experiment) clone() Experiment {
	e.Policies = slices.Clone(e.Policies)
	e.Seeds = slices.Clone(e.Seeds)
	e.Settings = slices.Clone(e.Settings)
	return e
}

// A Plan is an experiment with every name looked up, every option resolved and
// the data at hand: a list of trials that can be run.
type Plan struct {
	Name     string
	World    *World
	Protocol bandit.Protocol
	Trials   []Trial // seed by seed, so that an interrupted run can be compared
}

// A DataError is why an environment's data could not be had: the experiment may
// be right all the same. Environments return it from their open function.
type DataError struct{ Err error }

func (e *DataError) Error() string { return e.Err.Error() }
func (e *DataError) Unwrap() error { return e.Err }

// A Trial is one cell of the grid.
type Trial struct {
	results.Identity
	newPolicy func(PolicySetup) (bandit.Policy, error)
	world     *World
}

// Resolve looks up and checks everything that an experiment names: what can go
// wrong before the first pull goes wrong here.
func (e Experiment) Resolve(ctx context.Context, c *Catalog) (*Plan, error) {
	if len(e.Seeds) == 0 || len(e.Policies) == 0 {
		return nil, errors.New("an experiment needs at least one seed and one policy")
	}
	seen := map[uint64]bool{}
	for _, seed := range e.Seeds {
		if seen[seed] {
			return nil, fmt.Errorf("seed %d occurs twice", seed)
		}
		seen[seed] = true
	}
	settings, err := e.sortSettings()
	if err != nil {
		return nil, err
	}
	protocol, err := e.resolveProtocol(settings[protocolScope])
	if err != nil {
		return nil, err
	}
	policies, err := e.resolvePolicies(c, settings)
	if err != nil {
		return nil, err
	}
	world, environment, err := e.openWorld(ctx, c, settings[environmentScope])
	if err != nil {
		return nil, err
	}
	plan := &Plan{Name: e.Name, World: world, Protocol: protocol}
	for _, seed := range e.Seeds {
		for _, p := range policies {
			plan.Trials = append(plan.Trials, Trial{
				Identity: results.Identity{
					Epoch:       results.Epoch,
					Policy:      results.Policy{Name: p.Name, Options: p.options},
					Environment: environment,
					Protocol:    protocol,
					Seed:        seed,
				},
				newPolicy: p.new,
				world:     world,
			})
		}
	}
	return plan, plan.tryPolicies(len(policies))
}

// sortSettings groups the settings by scope and refuses unknown scopes.
func (e Experiment) sortSettings() (map[string][]Setting, error) {
	scopes := append([]string{protocolScope, environmentScope, allScope}, e.Policies...)
	byScope := map[string][]Setting{}
	for _, s := range e.Settings {
		scope, _ := s.split()
		if !slices.Contains(scopes, scope) {
			return nil, fmt.Errorf("--set %s: %w", s, unknown("policy in this experiment or scope", scope, scopes))
		}
		byScope[scope] = append(byScope[scope], s)
	}
	return byScope, nil
}

func (e Experiment) resolveProtocol(settings []Setting) (bandit.Protocol, error) {
	raw, err := json.Marshal(e.Protocol)
	if err != nil {
		return bandit.Protocol{}, err
	}
	for _, s := range settings {
		_, path := s.split()
		if raw, err = apply(raw, s, path); err != nil {
			return bandit.Protocol{}, err
		}
		var p bandit.Protocol
		if err := decodeStrict(raw, &p); err != nil {
			return bandit.Protocol{}, illTyped(s, err)
		}
	}
	var p bandit.Protocol
	if err := decodeStrict(raw, &p); err != nil {
		return bandit.Protocol{}, err
	}
	return p, p.Validate()
}

// illTyped turns the JSON decoder's complaint about a value into one about the
// setting that it came from.
func illTyped(s Setting, err error) error {
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		want := wrong.Type.String()
		switch want {
		case "int", "int64":
			want = "a whole number"
		case "uint64":
			want = "a whole number of at least 0"
		}
		return fmt.Errorf("--set %s: %q is not %s", s, s.Value, want)
	}
	return fmt.Errorf("--set %s: %w", s, err)
}

// A resolvedPolicy is a policy with its options.
type resolvedPolicy struct {
	*policyEntry
	options json.RawMessage
}

func (p resolvedPolicy) new(setup PolicySetup) (bandit.Policy, error) {
	return p.build(p.options, setup)
}

func (e Experiment) resolvePolicies(c *Catalog, settings map[string][]Setting) ([]resolvedPolicy, error) {
	var list []resolvedPolicy
	used := make([]bool, len(settings[allScope]))
	for i, name := range e.Policies {
		if slices.Contains(e.Policies[:i], name) {
			return nil, fmt.Errorf("policy %s is named twice", name)
		}
		entry := c.policy(name)
		if entry == nil {
			return nil, unknown("policy", name, names(c.Policies()))
		}
		options, err := entry.defaults(e.Profile)
		if err != nil {
			return nil, fmt.Errorf("policy %s: options: %w", name, err)
		}
		for k, s := range settings[allScope] {
			changed, err := entry.set(options, s)
			switch {
			case errors.Is(err, errUnknownKey):
				continue // this policy has no such option
			case err != nil:
				return nil, err
			}
			options, used[k] = changed, true
		}
		for _, s := range settings[name] {
			if options, err = entry.set(options, s); err != nil {
				return nil, err
			}
		}
		if options, err = entry.normalize(options); err != nil {
			return nil, fmt.Errorf("policy %s: options: %w", name, err)
		}
		list = append(list, resolvedPolicy{entry, options})
	}
	for k, s := range settings[allScope] {
		if !used[k] {
			return nil, fmt.Errorf("--set %s: no policy of this experiment has such an option", s)
		}
	}
	return list, nil
}

// set applies one setting and checks its type.
func (p *policyEntry) set(options json.RawMessage, s Setting) (json.RawMessage, error) {
	_, path := s.split()
	changed, err := applyPolicy(options, s, path)
	if err != nil {
		return nil, err
	}
	if _, err := p.normalize(changed); err != nil {
		return nil, illTyped(s, err)
	}
	return changed, nil
}

func (e Experiment) openWorld(ctx context.Context, c *Catalog, settings []Setting) (*World, results.Environment, error) {
	none := results.Environment{}
	entry := c.environment(e.Environment)
	if entry == nil {
		return nil, none, unknown("environment", e.Environment, names(c.Environments()))
	}
	options := entry.defaults
	var err error
	for _, s := range settings {
		_, path := s.split()
		if options, err = apply(options, s, path); err != nil {
			return nil, none, err
		}
		if _, err = entry.normalize(options); err != nil {
			return nil, none, illTyped(s, err)
		}
	}
	if options, err = entry.normalize(options); err != nil {
		return nil, none, fmt.Errorf("environment %s: options: %w", e.Environment, err)
	}
	world, err := entry.open(ctx, options, e.Data)
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

// tryPolicies builds the first n trials' policies once, so that bad options are
// refused before anything runs.
func (p *Plan) tryPolicies(n int) error {
	for _, t := range p.Trials[:n] {
		if _, _, err := t.start(nil); err != nil {
			return err
		}
	}
	return nil
}

// start builds the environment and the policy of a trial, on the streams that
// its seed and the roles decide.
func (t Trial) start(parallel posterior.Parallel) (bandit.Environment, bandit.Policy, error) {
	root := stream.Root(t.Seed)
	env, err := t.world.New(root.Child("environment"))
	if err != nil {
		return nil, nil, err
	}
	policy, err := t.newPolicy(PolicySetup{Spec: env.Spec(), Protocol: t.Protocol, Stream: root.Child("policy"), Parallel: parallel})
	if err != nil {
		return nil, nil, fmt.Errorf("policy %s: %w", t.Policy.Name, err)
	}
	return env, policy, nil
}

// Shard keeps every n-th trial, beginning with the i-th; i counts from 1. A
// part without a trial is an error.
func (p *Plan) Shard(i, n int) error {
	switch all := len(p.Trials); {
	case n < 1 || i < 1 || i > n:
		return fmt.Errorf("shard %d/%d: want i/n with 1 ≤ i ≤ n", i, n)
	case i > all:
		return fmt.Errorf("shard %d/%d: nothing is left for it: there are %d trials; want at most %d parts", i, n, all, all)
	}
	var mine []Trial
	for k, t := range p.Trials {
		if k%n == i-1 {
			mine = append(mine, t)
		}
	}
	p.Trials = mine
	return nil
}
