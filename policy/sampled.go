package policy

import (
	"fmt"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/internal/moments"
	"banditsim/internal/state"
)

// A rule replaces the values p of the available arms in pull t by the probabilities of pulling them. spread has the
// standard deviations of the values; it is empty if the policy has no spreader.
type rule func(p, spread []float64, t int)

// sampled draws each arm with probabilities that a rule computes from the mean rewards predicted by the posterior.
type sampled struct {
	*learner
	state.Fields
	rule     rule
	explore  *stream.Stream
	learns   func(t int) bool // reports whether the reward of pull t is learned; nil: all are
	rewards  *moments.Running // moments of the learned rewards, which scale values (see newSampled); nil: values are not scaled
	offered  []float64        // values of the arms that can be pulled, which the rule replaces by probabilities
	narrowed []float64        // standard deviations of the values in offered
}

// newSampled returns the policy for a setup. If relative is true, values are divided by the standard deviation of the
// learned rewards before rule gets them. errs has the errors of other options.
func newSampled(s Setup, model Model, cover Covering, relative bool, rule rule, c configured,
	errs ...error) (*sampled, error) {
	l, err := c.learner(s, model, cover, errs...)
	if err != nil {
		return nil, err
	}
	p := &sampled{learner: l, rule: rule, explore: s.Stream.Child("explore")}
	if relative {
		p.rewards = &moments.Running{}
	}
	p.Fields = func(c *state.Codec) {
		c.Object(p.learner)
		c.Object(p.explore)
		if p.rewards != nil {
			p.rewards.State(c)
		}
	}
	return p, nil
}

// probabilities replaces the values p of all arms by the rule's probabilities, or by 0 for arms that cannot be pulled.
// r must be round i of those that the last ask got.
func (s *sampled) probabilities(p []float64, i int, r bandit.Round) {
	if s.rewards != nil {
		sd := s.rewards.SD()
		for i := range p {
			p[i] /= sd
		}
	}
	s.pullable, s.offered, s.narrowed = r.Pullable(s.pullable[:0], len(p)), s.offered[:0], s.narrowed[:0]
	for _, arm := range s.pullable {
		s.offered = append(s.offered, p[arm])
		if s.spreader != nil {
			s.narrowed = append(s.narrowed, s.spread[i*s.arms+arm])
		}
	}
	s.rule(s.offered, s.narrowed, r.T)
	clear(p)
	for i, arm := range s.pullable {
		p[arm] = s.offered[i]
	}
}

func (s *sampled) Learn(r bandit.Round, arm int, reward float64) error {
	if s.learns != nil && !s.learns(r.T) {
		return nil
	}
	if s.rewards != nil {
		s.rewards.Add(reward)
	}
	return s.learner.Learn(r, arm, reward)
}

func (s *sampled) Act(r bandit.Round) (int, error) { return actOne(s, r) }

func (s *sampled) ActBatch(arms []int, rounds []bandit.Round) error {
	values, err := s.ask(arms, rounds)
	if err != nil {
		return err
	}
	for i, r := range rounds {
		p := values[i*s.arms : (i+1)*s.arms]
		if _, err := argmax(p, r.Available); err != nil {
			return err
		}
		s.probabilities(p, i, r)
		arm, err := draw(p, s.explore.Float64()) // drawn in forced pulls too, so that these do not shift later draws
		if err != nil {
			return err
		}
		if arms[i] < 0 {
			arms[i] = arm
		}
	}
	return nil
}

// Propensities writes the rule's probabilities. If a pull is forced, it writes 1 for that arm and 0 for the others.
func (s *sampled) Propensities(dst []float64, r bandit.Round) error {
	var forced [1]int
	values, err := s.ask(forced[:], []bandit.Round{r})
	if err != nil {
		return err
	}
	if forced[0] >= 0 {
		clear(dst)
		dst[forced[0]] = 1
		return nil
	}
	copy(dst, values)
	s.probabilities(dst, 0, r)
	return nil
}

// draw returns the arm that u, uniform in [0, 1), selects by the probabilities p, which sum to 1 up to rounding.
func draw(p []float64, u float64) (int, error) {
	for arm, v := range p {
		if !(v >= 0) {
			return 0, fmt.Errorf("policy: the probability of arm %d is %g", arm, v)
		}
	}
	arm := stream.Choose(len(p), u, func(arm int) float64 { return p[arm] })
	if p[arm] == 0 {
		return 0, fmt.Errorf("policy: the probabilities of all %d arms are 0", len(p))
	}
	return arm, nil
}
