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
	Settings []Setting // applied in order; their keys have no scope
	// Plugin declares a child process, whose kind has the name Policy; nil: Policy is in the catalog.
	Plugin *declare.Declaration

	family string // name of the sweep, or ""
	at     place.Place
}

// maxVariants bounds the policies of an experiment, so that a large sweep does not fill the
// memory.
const maxVariants = 1000

// variantsNamed returns the variant of that name or, if there is none, the variants of the sweep of that
// name.
func variantsNamed(variants []Variant, name string) (swept []Variant) {
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

func namesOf(variants []Variant) []string {
	return each(variants, func(v Variant) string { return v.Name })
}

// chosen returns the variants that e.Policies names, in that order. A name without a variant is
// taken as that of a registered policy.
func (e Experiment) chosen() (list []Variant, err error) {
	for _, name := range e.Policies {
		picked := variantsNamed(e.Variants, name)
		if picked == nil {
			picked = []Variant{{Name: name, Policy: name}}
		}
		for _, v := range picked {
			if slices.Contains(namesOf(list), v.Name) {
				return nil, v.at.Wrap(fmt.Errorf("policy %s is named twice", v.Name))
			}
		}
		if list = append(list, picked...); len(list) > maxVariants {
			return nil, fmt.Errorf("more than %d policies", maxVariants)
		}
	}
	return list, nil
}

// trimmed returns names without the blanks around them.
func trimmed(names []string) ([]string, error) {
	names = slices.Clone(names)
	for i, name := range names {
		if names[i] = strings.TrimSpace(name); names[i] == "" {
			return nil, fmt.Errorf("name %d of %d is blank: want names separated by single commas", i+1, len(names))
		}
	}
	return names, nil
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
		if !slices.Contains(namesOf(e.Variants), v.Name) {
			e.Variants = append(slices.Clone(e.Variants), v)
		}
	}
	if e.Policies, err = trimmed(names); err != nil {
		return nil, err
	}
	chosen, err := e.chosen()
	if err != nil {
		return nil, err
	}
	after := namesOf(chosen)
	gone := func(name string) bool { // reports whether a policy is in before and not in after
		picked := namesOf(variantsNamed(before, name))
		return picked != nil && !slices.ContainsFunc(picked, func(name string) bool { return slices.Contains(after, name) })
	}
	e.Settings = slices.DeleteFunc(slices.Clone(e.Settings), func(s Setting) bool { return gone(s.scope()) })
	return e.dropThresholds(func(policy, _ string) bool { return gone(policy) }), nil
}

// dropThresholds removes the thresholds of which a term has a policy or an environment that is gone, and returns their texts.
func (e *Experiment) dropThresholds(gone func(policy, environment string) bool) (dropped []string) {
	var kept []compare.Threshold
	for _, t := range e.Thresholds {
		if slices.ContainsFunc(t.Terms, func(term compare.Term) bool { return gone(e.split(term.Policy)) }) {
			dropped = append(dropped, t.Text)
		} else {
			kept = append(kept, t)
		}
	}
	e.Thresholds = kept
	return dropped
}

// A sweepAxis is an option with its values in a sweep.
type sweepAxis struct {
	place.Place
	key    string
	values []Setting
}

// expand returns the product of the axes as variants of v; the last axis varies fastest. The
// name of a variant is v.Name followed by each option and its value.
func expand(v Variant, axes []sweepAxis) ([]Variant, error) {
	v.family = v.Name
	list := []Variant{v}
	for _, axis := range axes {
		if n := len(list) * len(axis.values); n > maxVariants {
			return nil, axis.Wrap(fmt.Errorf("with %s the sweep has %d variants, want at most %d", axis.key, n, maxVariants))
		}
		var longer []Variant
		for _, v := range list {
			for _, s := range axis.values {
				w := v
				w.Settings = append(v.Settings[:len(v.Settings):len(v.Settings)], s)
				w.Name += " " + s.Key + "=" + shortValue(s.Value)
				w.at = s.ValueAt
				if err := checkVariantName(w.Name); err != nil {
					return nil, s.ValueAt.Wrap(fmt.Errorf("a variant of this sweep: %w", err))
				}
				longer = append(longer, w)
			}
		}
		list = longer
	}
	return list, nil
}

// ofObjects writes a list of objects in names of variants.
var ofObjects = strings.NewReplacer("},{", "+", ",", " ", "[", "", "]", "", "{", "", "}", "", `"`, "", ":", "")

// shortValue returns a value as it is written in names of variants: 100x50 for [100, 50], conv8 pool2+conv16 pool2 for
// [{conv: 8, pool: 2}, {conv: 16, pool: 2}].
func shortValue(value string) string {
	inner, isList := strings.CutPrefix(value, "[")
	switch {
	case strings.HasPrefix(inner, "{") && isList:
		return ofObjects.Replace(value)
	case !isList || inner == "]":
		return value
	}
	parts := strings.Split(strings.TrimSuffix(inner, "]"), ",")
	for i, p := range parts {
		parts[i] = strings.TrimSpace(p)
	}
	return strings.Join(parts, "x")
}
