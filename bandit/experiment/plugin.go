package experiment

import (
	"context"
	"errors"
	"fmt"

	"banditsim/bandit"
	"banditsim/bandit/plugin/declare"
	"banditsim/datasets"
	"banditsim/internal/yamltree"
	"banditsim/policy"
)

// AddPlugin adds a child process: a variant that Policies or Select may name, or an environment that
// SelectEnvironments may.
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

// WithPlugins returns the catalog with what starts the child processes that experiments declare: plugin.Processes.
func (c *Catalog) WithPlugins(s declare.Starter) *Catalog {
	with := *c
	with.starter = s
	return &with
}

// program returns the identity of a child process, or an error if the catalog has nothing that starts it.
func (c *Catalog) program(d *declare.Declaration) (declare.Identity, error) {
	if c.starter == nil {
		return declare.Identity{}, fmt.Errorf("plugin %s: this program starts no child processes: resolve with Catalog.WithPlugins(plugin.Processes{})", d.Name)
	}
	return c.starter.Identity(*d)
}

// policyOf returns the kind of a variant, nil if there is none.
func (c *Catalog) policyOf(v Variant) (*kind[newPolicy], error) {
	if v.Plugin == nil {
		return find(c.policies, v.Policy), nil
	}
	id, err := c.program(v.Plugin)
	if err != nil {
		return nil, v.at.Wrap(err)
	}
	if v.Plugin.Role != declare.RolePosterior {
		return policyKind(c.starter.PolicyKind(*v.Plugin, id))
	}
	k := c.starter.PosteriorKind(*v.Plugin, id)
	switch v.Plugin.Rule {
	case "Thompson":
		return policyKind(policy.SamplingKind(k))
	case "UCB":
		return policyKind(policy.UCBKind(k, 1))
	case "EpsGreedy":
		return policyKind(policy.EpsGreedyKind(k, 0.05))
	case "Softmax":
		return policyKind(policy.SoftmaxKind(k, 0.1))
	case "SquareCB":
		return policyKind(policy.SquareCBKind(k, 10))
	case "ExploreThenCommit":
		return policyKind(policy.ExploreThenCommitKind(k, 1000))
	}
	return nil, v.at.Wrap(unknown("rule", v.Plugin.Rule, declare.Rules()))
}

func policyKind[O any](k policy.Kind[O]) (*kind[newPolicy], error) {
	build := k.New
	return policyKindOf(k.Name, k.Doc, k.Defaults(), func(o any, s policy.Setup) (bandit.Policy, error) { return build(o.(O), s) })
}

func policyKindOf(name, doc string, defaults any, construct func(any, policy.Setup) (bandit.Policy, error)) (*kind[newPolicy], error) {
	p, err := newKind(name, doc, defaults, func(o any) newPolicy {
		return func(s policy.Setup) (bandit.Policy, error) { return construct(o, s) }
	})
	return &p, err
}

// environmentOf returns the kind of an environment, nil if there is none.
func (c *Catalog) environmentOf(name string, d *declare.Declaration) (*kind[openWorld], error) {
	if d == nil {
		return find(c.environments, name), nil
	}
	id, err := c.program(d)
	if err != nil {
		return nil, err
	}
	k, err := newKind(declare.KindName, "", id, func(o any) openWorld {
		return func(_ context.Context, data string) (*datasets.World, error) {
			if data != "" {
				return nil, errors.New("data: a child process has none: name them in its options")
			}
			return c.starter.Open(*d, o.(declare.Identity))
		}
	})
	return &k, err
}

// pluginPolicy reads a policy with a command.
func pluginPolicy(n *yamltree.Node, v *Variant) error {
	d, err := declare.Policy(n, "set", "sweep")
	v.Name, v.Policy, v.Plugin = d.Name, d.KindName(), &d
	return err
}
