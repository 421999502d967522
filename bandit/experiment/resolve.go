package experiment

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"banditsim/bandit"
	"banditsim/bandit/experiment/internal/kinds"
	"banditsim/bandit/experiment/internal/naming"
	"banditsim/bandit/experiment/internal/setting"
	"banditsim/datasets"
	"banditsim/internal/optiontree"
	"banditsim/internal/place"
	"banditsim/results/compare"
)

// resolvedNames is a resolved experiment without its data.
type resolvedNames struct {
	protocol    bandit.Protocol
	policies    []resolvedPolicy
	environment []Setting
	thresholds  []compare.Threshold
}

// resolveNames looks up names and resolves options.
func (e Experiment) resolveNames(c *Catalog) (resolvedNames, error) {
	var r resolvedNames
	variants, err := e.chosen()
	if err != nil {
		return r, err
	}
	if err := e.checkSeeds(len(variants)); err != nil {
		return r, err
	}
	settings, err := e.sortSettings(variants)
	if err != nil {
		return r, err
	}
	r.environment = settings[setting.Environment]
	if r.protocol, err = e.resolveProtocol(settings[setting.Protocol]); err != nil {
		return r, err
	}
	if r.policies, err = e.resolvePolicies(c, variants, settings); err != nil {
		return r, err
	}
	if err := e.checkFigure(c, r.policies, r.protocol); err != nil {
		return r, err
	}
	for _, t := range e.Thresholds {
		resolved, err := t.resolve(r.policies, r.protocol)
		if err != nil {
			return r, err
		}
		r.thresholds = append(r.thresholds, resolved...)
	}
	return r, nil
}

// sortSettings returns the settings by scope: those of policies by the names of the chosen
// variants. An unknown scope is an error.
func (e Experiment) sortSettings(chosen []Variant) (map[string][]Setting, error) {
	sorted := map[string][]Setting{}
	for _, s := range e.Settings {
		scope := s.Scope()
		scopes := []string{setting.Protocol, setting.Environment, setting.All}
		if !slices.Contains(scopes, scope) {
			named := variantNames(variantsNamed(slices.Concat(e.Variants, chosen), scope))
			all := variantNames(chosen)
			for _, name := range all {
				scopes = append(scopes, setting.Quote(name))
				if slices.Contains(named, name) {
					sorted[name] = append(sorted[name], s)
				}
			}
			if !slices.ContainsFunc(all, func(name string) bool { return slices.Contains(named, name) }) {
				return nil, s.Wrong(notHere("policy or scope", scope, scopes))
			}
			continue
		}
		sorted[scope] = append(sorted[scope], s)
	}
	return sorted, nil
}

func (e Experiment) resolveProtocol(settings []Setting) (p bandit.Protocol, err error) {
	k, err := kinds.New("protocol", "", e.Protocol, func(o any) bandit.Protocol { return o.(bandit.Protocol) })
	if err != nil {
		return p, err
	}
	err = trySettings(settings, func(some []Setting) error {
		options, err := k.Resolve(k.Defaults, some)
		if err == nil {
			p, err = k.With(options)
		}
		if err == nil {
			err = p.Validate()
		}
		return err
	})
	return p, err
}

// trySettings tries settings, which are applied in order. If that fails, the error names the last
// setting without which it does not; if there is none, the one whose option the error names, or the first from which on
// it fails. Data that cannot be had are not the fault of a setting.
func trySettings(settings []Setting, try func([]Setting) error) error {
	err := try(settings)
	var missing *datasets.DataError
	var named setting.Error
	var placed *place.Error
	if err == nil || errors.As(err, &missing) || errors.As(err, &named) || errors.As(err, &placed) {
		return err
	}
	for i, s := range slices.Backward(settings) {
		if try(slices.Concat(settings[:i], settings[i+1:])) == nil {
			return s.Wrong(optiontree.ValueError{Err: err})
		}
	}
	for _, s := range slices.Backward(settings) {
		if s.IsNamedIn(err) {
			return s.Wrong(optiontree.ValueError{Err: err})
		}
	}
	wrong := err // first error of the settings up to and including s
	for i, s := range slices.Backward(settings) {
		before := try(settings[:i])
		if before == nil {
			return s.Wrong(optiontree.ValueError{Err: wrong})
		}
		wrong = before
	}
	return err
}

// A resolvedPolicy is a variant with its options.
type resolvedPolicy struct {
	Variant
	kind     *kinds.Kind[newPolicy]
	defaults json.RawMessage
	settings []Setting // applied to the defaults, in order
	options  json.RawMessage
	new      newPolicy
}

func (e Experiment) resolvePolicies(c *Catalog, variants []Variant, settings map[string][]Setting) ([]resolvedPolicy, error) {
	var list []resolvedPolicy
	used := make([]bool, len(settings[setting.All]))
	same := map[string]string{} // name by policy and options
	for _, v := range variants {
		p, err := e.resolvePolicy(c, v, settings, used)
		if err != nil {
			return nil, err
		}
		is := v.Policy + string(p.options)
		if other, ok := same[is]; ok {
			return nil, v.at.Wrap(fmt.Errorf("%s and %s are the same: %s with equal options", other, v.Name, v.Policy))
		}
		same[is] = v.Name
		list = append(list, p)
	}
	for k, s := range settings[setting.All] {
		if !used[k] {
			return nil, s.Wrong(unclaimed(s, list))
		}
	}
	return list, checkUsed(list)
}

// checkUsed returns an error for a setting of one policy, not of `all.`, that has no effect on any of its
// variants, neither beside their options nor beside the defaults.
func checkUsed(policies []resolvedPolicy) error {
	effective := map[Setting]bool{} // keys lack the scope, which a sweep changes
	errs := map[Setting]error{}
	var order []Setting
	for _, p := range policies {
		defaults := p.kind.Unused(p.defaults)
		unused := slices.DeleteFunc(p.kind.Unused(p.options), func(path string) bool { return !slices.Contains(defaults, path) })
		for _, s := range p.settings {
			scope, path := s.Split()
			if scope == setting.All || s.General {
				continue
			}
			if err := optiontree.CheckUsed(p.defaults, path, unused); err == nil {
				effective[s.Unscoped()] = true
			} else if errs[s.Unscoped()] == nil {
				errs[s.Unscoped()], order = s.Wrong(err), append(order, s.Unscoped())
			}
		}
	}
	for _, s := range order {
		if !effective[s] {
			return errs[s]
		}
	}
	return nil
}

// unclaimed returns the error for an `all.` setting that matches no policy's options.
func unclaimed(s Setting, policies []resolvedPolicy) error {
	_, path := s.Split()
	known := map[string]any{}
	for _, p := range policies {
		tree, _ := optiontree.Tree(p.defaults) // decoded before
		maps.Copy(known, tree)
		if inner, ok := tree[optiontree.Posterior].(map[string]any); ok {
			maps.Copy(known, inner)
		}
	}
	if _, ok := known[path[0]]; !ok {
		return fmt.Errorf("no policy of this experiment has this option: %w", optiontree.UnknownKey(path[0], nil, optiontree.Keys(known)))
	}
	return fmt.Errorf("no policy of this experiment has an option %s", strings.Join(path, "."))
}

// resolvePolicy applies to the defaults the `all.` settings, then the variant's own, then the
// experiment's for this variant. It marks the `all.` settings that it uses.
func (e Experiment) resolvePolicy(c *Catalog, v Variant, settings map[string][]Setting, used []bool) (resolvedPolicy, error) {
	p := resolvedPolicy{Variant: v}
	var err error
	if p.kind, err = c.policyOf(v); err != nil {
		return p, err
	}
	if p.kind == nil {
		known := names(c.Policies())
		for _, name := range variantNames(e.Variants) {
			if !slices.Contains(known, name) {
				known = append(known, name)
			}
		}
		return p, v.at.Wrap(unknownPolicy(v.Policy, known))
	}
	if err := c.checkVariant(v); err != nil {
		return p, v.at.Wrap(err)
	}
	if p.defaults, err = c.profileDefaults(e.Profile, p.kind); err != nil {
		return p, err
	}
	for k, s := range settings[setting.All] {
		if _, err := p.kind.Set(p.defaults, s); errors.Is(err, optiontree.ErrUnknownKey) {
			continue // this policy has no such option
		}
		used[k] = true
		p.settings = append(p.settings, s)
	}
	for _, s := range v.Settings {
		s.Key = setting.Quote(v.Name) + "." + s.Key
		p.settings = append(p.settings, s)
	}
	p.settings = append(p.settings, settings[v.Name]...)
	if p.options, err = p.kind.Resolve(p.defaults, p.settings); err == nil {
		p.new, err = p.kind.With(p.options)
	}
	return p, err
}

// checkVariant returns an error if the name of the variant is not allowed.
func (c *Catalog) checkVariant(v Variant) error {
	if v.Name == v.Policy {
		return nil
	}
	if kinds.Find(c.policies, v.Name) != nil {
		return fmt.Errorf("%s is a registered policy: give the variant of %s another name", v.Name, v.Policy)
	}
	return naming.Variant(v.Name, setting.Reserved())
}

// try builds the policy once for a cell, so that wrong options are found before anything runs.
func (p resolvedPolicy) try(c Cell) (built bandit.Policy, err error) {
	err = trySettings(p.settings, func(some []Setting) error {
		options, err := p.kind.Resolve(p.defaults, some)
		if err != nil {
			return err
		}
		if c.NewPolicy, err = p.kind.With(options); err == nil {
			_, built, err = c.NewTrial(nil, nil)
		}
		return err
	})
	return built, err
}
