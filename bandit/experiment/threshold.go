package experiment

import (
	"fmt"
	"slices"
	"strings"

	"banditsim/bandit"
	"banditsim/internal/place"
	"banditsim/results/compare"
)

// A Threshold is a condition on the results of an experiment.
type Threshold struct {
	compare.Threshold

	at place.Place // place in a file
}

// ParseThreshold parses a threshold, such as post_burn_in_regret(pICSGLD) < 4000. Policies are
// named as in --policies.
func ParseThreshold(text string) (Threshold, error) {
	t, err := compare.ParseThreshold(text)
	return Threshold{Threshold: t}, err
}

// split returns the policy and the environment of a term, such as LinUCB on wheel; "" for an environment that it does
// not name.
func (e *Experiment) split(term string) (policy, environment string) {
	policy = term
	for _, v := range e.Environments {
		if p, ok := strings.CutSuffix(term, " on "+v.Name); ok && len(v.Name) > len(environment) {
			policy, environment = p, v.Name
		}
	}
	return policy, environment
}

// thresholdsOn returns the thresholds on one of several environments: those that name it, and those that name none,
// which hold on each.
func (e *Experiment) thresholdsOn(name string) ([]Threshold, error) {
	var list []Threshold
	for _, t := range e.Thresholds {
		t.Terms = slices.Clone(t.Terms)
		var named string
		for i, term := range t.Terms {
			var on string
			t.Terms[i].Policy, on = e.split(term.Policy)
			if i > 0 && on != named {
				return nil, t.at.Wrap(fmt.Errorf("threshold %s: a difference is of two policies on the same environment: want that of both or of none", t.Text))
			}
			named = on
		}
		if t.Environment = name; named == "" || named == name {
			list = append(list, t)
		}
	}
	return list, nil
}

// resolve returns the threshold with the labels of its policies: one threshold for each variant of a sweep that it
// names. It returns an error if the threshold can never be judged.
func (t Threshold) resolve(policies []resolvedPolicy, protocol bandit.Protocol) ([]compare.Threshold, error) {
	var variants []Variant
	for _, p := range policies {
		variants = append(variants, p.Variant)
	}
	choices := [][]string{nil} // names of policies, one for each term
	for _, term := range t.Terms {
		picked := variantNames(variantsNamed(variants, term.Policy))
		var err error
		switch {
		case len(picked) == 0:
			err = notHere("policy", term.Policy, variantNames(variants))
		case term.AfterBurnIn && protocol.AfterBurnIn() > protocol.Rounds:
			err = fmt.Errorf("%s: no round follows burn-in, which ends in round %d of %d", term.Metric, protocol.AfterBurnIn()-1, protocol.Rounds)
		case len(choices)*len(picked) > maxVariants:
			err = fmt.Errorf("%s names %d policies: the threshold would be more than %d", term.Policy, len(picked), maxVariants)
		}
		if err != nil {
			err = &place.TextError{Text: t.Text, Offset: term.At, Err: err}
			if t.at.Known() {
				return nil, t.at.Wrap(err)
			}
			return nil, fmt.Errorf("--threshold: %w", err)
		}
		var longer [][]string
		for _, names := range choices {
			for _, name := range picked {
				longer = append(longer, append(names[:len(names):len(names)], name))
			}
		}
		choices = longer
	}
	var list []compare.Threshold
	for _, names := range choices {
		list = append(list, t.Renamed(names))
	}
	return list, nil
}

func variantNames(variants []Variant) []string {
	var list []string
	for _, v := range variants {
		list = append(list, v.Name)
	}
	return list
}
