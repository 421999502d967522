package exact

import (
	"fmt"
	"slices"

	"banditsim/internal/check"
)

// A Likelihood says which rewards an arm can give, for the posteriors that share this option. Without a kind
// a posterior takes rewards as its own documentation says.
//
// With the kinds two-valued and categorical the values are those that the rewards have had. A reward that the
// kind cannot have is an error of Observe, which leaves no trace.
type Likelihood struct {
	// Kind of the rewards of an arm: gaussian (normal about their mean), two-valued (one of two values) or
	// categorical (one of at most 64 values); none: what the posterior does without this option.
	Kind string `json:"kind,omitzero" enum:"gaussian,two-valued,categorical"`
	// Standard deviation of gaussian rewards about their mean, in units of reward, above 0; of GP alone.
	Noise float64 `json:"noise,omitzero"`
}

// Kinds of likelihoods.
const (
	gaussian    = "gaussian"
	twoValued   = "two-valued"
	categorical = "categorical"
)

// validate returns an error about a likelihood that a posterior cannot have. With noise it needs Noise for
// gaussian rewards; instead is what it wants in their place, "" if it takes them.
func (l Likelihood) validate(noise bool, instead string) error {
	switch {
	case l.Kind == gaussian && instead != "":
		return fmt.Errorf("likelihood.kind: %q, want %s or %s, or %s", gaussian, twoValued, categorical, instead)
	case l.Kind == gaussian && noise:
		return check.Positive("likelihood.noise", l.Noise)
	case l.Noise != 0:
		return fmt.Errorf("likelihood.noise: %g, want none: only %s rewards with a known variance have it, which are those of GP", l.Noise, gaussian)
	case l.Kind == "":
		return nil
	}
	return check.OneOf("likelihood.kind", l.Kind, gaussian, twoValued, categorical)
}

// discrete reports whether rewards have one of finitely many values.
func (l Likelihood) discrete() bool { return l.Kind == twoValued || l.Kind == categorical }

// admit returns an error if an arm whose rewards have had the values cannot give the reward.
func (l Likelihood) admit(values []float64, arm int, reward float64) error {
	most := map[string]int{twoValued: 2, categorical: maxValues}[l.Kind]
	if most == 0 || len(values) < most || slices.Contains(values, reward) {
		return nil
	}
	if most == 2 {
		return fmt.Errorf("exact: observe: a reward of %g of arm %d after rewards of %g and %g: want one of these two, or likelihood.kind %s in place of %s",
			reward, arm, values[0], values[1], categorical, twoValued)
	}
	return fmt.Errorf("exact: observe: a reward of %g of arm %d after rewards of %d other values, from %g to %g: want one of these, or no likelihood.kind %s",
		reward, arm, most, slices.Min(values), slices.Max(values), categorical)
}
