package experiment

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"banditsim/internal/place"
	"banditsim/results/compare"
)

// A Variant is a policy under a name of its own: a registered one with other
// options than its defaults.
type Variant struct {
	Name     string    // unique in the experiment
	Policy   string    // as it is registered
	family   string    // the name that a sweep made this one of; "" without a sweep
	Settings []Setting // changes of the policy's options, in order; their keys have no scope

	at place.Place
}

// maxVariants bounds the policies of an experiment, so that a sweep over one list
// too many does not fill the memory.
const maxVariants = 1000

// maxName is the length of a variant's name, in bytes: tables must have room for it.
const maxName = 100

// checkVariantName returns an error if the name cannot be told in a list with
// commas, in a threshold's parentheses or between quotes, or means something else.
func checkVariantName(name string) error {
	odd := strings.IndexFunc(name, func(r rune) bool {
		return strings.ContainsRune("\",()'\\", r) || !unicode.IsPrint(r)
	})
	switch {
	case name == "":
		return errors.New("the name of a policy is empty")
	case len(name) > maxName:
		return fmt.Errorf("the name %.20q… has %d bytes, want at most %d: give the policy a short one with name", name, len(name), maxName)
	case odd >= 0:
		return fmt.Errorf("the name %q holds %q: want letters, digits, blanks and signs other than quotes, parentheses, commas and backslashes", name, []rune(name[odd:])[0])
	case strings.TrimSpace(name) != name:
		return fmt.Errorf("the name %q begins or ends with a blank", name)
	case slices.Contains(reservedScopes, name):
		return fmt.Errorf("the name %q stands for something else in settings: choose another", name)
	}
	return nil
}

// pick returns the variant of that name, or else all that a sweep made of it.
func pick(variants []Variant, name string) []Variant {
	var swept []Variant
	for _, v := range variants {
		if v.Name == name {
			return []Variant{v}
		}
		if v.family == name {
			swept = append(swept, v)
		}
	}
	return swept
}

// chosen returns the variants that e.Policies names, in that order. A name that
// is nobody's stands for the registered policy, if there is one.
func (e Experiment) chosen() ([]Variant, error) {
	var list []Variant
	for _, name := range e.Policies {
		picked := pick(e.Variants, name)
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

// Select keeps only the policies that are named: variants, all that a sweep made of
// a name, or registered policies. What the experiment says of others goes with them;
// the thresholds that go are returned.
func (e *Experiment) Select(names []string) (dropped []string, err error) {
	before, err := e.chosen()
	if err != nil {
		return nil, err
	}
	for _, v := range before { // plain names have no variant yet
		if !slices.ContainsFunc(e.Variants, func(w Variant) bool { return v.Name == w.Name }) {
			e.Variants = append(slices.Clone(e.Variants), v)
		}
	}
	e.Policies = slices.Clone(names)
	after, err := e.chosen()
	if err != nil {
		return nil, err
	}
	gone := func(name string) bool { // a policy of before that is none of after
		picked := pick(before, name)
		return picked != nil && !slices.ContainsFunc(picked, func(v Variant) bool {
			return slices.ContainsFunc(after, func(w Variant) bool { return v.Name == w.Name })
		})
	}
	e.Settings = slices.DeleteFunc(slices.Clone(e.Settings), func(s Setting) bool {
		scope, _ := s.split()
		return gone(scope)
	})
	var kept []Threshold
	for _, t := range e.Thresholds {
		if slices.ContainsFunc(t.Terms, func(term compare.Term) bool { return gone(term.Policy) }) {
			dropped = append(dropped, t.Text)
		} else {
			kept = append(kept, t)
		}
	}
	e.Thresholds = kept
	return dropped, nil
}
