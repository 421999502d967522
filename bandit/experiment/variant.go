package experiment

import (
	"fmt"
	"slices"
	"strings"

	"banditsim/bandit/plugin/declare"
	"banditsim/internal/place"
	"banditsim/results/compare"
)

// A Variant is a registered policy under another name and with settings.
type Variant struct {
	Name     string    // unique in the experiment
	Policy   string    // registered name
	family   string    // name of the sweep, or ""
	Settings []Setting // applied in order; their keys have no scope
	// Plugin declares a child process, whose kind has the name Policy; nil: Policy is in the catalog.
	Plugin *declare.Declaration

	at place.Place
}

// maxVariants bounds the policies of an experiment, so that a large sweep does not fill the
// memory.
const maxVariants = 1000

// variantsNamed returns the variant of that name or, if there is none, the variants of the sweep of that
// name.
func variantsNamed(variants []Variant, name string) []Variant {
	var swept []Variant
	for _, v := range variants {
		if v.Name == name {
			return []Variant{v}
		}
		if v.family == name && name != "" {
			swept = append(swept, v)
		}
	}
	return swept
}

// chosen returns the variants that e.Policies names, in that order. A name without a variant is
// taken as that of a registered policy.
func (e Experiment) chosen() ([]Variant, error) {
	var list []Variant
	for _, name := range e.Policies {
		picked := variantsNamed(e.Variants, name)
		if picked == nil {
			picked = []Variant{{Name: name, Policy: name}}
		}
		for _, v := range picked {
			if slices.ContainsFunc(list, func(w Variant) bool { return v.Name == w.Name }) {
				return nil, v.at.Wrap(fmt.Errorf("policy %s is named twice", v.Name))
			}
		}
		list = append(list, picked...)
		if len(list) > maxVariants {
			return nil, fmt.Errorf("more than %d policies", maxVariants)
		}
	}
	return list, nil
}

// Select keeps only the named policies: variants, all variants of a sweep, or registered
// policies. Settings and thresholds of other policies are removed; it returns the removed
// thresholds.
func (e *Experiment) Select(names []string) (dropped []string, err error) {
	before, err := e.chosen()
	if err != nil {
		return nil, err
	}
	for _, v := range before { // registered policies have no variant yet
		if !slices.ContainsFunc(e.Variants, func(w Variant) bool { return v.Name == w.Name }) {
			e.Variants = append(slices.Clone(e.Variants), v)
		}
	}
	e.Policies = nil
	for i, name := range names {
		if name = strings.TrimSpace(name); name == "" {
			return nil, fmt.Errorf("name %d of %d is blank: want names separated by single commas", i+1, len(names))
		}
		e.Policies = append(e.Policies, name)
	}
	after, err := e.chosen()
	if err != nil {
		return nil, err
	}
	gone := func(name string) bool { // reports whether a policy is in before and not in after
		picked := variantsNamed(before, name)
		return picked != nil && !slices.ContainsFunc(picked, func(v Variant) bool {
			return slices.ContainsFunc(after, func(w Variant) bool { return v.Name == w.Name })
		})
	}
	e.Settings = slices.DeleteFunc(slices.Clone(e.Settings), func(s Setting) bool {
		scope := s.scope()
		return gone(scope)
	})
	var kept []Threshold
	for _, t := range e.Thresholds {
		if slices.ContainsFunc(t.Terms, func(term compare.Term) bool {
			policy, _ := e.split(term.Policy)
			return gone(policy)
		}) {
			dropped = append(dropped, t.Text)
		} else {
			kept = append(kept, t)
		}
	}
	e.Thresholds = kept
	return dropped, nil
}
