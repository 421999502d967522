package plugin

import (
	"fmt"

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

// keep keeps the pull for the next message.
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
	l.flush(c)
	_, err = c.transfer(l.lesson, 0)
	return err
}

// begin begins a message after one of what was learned.
func (l *learner) begin(message string) (*child, error) {
	c, err := l.connect()
	if err != nil {
		return nil, err
	}
	l.flush(c)
	c.message(message)
	return c, nil
}

// flush makes a message of what was learned.
func (l *learner) flush(c *child) {
	if len(l.arms) == 0 {
		return
	}
	c.message(l.lesson)
	c.lesson, c.lessons = l.lesson, c.lessons+1
	if l.lesson == "learn" {
		c.ints("pulls", l.pulls)
	}
	c.ints("arms", l.arms)
	c.numbers("rewards", l.rewards)
	l.send(c)
}

// add adds the number, the context and the features of a pull to what is sent next.
func (l *learner) add(r bandit.Round) {
	l.pulls = append(l.pulls, r.T)
	l.contexts = appendContext(l.contexts, r.Context)
	for _, f := range r.Arms {
		l.features = appendContext(l.features, f)
	}
}

// send ends a message with the contexts, and the features of arms that have some.
func (l *learner) send(c *child) {
	list := []block{{key: "contexts", values: l.contexts, width: l.spec.Dim}}
	if l.spec.ArmDim > 0 {
		list = append(list, block{"features", l.features, len(l.spec.Arms), l.spec.ArmDim})
	}
	c.blocks(list...)
	l.pulls, l.arms, l.rewards = l.pulls[:0], l.arms[:0], l.rewards[:0]
	l.contexts, l.features = l.contexts[:0], l.features[:0]
}

func appendContext(to []float64, context []float32) []float64 {
	for _, v := range context {
		to = append(to, float64(v))
	}
	return to
}

// MarshalBinary returns the state of the child.
func (l *learner) MarshalBinary() ([]byte, error) {
	if !l.ready.Save {
		return nil, errNoState(l.program)
	}
	c, err := l.connect()
	if err != nil {
		return nil, err
	}
	l.flush(c)
	return l.save()
}

// UnmarshalBinary restores a state.
func (l *learner) UnmarshalBinary(b []byte) error {
	if !l.ready.Save {
		return errNoState(l.program)
	}
	return l.restore(b)
}

func errNoState(program Program) error {
	return fmt.Errorf("plugin %s: the child does not save its state: %w", program, state.ErrNone)
}
