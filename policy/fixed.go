package policy

import (
	"slices"

	"banditsim/bandit"
	"banditsim/internal/check"
	"banditsim/internal/state"
)

// FixedOptions are the options of Fixed.
type FixedOptions struct {
	Arm int `json:"arm"` // index of the arm, from 0
}

// FixedKind declares a policy that always pulls the same arm or, if that cannot be pulled, the first available one.
func FixedKind(name, doc string, arm int) Kind[FixedOptions] {
	return Kind[FixedOptions]{
		Name: name, Doc: doc,
		Defaults: func() FixedOptions { return FixedOptions{Arm: arm} },
		New: func(o FixedOptions, s Setup) (bandit.Policy, error) {
			return Fixed(o.Arm), check.Within("arm", o.Arm, 0, len(s.Spec.Arms)-1)
		},
	}
}

// Fixed returns the policy of FixedKind.
func Fixed(arm int) bandit.Policy {
	return fixed{arm: arm, Fields: func(c *state.Codec) {
		saved := arm
		c.Int("the arm", &saved, arm, arm)
	}}
}

type fixed struct {
	state.Fields
	arm int
}

// Act returns the policy's arm or, if that cannot be pulled, the first available one.
func (f fixed) Act(r bandit.Round) (int, error) {
	if r.CanPull(f.arm) {
		return f.arm, nil
	}
	return slices.Index(r.Available, true), nil
}

func (fixed) Learn(bandit.Round, int, float64) error { return nil }
