package bandit

import (
	"fmt"

	"banditsim/internal/state"
)

var _ state.Object = (*Trial)(nil)

// MarshalBinary saves the trial between two rounds: the number of rounds done, the state of
// the burn-in stream, the environment and the policy, and the rewards that a delay holds back. It returns an error if one of these is no
// encoding.BinaryMarshaler, and after a round that ended with an error. If one of these is a Replayer without a
// state, the number of rounds and the journals are all that is saved, and the next Round plays those rounds again first.
//
// Beware of embedding: a type that embeds one with MarshalBinary and adds fields that change
// inherits a method that does not save them.
func (t *Trial) MarshalBinary() ([]byte, error) {
	if t.over {
		return nil, fmt.Errorf("bandit: save the trial: round %d ended with an error", t.record.Round)
	}
	b, err := state.Save(t.state)
	if err != nil {
		return nil, fmt.Errorf("bandit: save the trial: %w", err)
	}
	return b, nil
}

// UnmarshalBinary restores the state that MarshalBinary saved. The trial must have been built
// with the same arguments and must not have played a round. After an error the state of its parts
// is undefined: build all of them again.
func (t *Trial) UnmarshalBinary(b []byte) error {
	if err := state.Restore(b, t.state); err != nil {
		t.over = true
		return fmt.Errorf("bandit: restore the trial: %w", err)
	}
	return nil
}

func (t *Trial) state(c *state.Codec) {
	if t.replays() {
		t.journals(c)
		return
	}
	round := t.record.Round
	c.Int("rounds", &round, 0, t.protocol.Rounds)
	c.Object(t.burnIn)
	c.Any("the environment", t.env)
	c.Any("the policy", t.policy)
	if t.waiting != nil {
		t.waiting.state(c, t.protocol.PullsUntil(round))
	}
	if c.Reading() {
		t.record.Round, t.pulls = round, t.protocol.PullsUntil(round)
	}
}
