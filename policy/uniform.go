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

// NewUniform returns the policy that pulls arms uniformly and never learns. Regrets are reported in percent of its own.
func NewUniform(arms int, explore *stream.Stream) bandit.Policy {
	return uniform{explore, make([]int, 0, arms)}
}

// uniform is the policy of UniformKind. Its saved state is that of its stream.
type uniform struct {
	*stream.Stream
	pullable []int // scratch memory; its capacity is the number of arms
}

func (u uniform) Act(r bandit.Round) (int, error) {
	list := r.Pullable(u.pullable[:0], cap(u.pullable))
	return list[u.IntN(len(list))], nil
}

// Propensities writes 1/K for each of the K arms that can be pulled.
func (u uniform) Propensities(dst []float64, r bandit.Round) error {
	clear(dst)
	mixUniform(dst, 1, r, u.pullable)
	return nil
}

// mixUniform replaces p(a) by (1 − share)·p(a) + share/K for each of the K arms that can be pulled. The other p(a) must
// be 0. pullable is scratch memory for the list of the K arms.
func mixUniform(p []float64, share float64, r bandit.Round, pullable []int) {
	list := r.Pullable(pullable[:0], len(p))
	for _, arm := range list {
		p[arm] = float64((1-share)*p[arm]) + share/float64(len(list))
	}
}

func (uniform) Learn(bandit.Round, int, float64) error { return nil }

// Learns returns false for the policies of NewUniform and Fixed, which do not learn, and true for all others.
func Learns(p bandit.Policy) bool {
	switch p.(type) {
	case uniform, fixed:
		return false
	}
	return true
}
