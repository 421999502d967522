package policy

import (
	"fmt"

	"banditsim/bandit"
	"banditsim/internal/state"
)

// FixedOptions are the options of Fixed.
type FixedOptions struct {
	Arm int `json:"arm"` // from 0
}

// FixedKind declares a policy that always pulls one arm.
func FixedKind(name, doc string, arm int) Kind[FixedOptions] {
	return Kind[FixedOptions]{
		Name: name, Doc: doc,
		Defaults: func() FixedOptions { return FixedOptions{Arm: arm} },
		New: func(o FixedOptions, s Setup) (bandit.Policy, error) {
			if o.Arm < 0 || o.Arm >= len(s.Spec.Arms) {
				return nil, fmt.Errorf("arm: %d, want 0 to %d", o.Arm, len(s.Spec.Arms)-1)
			}
			return Fixed(o.Arm), nil
		},
	}
}

// Fixed always pulls one arm.
type Fixed int

var _ bandit.Policy = Fixed(0)

// Act returns the arm.
func (f Fixed) Act(bandit.Round) (int, error) { return int(f), nil }

// Learn does nothing.
func (f Fixed) Learn(bandit.Round, int, float64) error { return nil }

// MarshalBinary saves the arm.
func (f Fixed) MarshalBinary() ([]byte, error) { return state.Save(f.state) }

// UnmarshalBinary returns an error if another arm was saved.
func (f Fixed) UnmarshalBinary(b []byte) error { return state.Restore(b, f.state) }

func (f Fixed) state(c *state.Codec) {
	arm := int(f)
	c.Int("the arm", &arm, arm, arm)
}
