package experiment

import (
	"context"
	"errors"
	"fmt"

	"banditsim/bandit/plugin/declare"
	"banditsim/datasets"
	"banditsim/policy"
)

// AddPlugin adds a child process to the experiment: as a variant that Policies and Select may name, or as an
// environment that SelectEnvironments may name.
func (e *Experiment) AddPlugin(d declare.Declaration) error {
	if variantsNamed(e.Variants, d.Name) != nil {
		return fmt.Errorf("%s: the experiment has a policy of this name: choose another", d.Name)
	}
	if err := checkVariantName(d.Name); err != nil {
		return err
	}
	*e = e.clone()
	if d.Role == declare.RoleEnvironment {
		e.plugins = append(e.plugins, EnvironmentVariant{Name: d.Name, Environment: declare.KindName, Plugin: &d})
	} else {
		e.Variants = append(e.Variants, Variant{Name: d.Name, Policy: d.KindName(), Plugin: &d})
	}
	return nil
}

// WithPlugins returns a copy of the catalog in which s, such as plugin.Processes, starts child processes.
func (c *Catalog) WithPlugins(s declare.Starter) *Catalog {
	with := *c
	with.starter = s
	return &with
}

// program returns the identity of a child process, or an error if the catalog is not the result of WithPlugins.
func (c *Catalog) program(d *declare.Declaration) (declare.Identity, error) {
	if c.starter == nil {
		return declare.Identity{}, fmt.Errorf("plugin %s: this program starts no child processes: resolve with Catalog.WithPlugins(plugin.Processes{})", d.Name)
	}
	return c.starter.Identity(*d)
}

// policyOf returns the kind of a variant, or nil if the catalog has no policy of this name.
func (c *Catalog) policyOf(v Variant) (*kind[newPolicy], error) {
	if v.Plugin == nil {
		return find(c.policies, v.Policy), nil
	}
	id, err := c.program(v.Plugin)
	if err != nil {
		return nil, v.at.Wrap(err)
	}
	if v.Plugin.Role != declare.RolePosterior {
		return policyKind(c.starter.PolicyKind(*v.Plugin, id).Entry()), nil
	}
	k := c.starter.PosteriorKind(*v.Plugin, id)
	rules := map[string]policy.Entry{
		"Thompson":          policy.SamplingKind(k).Entry(),
		"UCB":               policy.UCBKind(k, 1).Entry(),
		"EpsGreedy":         policy.EpsGreedyKind(k, 0.05).Entry(),
		"Softmax":           policy.SoftmaxKind(k, 0.1).Entry(),
		"SquareCB":          policy.SquareCBKind(k, 10).Entry(),
		"ExploreThenCommit": policy.ExploreThenCommitKind(k, 1000).Entry(),
	}
	if rule, ok := rules[v.Plugin.Rule]; ok {
		return policyKind(rule), nil
	}
	return nil, v.at.Wrap(unknown("rule", v.Plugin.Rule, declare.Rules()))
}

// environmentOf returns the kind of an environment, or nil if the catalog has none of this name.
func (c *Catalog) environmentOf(v EnvironmentVariant) (*kind[openWorld], error) {
	d := v.Plugin
	if d == nil {
		return find(c.environments, v.Environment), nil
	}
	id, err := c.program(d)
	return &kind[openWorld]{Entry: Entry{Name: declare.KindName}, defaults: id, with: func(o any) openWorld {
		return func(_ context.Context, data string) (*datasets.World, error) {
			if data != "" {
				return nil, errors.New("data: a child process has none: name them in its options")
			}
			return c.starter.Open(*d, o.(declare.Identity))
		}
	}}, err
}
