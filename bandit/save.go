package bandit

import (
	"fmt"

	"banditsim/internal/state"
)

var _ state.Object = (*Trial)(nil)

// MarshalBinary saves the trial between two rounds: the number of rounds done, the states of burn-in stream,
// environment and policy, and the delayed rewards. It returns an error if the environment or the policy is not an
// encoding.BinaryMarshaler, or if the trial is over. If one of them is a Replayer with a journal, only the number of
// rounds and the journals are saved. After UnmarshalBinary, the next call of Round then plays the saved rounds again
// first.
//
// Beware of embedding: a type that embeds a type with MarshalBinary inherits the method, which does not save the fields
// that the outer type adds.
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

// UnmarshalBinary restores the state that MarshalBinary saved. The trial must have been built with the same arguments
// and must not have played a round. After an error, the states of environment, policy and streams are undefined: all
// must be built again.
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
	if t.delayed != nil {
		t.delayed.state(c, t.protocol.PullsUntil(round))
	}
	if c.Reading() {
		t.record.Round, t.pulls = round, t.protocol.PullsUntil(round)
	}
}
