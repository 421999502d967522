package policy

import (
	"errors"

	"banditsim/bandit"
	"banditsim/bandit/stream"
)

// UniformKind declares Uniform, which has no options.
func UniformKind() Kind[struct{}] {
	return Kind[struct{}]{
		Name: "Uniform", Doc: "every arm with the same probability",
		Defaults: func() struct{} { return struct{}{} },
		New: func(_ struct{}, s Setup) (bandit.Policy, error) {
			return NewUniform(len(s.Spec.Arms), s.Stream.Child("explore")), nil
		},
	}
}

// Uniform pulls each arm with the same probability and does not learn. Regrets are reported in
// percent of its regret.
type Uniform struct {
	arms    int
	explore *stream.Stream
}

var (
	_ bandit.Policy     = (*Uniform)(nil)
	_ bandit.Randomizer = (*Uniform)(nil)
)

// NewUniform returns the policy for the given number of arms.
func NewUniform(arms int, explore *stream.Stream) *Uniform {
	return &Uniform{arms: arms, explore: explore}
}

// Act draws an arm.
func (u *Uniform) Act(bandit.Round) (int, error) {
	if u.explore == nil {
		return 0, errNotMade
	}
	return u.explore.IntN(u.arms), nil
}

var errNotMade = errors.New("policy: a Uniform without arms: want one of NewUniform")

// Propensities writes 1/K.
func (u *Uniform) Propensities(dst []float64, _ bandit.Round) error {
	if u.explore == nil {
		return errNotMade
	}
	for i := range dst {
		dst[i] = 1 / float64(u.arms)
	}
	return nil
}

// Learn does nothing.
func (u *Uniform) Learn(bandit.Round, int, float64) error { return nil }

// MarshalBinary saves the stream.
func (u *Uniform) MarshalBinary() ([]byte, error) {
	if u.explore == nil {
		return nil, errNotMade
	}
	return u.explore.MarshalBinary()
}

// UnmarshalBinary restores the stream.
func (u *Uniform) UnmarshalBinary(b []byte) error {
	if u.explore == nil {
		return errNotMade
	}
	return u.explore.UnmarshalBinary(b)
}
