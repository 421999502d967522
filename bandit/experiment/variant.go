package experiment

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"banditsim/bandit/plugin/declare"
	"banditsim/internal/lists"
	"banditsim/internal/place"
	"banditsim/results/compare"
)

// A Variant is a policy with settings and a name of its own.
type Variant struct {
	Name     string               // unique in the experiment
	Policy   string               // name of the policy in the catalog; with a Plugin, Plugin.KindName()
	Settings []Setting            // applied in order; their keys have no scope
	Plugin   *declare.Declaration // child process that is the policy; nil for a policy of the catalog

	sweep string // name of the sweep, a grid of option values, that made the variant; or ""
	at    place.Place
}

// maxVariants is the largest number of policies in an experiment: a large sweep must not exhaust the memory.
const maxVariants = 1000

// variantsNamed returns the variant with a name or, if there is none, all variants of the sweep with that name.
func variantsNamed(variants []Variant, name string) (swept []Variant) {
	for _, v := range variants {
		if v.Name == name {
			return []Variant{v}
		}
		if v.sweep == name && name != "" {
			swept = append(swept, v)
		}
	}
	return swept
}

func namesOf(variants []Variant) []string {
	return lists.Each(variants, func(v Variant) string { return v.Name })
}

// chosenVariants returns the variants that e.Policies names, in that order. A name that no variant has stands for the
// registered policy, without settings.
func (e Experiment) chosenVariants() (list []Variant, err error) {
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

// trimmed returns names without surrounding blanks. A blank name is an error.
func trimmed(names []string) ([]string, error) {
	names = slices.Clone(names)
	for i, name := range names {
		if names[i] = strings.TrimSpace(name); names[i] == "" {
			return nil, fmt.Errorf("name %d of %d is blank: want names separated by single commas", i+1, len(names))
		}
	}
	return names, nil
}

// Select keeps only the named policies. A name is that of a variant, a sweep or a registered policy. Select removes the
// settings and thresholds of the other policies, and returns the texts of the removed thresholds.
func (e *Experiment) Select(names []string) (dropped []string, err error) {
	before, err := e.chosenVariants()
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
	chosen, err := e.chosenVariants()
	if err != nil {
		return nil, err
	}
	after := namesOf(chosen)
	gone := func(name string) bool { // reports whether a policy or sweep was selected before and no longer is
		picked := namesOf(variantsNamed(before, name))
		return picked != nil && !slices.ContainsFunc(picked, func(name string) bool { return slices.Contains(after, name) })
	}
	e.Settings = slices.DeleteFunc(slices.Clone(e.Settings), func(s Setting) bool { return gone(s.scope()) })
	return e.dropThresholds(func(policy, _ string) bool { return gone(policy) }), nil
}

// dropThresholds removes each threshold with a term for which gone returns true, and returns the texts of these.
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

// A sweepAxis is one option of a sweep.
type sweepAxis struct {
	place.Place
	key    string
	values []Setting // one per value of the option
}

// expand returns the product of the axes as variants of v; the last axis varies fastest. The name of a variant is
// v.Name followed by each option and its value.
func expand(v Variant, axes []sweepAxis) ([]Variant, error) {
	v.sweep = v.Name
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

// objectsInName shortens a JSON list of objects for the name of a variant.
var objectsInName = strings.NewReplacer("},{", "+", ",", " ", "[", "", "]", "", "{", "", "}", "", `"`, "", ":", "")

// shortValue returns a value in the form used in names of variants: 100x50 for [100, 50], conv8 pool2+conv16 pool2
// for [{conv: 8, pool: 2}, {conv: 16, pool: 2}].
func shortValue(value string) string {
	inner, isList := strings.CutPrefix(value, "[")
	switch {
	case strings.HasPrefix(inner, "{") && isList:
		return objectsInName.Replace(value)
	case !isList || inner == "]":
		return value
	}
	parts := strings.Split(strings.TrimSuffix(inner, "]"), ",")
	return strings.Join(lists.Each(parts, strings.TrimSpace), "x")
}

// maxName is the greatest length of a variant's name in bytes: tables must have room for it.
const maxName = 100

// checkVariantName returns an error if the name is empty, too long or reserved, or would be ambiguous in a list with
// commas, in the parentheses of a threshold or in quotes.
func checkVariantName(name string) error {
	odd := strings.IndexFunc(name, func(r rune) bool {
		return strings.ContainsRune("\",()'\\", r) || !unicode.IsPrint(r) || r == unicode.ReplacementChar // stands for bytes that are not UTF-8
	})
	switch {
	case name == "":
		return errors.New("the name of a policy is empty")
	case len(name) > maxName:
		return fmt.Errorf("the name %.20q… has %d bytes, want at most %d: give the policy a short one with name", name, len(name), maxName)
	case odd >= 0:
		return fmt.Errorf("the name %q holds %q: want letters, digits, blanks and signs other than quotes, parentheses, commas and backslashes", name, []rune(name[odd:])[0])
	case strings.TrimSpace(name) == "":
		return fmt.Errorf("the name %q is blank", name)
	case strings.TrimSpace(name) != name:
		return fmt.Errorf("the name %q begins or ends with a blank", name)
	case slices.Contains(reservedNames, name):
		return fmt.Errorf("the name %q has another meaning in settings: choose another", name)
	}
	return nil
}

// checkName returns an error if the name cannot be the name of a folder.
func checkName(name string) error {
	switch {
	case strings.TrimSpace(name) != name || name == "":
		return fmt.Errorf("%q is blank, or begins or ends with a blank", name)
	case len(name) > maxName:
		return fmt.Errorf("%.20q… has %d bytes, want at most %d", name, len(name), maxName)
	case strings.ContainsAny(name, `/\`) || name[0] == '.' || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }):
		return fmt.Errorf("%q cannot be the name of a folder: want no slashes, no backslashes, no leading dot and only printable characters", name)
	}
	return nil
}
