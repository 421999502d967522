package harness

import (
	"fmt"

	"banditsim/bandit"
	"banditsim/internal/place"
	"banditsim/results"
)

// A Threshold is one that an experiment's results are held to.
type Threshold struct {
	results.Threshold

	at place.Place // in a file
}

// ParseThreshold reads a threshold, such as post_burn_in_regret(pICSGLD) < 4000.
// Its policies are named as in --policies.
func ParseThreshold(text string) (Threshold, error) {
	t, err := results.ParseThreshold(text)
	return Threshold{Threshold: t}, err
}

// check returns an error if the threshold can never be judged.
func (t *Threshold) check(policies []resolvedPolicy, protocol bandit.Protocol) error {
	var variants []Variant
	for _, p := range policies {
		variants = append(variants, p.Variant)
	}
	for i, term := range t.Terms {
		wrong := func(err error) error {
			err = &place.TextError{Text: t.Text, Offset: term.At, Err: err}
			if t.at.Known() {
				return t.at.Wrap(err)
			}
			return fmt.Errorf("--threshold: %w", err)
		}
		switch picked := pick(variants, term.Policy); {
		case len(picked) == 0:
			return wrong(unknown("policy in this experiment", term.Policy, variantNames(variants)))
		case len(picked) > 1:
			return wrong(fmt.Errorf("%s stands for %d policies here, want one, such as %s", term.Policy, len(picked), picked[0].Name))
		case term.AfterBurnIn() && protocol.AfterBurnIn() > protocol.Rounds:
			return wrong(fmt.Errorf("%s: no round follows burn-in, which ends in round %d of %d", term.Metric, protocol.AfterBurnIn()-1, protocol.Rounds))
		default:
			t.Terms[i].Policy = picked[0].Name
		}
	}
	return nil
}

func variantNames(variants []Variant) []string {
	var list []string
	for _, v := range variants {
		list = append(list, v.Name)
	}
	return list
}
