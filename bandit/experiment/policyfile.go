package experiment

import (
	"errors"
	"fmt"

	"banditsim/internal/nearest"
	"banditsim/internal/place"
	"banditsim/internal/yamltree"
)

// policies reads the policies of an experiment file: names, and mappings that give a policy
// another name, options or a sweep.
func (r *fileReader) policies(n *yamltree.Node) error {
	if err := n.Must("policies", yamltree.List); err != nil {
		return err
	}
	if len(n.Items) == 0 {
		return n.Wrap(errors.New("policies: the list is empty"))
	}
	r.e.Policies, r.e.Variants = nil, nil
	seen := map[string]bool{}
	for _, item := range n.Items {
		variants, err := r.policy(item)
		if err != nil {
			return err
		}
		for _, v := range variants {
			if seen[v.Name] {
				return v.at.Wrap(fmt.Errorf("policy %s is named twice: give one another name, as in {policy: %s, name: …}", v.Name, v.Policy))
			}
			seen[v.Name] = true
			r.e.Policies = append(r.e.Policies, v.Name)
		}
		if r.e.Variants = append(r.e.Variants, variants...); len(r.e.Variants) > maxVariants {
			return item.Wrap(fmt.Errorf("more than %d policies", maxVariants))
		}
	}
	return nil
}

func (r *fileReader) policy(n *yamltree.Node) ([]Variant, error) {
	if err := n.Must("a policy", yamltree.Scalar, yamltree.Mapping); err != nil {
		return nil, err
	}
	v := Variant{at: n.Place}
	if n.Kind == yamltree.Scalar {
		v.Name, v.Policy = n.Text, n.Text
		return []Variant{v}, r.checkPolicy(n, v)
	}
	var axes []sweepAxis
	keys := []yamltree.Key{
		{"policy", func(n *yamltree.Node) (err error) {
			if v.Policy, err = n.Scalar("policy"); err != nil {
				return err
			}
			v.Name, v.at = v.Policy, n.Place
			return r.checkPolicy(n, v)
		}},
		{"name", func(n *yamltree.Node) (err error) {
			v.Name, err = n.Scalar("name")
			v.at = n.Place
			return err
		}},
		{"set", func(n *yamltree.Node) (err error) {
			v.Settings, err = readSettings(n, "set", false, noMapping)
			return err
		}},
		{"sweep", func(n *yamltree.Node) (err error) {
			axes, err = readSweep(n)
			return err
		}},
	}
	if err := nameAsKey(n, "policy", names(r.catalog.Policies())); err != nil {
		return nil, err
	}
	var err error
	if n.Get("command") != nil {
		if err = pluginPolicy(n, &v); err == nil {
			err = n.ReadSomeKeys(keys[2:])
		}
	} else {
		err = n.ReadKeys("a policy", keys)
	}
	if err != nil {
		return nil, err
	}
	if v.Policy == "" {
		return nil, n.Wrap(errors.New("policy is missing: want {policy: …} with any of name, set and sweep"))
	}
	if err := r.catalog.checkVariant(v); err != nil {
		return nil, v.at.Wrap(err)
	}
	if axes == nil {
		return []Variant{v}, nil
	}
	for _, axis := range axes {
		for _, s := range v.Settings {
			if s.Key == axis.key {
				return nil, axis.Wrap(fmt.Errorf("%s is swept here and set in %s", s.Key, s.keyAt))
			}
		}
	}
	v.family = v.Name
	return expand(v, axes)
}

// nameAsKey returns an error if an item of a list has a known name, or nearly so, where its keys are, as in
// {LinUCB: {alpha: 2}}, and not a key of that name.
func nameAsKey(n *yamltree.Node, what string, known []string) error {
	if n.Get(what) != nil || n.Get("name") != nil {
		return nil
	}
	for _, f := range n.Fields {
		if name := nearest.Name(f.Name, known); name != "" {
			return f.Wrap(fmt.Errorf("%q is not a key of an item: write the name %s alone, or {%s: %s, set: {…}} to change its options", f.Name, name, what, name))
		}
	}
	return nil
}

// checkPolicy returns an error if no policy is registered under the variant's.
func (r *fileReader) checkPolicy(n *yamltree.Node, v Variant) error {
	if find(r.catalog.policies, v.Policy) == nil {
		return n.Wrap(unknown("policy", v.Policy, names(r.catalog.Policies())))
	}
	return nil
}

// readSweep reads a mapping of options to lists of values.
func readSweep(n *yamltree.Node) ([]sweepAxis, error) {
	if err := n.Must("sweep", yamltree.Mapping); err != nil {
		return nil, err
	}
	var axes []sweepAxis
	err := eachKey(n, "", false, noMapping, func(at place.Place, key string, n *yamltree.Node) error {
		if err := n.Must("sweep: "+key, yamltree.List); err != nil {
			return err
		}
		if len(n.Items) == 0 {
			return n.Wrap(fmt.Errorf("sweep: %s has no values", key))
		}
		axis := sweepAxis{Place: at, key: key}
		for _, item := range n.Items {
			value, err := valueText(item, "a value of "+key)
			if err != nil {
				return err
			}
			axis.values = append(axis.values, Setting{Key: key, Value: value, keyAt: at, valueAt: item.Place})
		}
		axes = append(axes, axis)
		return nil
	})
	var swept []Setting
	for _, axis := range axes {
		swept = append(swept, axis.values[0])
	}
	if err == nil {
		err = checkTwice(swept)
	}
	if err == nil && len(axes) == 0 {
		err = n.Wrap(errors.New("sweep names no option"))
	}
	return axes, err
}
