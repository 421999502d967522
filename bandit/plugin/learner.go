package plugin

import (
	"fmt"
	"slices"

	"banditsim/bandit"
	"banditsim/internal/state"
)

// A learner is a child that learns from pulls: a policy or a posterior. Only a policy is told Round.T of each pull and
// the features of the arms.
type learner struct {
	link
	lesson string // type of the messages with pulls to learn from (the lessons): "learn" or "observe"
	spec   bandit.Spec

	// The pulls of the next message. Features are ordered by pull, then by arm.
	pulls, arms                 []int
	rewards, contexts, features []float64
}

// maxUnsent is the number of kept pulls with which keep sends them at once, without waiting for the next request.
const maxUnsent = 256

// keep adds a pull to the next lesson, and sends the lesson if it has maxUnsent pulls.
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

// begin adds the pulls that were kept to the pending messages, so that a request can follow, and returns the child.
func (l *learner) begin() (*child, error) {
	c, err := l.connect()
	if err != nil {
		return nil, err
	}
	return c, l.flush(c)
}

// flush writes a lesson with the pulls that were kept, if any, to the pending messages.
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

// add adds the number, the context and the features of a pull to the next message.
func (l *learner) add(r bandit.Round) {
	l.pulls = append(l.pulls, r.T)
	l.contexts = appendContext(l.contexts, r.Context)
	for _, f := range r.Arms {
		l.features = appendContext(l.features, f)
	}
}

// write writes m with the contexts and features of the pulls that were added, and then forgets those pulls. If the
// child uses frames, it writes these numbers in a frame, else as lists.
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
	if l.ready.Save { // else the link returns the error
		if _, err := l.begin(); err != nil {
			return nil, err
		}
	}
	return l.link.MarshalBinary()
}

// errNoState returns the error of saving or restoring a child that cannot do so.
func errNoState(program Program) error {
	return fmt.Errorf("plugin %s: the child does not save its state: %w", program, state.ErrNone)
}
