package plugin

import (
	"fmt"
	"slices"

	"banditsim/bandit"
	"banditsim/internal/state"
)

// A learner is a child that learns from pulls: as a policy, or as a posterior, which does not know their numbers and
// no features of arms.
type learner struct {
	link
	lesson string // the message with what is to be learned
	spec   bandit.Spec

	// What was learned and not sent yet.
	pulls, arms                 []int
	rewards, contexts, features []float64
}

// maxUnsent is the number of pulls learned that are kept until the next answer is due.
const maxUnsent = 256

func (l *learner) keep(r bandit.Round, arm int, reward float64) error {
	c, err := l.connect()
	if err != nil {
		return err
	}
	l.add(r)
	l.arms, l.rewards = append(l.arms, arm), append(l.rewards, reward)
	if len(l.arms) < maxUnsent {
		return nil
	}
	if err := l.flush(c); err != nil {
		return err
	}
	_, err = c.transfer(l.lesson, 0)
	return err
}

// begin returns the child after a message of what was learned.
func (l *learner) begin() (*child, error) {
	c, err := l.connect()
	if err != nil {
		return nil, err
	}
	return c, l.flush(c)
}

// flush makes a message of what was learned.
func (l *learner) flush(c *child) error {
	if len(l.arms) == 0 {
		return nil
	}
	m := message{Type: l.lesson, Arms: l.arms, Rewards: l.rewards}
	if l.lesson == "learn" {
		m.Pulls = l.pulls
	}
	c.lesson, c.lessons = l.lesson, c.lessons+1
	return l.write(c, m)
}

// add adds the number, the context and the features of a pull to what is sent next.
func (l *learner) add(r bandit.Round) {
	l.pulls = append(l.pulls, r.T)
	l.contexts = appendContext(l.contexts, r.Context)
	for _, f := range r.Arms {
		l.features = appendContext(l.features, f)
	}
}

// write writes a message with the contexts of what was added, and the features of arms that have some: in a frame, if the child
// takes frames, or as lists.
func (l *learner) write(c *child, m message) error {
	var frame []float64
	if c.frames {
		frame = append(l.contexts, l.features...)
	} else {
		m.Contexts = slices.Collect(slices.Chunk(l.contexts, l.spec.Dim))
		for features := range slices.Chunk(l.features, max(1, len(l.spec.Arms)*l.spec.ArmDim)) {
			m.Features = append(m.Features, slices.Collect(slices.Chunk(features, l.spec.ArmDim)))
		}
	}
	err := c.write(m, frame)
	l.pulls, l.arms, l.rewards = l.pulls[:0], l.arms[:0], l.rewards[:0]
	l.contexts, l.features = l.contexts[:0], l.features[:0]
	return err
}

func appendContext(to []float64, context []float32) []float64 {
	for _, v := range context {
		to = append(to, float64(v))
	}
	return to
}

func (l *learner) MarshalBinary() ([]byte, error) {
	if !l.ready.Save {
		return nil, errNoState(l.program)
	}
	if _, err := l.begin(); err != nil {
		return nil, err
	}
	return l.save()
}

func (l *learner) UnmarshalBinary(b []byte) error {
	if !l.ready.Save {
		return errNoState(l.program)
	}
	return l.restore(b)
}

func errNoState(program Program) error {
	return fmt.Errorf("plugin %s: the child does not save its state: %w", program, state.ErrNone)
}
