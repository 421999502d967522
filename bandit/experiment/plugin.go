package experiment

import (
	"context"
	"errors"
	"fmt"

	"banditsim/bandit"
	"banditsim/bandit/experiment/internal/naming"
	"banditsim/bandit/plugin"
	"banditsim/bandit/plugin/declare"
	"banditsim/datasets"
	"banditsim/internal/yamltree"
	"banditsim/policy"
)

// AddPlugin adds a child process: a variant that Policies or Select may name, or an environment that
// SelectEnvironments may.
func (e *Experiment) AddPlugin(d plugin.Declaration) error {
	if pick(e.Variants, d.Name) != nil {
		return fmt.Errorf("%s: the experiment has a policy of this name: choose another", d.Name)
	}
	if err := naming.Variant(d.Name, reservedScopes); err != nil {
		return err
	}
	*e = e.clone()
	if d.Role == plugin.RoleEnvironment {
		e.plugins = append(e.plugins, EnvironmentVariant{Name: d.Name, Environment: plugin.KindName, Plugin: &d})
	} else {
		e.Variants = append(e.Variants, Variant{Name: d.Name, Policy: d.KindName(), Plugin: &d})
	}
	return nil
}

// policyOf returns the kind of a variant, nil if there is none.
func (c *Catalog) policyOf(v Variant) (*kind[newPolicy], error) {
	if v.Plugin == nil {
		return find(c.policies, v.Policy), nil
	}
	id, err := v.Plugin.Identity()
	if err != nil {
		return nil, v.at.Wrap(err)
	}
	if v.Plugin.Role != plugin.RolePosterior {
		return policyKind(v.Plugin.PolicyKind(id))
	}
	k := v.Plugin.PosteriorKind(id)
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
	p, err := newKind(k.Name, k.Doc, k.Defaults(), func(o O) newPolicy {
		return func(s policy.Setup) (bandit.Policy, error) { return k.New(o, s) }
	})
	return &p, err
}

// environmentOf returns the kind of an environment, nil if there is none.
func (c *Catalog) environmentOf(name string, d *plugin.Declaration) (*kind[openWorld], error) {
	if d == nil {
		return find(c.environments, name), nil
	}
	id, err := d.Identity()
	if err != nil {
		return nil, err
	}
	k, err := newKind(plugin.KindName, "", id, func(id plugin.Identity) openWorld {
		return func(_ context.Context, data string) (*datasets.World, error) {
			if data != "" {
				return nil, errors.New("data: a child process has none: name them in its options")
			}
			return d.Open(id)
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
