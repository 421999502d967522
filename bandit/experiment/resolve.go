package experiment

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"banditsim/bandit"
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
	r.environment = settings[scopeEnvironment]
	if r.protocol, err = e.resolveProtocol(settings[scopeProtocol]); err != nil {
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
		scope := s.scope()
		scopes := []string{scopeProtocol, scopeEnvironment, scopeAll}
		if !slices.Contains(scopes, scope) {
			named := variantNames(variantsNamed(slices.Concat(e.Variants, chosen), scope))
			all := variantNames(chosen)
			for _, name := range all {
				scopes = append(scopes, quoteScope(name))
				if slices.Contains(named, name) {
					sorted[name] = append(sorted[name], s)
				}
			}
			if !slices.ContainsFunc(all, func(name string) bool { return slices.Contains(named, name) }) {
				return nil, s.wrong(notHere("policy or scope", scope, scopes))
			}
			continue
		}
		sorted[scope] = append(sorted[scope], s)
	}
	return sorted, nil
}

func (e Experiment) resolveProtocol(settings []Setting) (p bandit.Protocol, err error) {
	k, err := newKind("protocol", "", e.Protocol, func(o any) bandit.Protocol { return o.(bandit.Protocol) })
	if err != nil {
		return p, err
	}
	err = trySettings(settings, func(some []Setting) error {
		var err error
		if _, p, err = k.resolve(k.defaults, some); err == nil {
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
	var named settingError
	var placed *place.Error
	if err == nil || errors.As(err, &missing) || errors.As(err, &named) || errors.As(err, &placed) {
		return err
	}
	for i, s := range slices.Backward(settings) {
		if try(slices.Concat(settings[:i], settings[i+1:])) == nil {
			return s.wrong(optiontree.ValueError{Err: err})
		}
	}
	for _, s := range slices.Backward(settings) {
		if s.isNamedIn(err) {
			return s.wrong(optiontree.ValueError{Err: err})
		}
	}
	wrong := err // first error of the settings up to and including s
	for i, s := range slices.Backward(settings) {
		before := try(settings[:i])
		if before == nil {
			return s.wrong(optiontree.ValueError{Err: wrong})
		}
		wrong = before
	}
	return err
}

// A resolvedPolicy is a variant with its options.
type resolvedPolicy struct {
	Variant
	kind     *kind[newPolicy]
	defaults any
	settings []Setting // applied to the defaults, in order
	options  json.RawMessage
	new      newPolicy
}

func (e Experiment) resolvePolicies(c *Catalog, variants []Variant, settings map[string][]Setting) ([]resolvedPolicy, error) {
	var list []resolvedPolicy
	used := make([]bool, len(settings[scopeAll]))
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
	for k, s := range settings[scopeAll] {
		if !used[k] {
			return nil, s.wrong(unclaimed(s, list))
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
		set, err := p.kind.set(p.defaults, p.settings...)
		if err != nil {
			return err
		}
		defaults := optiontree.Unused(p.defaults)
		unused := slices.DeleteFunc(optiontree.Unused(set), func(path string) bool { return !slices.Contains(defaults, path) })
		for _, s := range p.settings {
			scope, path := s.split()
			if scope == scopeAll || s.general {
				continue
			}
			if err := optiontree.CheckUsed(p.defaults, path, unused); err == nil {
				effective[s.unscoped()] = true
			} else if errs[s.unscoped()] == nil {
				errs[s.unscoped()], order = s.wrong(err), append(order, s.unscoped())
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
	_, path := s.split()
	var known []string
	for _, p := range policies {
		known = append(known, optiontree.Known(p.defaults)...)
	}
	slices.Sort(known)
	if known = slices.Compact(known); !slices.Contains(known, path[0]) {
		return fmt.Errorf("no policy of this experiment has this option: %w", optiontree.UnknownKey(path[0], nil, known))
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
		return p, v.at.Wrap(c.unknownPolicy(v.Policy, known))
	}
	if err := c.checkVariant(v); err != nil {
		return p, v.at.Wrap(err)
	}
	if p.defaults, err = c.profileDefaults(e.Profile, p.kind); err != nil {
		return p, err
	}
	for k, s := range settings[scopeAll] {
		if _, err := p.kind.set(p.defaults, s); errors.Is(err, optiontree.ErrUnknownKey) {
			continue // this policy has no such option
		}
		used[k] = true
		p.settings = append(p.settings, s)
	}
	for _, s := range v.Settings {
		s.Key = quoteScope(v.Name) + "." + s.Key
		p.settings = append(p.settings, s)
	}
	p.settings = append(p.settings, settings[v.Name]...)
	p.options, p.new, err = p.kind.resolve(p.defaults, p.settings)
	return p, err
}

// checkVariant returns an error if the name of the variant is not allowed.
func (c *Catalog) checkVariant(v Variant) error {
	if v.Name == v.Policy {
		return nil
	}
	if find(c.policies, v.Name) != nil {
		return fmt.Errorf("%s is a registered policy: give the variant of %s another name", v.Name, v.Policy)
	}
	return checkVariantName(v.Name)
}

// try builds the policy once for a cell, so that wrong options are found before anything runs.
func (p resolvedPolicy) try(c Cell) (built bandit.Policy, err error) {
	err = trySettings(p.settings, func(some []Setting) error {
		var err error
		if _, c.NewPolicy, err = p.kind.resolve(p.defaults, some); err == nil {
			_, built, err = c.NewTrial(nil, nil)
		}
		return err
	})
	return built, err
}
