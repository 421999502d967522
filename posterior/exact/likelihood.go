package exact

import (
	"fmt"
	"slices"

	"banditsim/internal/check"
)

// A Likelihood is an option of several posteriors: the distribution of the rewards of an arm. Without a kind, each
// posterior has the distribution that its documentation describes.
//
// With the kinds two-valued and categorical, rewards have the values in Values or, if it is empty, the values of the
// arm's rewards so far; in Trees, and in DPMM with pool_values, those of all arms' rewards. Observe returns an error
// and changes nothing if a reward is not in Values or, with empty Values, would be one value too many for the kind.
type Likelihood struct {
	// Kind of the rewards of an arm: gaussian (normal about their mean), two-valued (one of two values) or
	// categorical (one of at most 64 values); none: the posterior's own model of rewards.
	Kind string `json:"kind,omitzero" enum:"gaussian,two-valued,categorical"`
	// Standard deviation of gaussian rewards about their mean, in units of reward, above 0; for GP only.
	Noise float64 `json:"noise,omitzero"`
	// Values that rewards of any arm can have, ascending, also those that the arm has not given so far.
	// Empty: the values of the rewards so far.
	Values []float64 `json:"values,omitempty"`
}

// IsZero reports whether no option is set, for the tag omitzero. An empty list of values counts as not set.
func (l Likelihood) IsZero() bool { return l.Kind == "" && l.Noise == 0 && len(l.Values) == 0 }

// maxValues is the largest number of values of categorical rewards.
const maxValues = 64

// Kinds of likelihoods.
const (
	gaussian    = "gaussian"
	twoValued   = "two-valued"
	categorical = "categorical"
)

// validate returns an error if a posterior does not support l. The argument noise is true if the posterior needs
// l.Noise for gaussian rewards. The argument instead is what the error recommends in place of gaussian rewards, or
// empty if l may have them.
func (l Likelihood) validate(noise bool, instead string) error {
	switch {
	case l.Kind == gaussian && instead != "":
		return fmt.Errorf("likelihood.kind: %q, want %s or %s, or %s", gaussian, twoValued, categorical, instead)
	case len(l.Values) > 0 && (l.Kind == "" || l.Kind == gaussian):
		return fmt.Errorf("likelihood.values: %d values, want none, or likelihood.kind %s or %s", len(l.Values), twoValued, categorical)
	case l.Kind == gaussian && noise:
		return check.Positive("likelihood.noise", l.Noise)
	case l.Noise != 0:
		return fmt.Errorf("likelihood.noise: %g, want none: only %s rewards with a known variance have it, which are those of GP", l.Noise, gaussian)
	case l.Kind == "":
		return nil
	}
	if err := check.OneOf("likelihood.kind", l.Kind, gaussian, twoValued, categorical); err != nil || len(l.Values) == 0 {
		return err
	}
	n, limit := len(l.Values), valueLimits[l.Kind]
	if n < 2 || n > limit {
		return fmt.Errorf("likelihood.values: %d values, want at least 2 and at most %d with likelihood.kind %s", n, limit, l.Kind)
	}
	for i, v := range l.Values {
		if err := check.Finite("likelihood.values", v); err != nil {
			return err
		}
		if i > 0 && v <= l.Values[i-1] {
			return fmt.Errorf("likelihood.values: %g after %g, want ascending values", v, l.Values[i-1])
		}
	}
	return nil
}

// valueLimits has, by kind, the largest number of values that rewards may have. The other kinds are not discrete.
var valueLimits = map[string]int{twoValued: 2, categorical: maxValues}

// discrete reports whether rewards have one of finitely many values.
func (l Likelihood) discrete() bool { return l.Kind == twoValued || l.Kind == categorical }

// admit returns an error if l excludes a reward of an arm. values is l.Values or, if that is empty, the values so far.
func (l Likelihood) admit(values []float64, arm int, reward float64) error {
	limit := valueLimits[l.Kind]
	switch {
	case limit == 0 || slices.Contains(values, reward) || len(l.Values) == 0 && len(values) < limit:
		return nil
	case len(l.Values) > 0:
		return fmt.Errorf("a reward of %g of arm %d: want one of likelihood.values, which are %v", reward, arm, l.Values)
	}
	return fmt.Errorf("a reward of %g of arm %d after %d other ones, %v: want one of these, or another likelihood.kind than %s",
		reward, arm, limit, values, l.Kind)
}

// sharedRange returns an error if the argument own (the option own_scale) is true and l has a kind.
func (l Likelihood) sharedRange(own bool) error {
	return check.That(!own || l.Kind == "",
		"own_scale: true, with likelihood.kind %q: want false, or no likelihood: rewards from the lowest to the highest", l.Kind)
}
