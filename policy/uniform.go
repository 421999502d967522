package policy

import (
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

// NewUniform returns the policy that pulls each arm with the same probability and does not learn. Regrets are
// reported in percent of its regret.
func NewUniform(arms int, explore *stream.Stream) bandit.Policy { return uniform{explore, arms} }

// uniform has the state of its stream.
type uniform struct {
	*stream.Stream
	arms int
}

// Act draws an arm.
func (u uniform) Act(bandit.Round) (int, error) { return u.IntN(u.arms), nil }

// Propensities writes 1/K.
func (u uniform) Propensities(dst []float64, _ bandit.Round) error {
	for i := range dst {
		dst[i] = 1 / float64(u.arms)
	}
	return nil
}

// Learn does nothing.
func (uniform) Learn(bandit.Round, int, float64) error { return nil }

// Learns reports whether a policy learns, which NewUniform and Fixed do not.
func Learns(p bandit.Policy) bool {
	switch p.(type) {
	case uniform, fixed:
		return false
	}
	return true
}
