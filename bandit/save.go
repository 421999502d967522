package bandit

import (
	"encoding"
	"fmt"

	"banditsim/internal/state"
)

var (
	_ encoding.BinaryMarshaler   = (*Trial)(nil)
	_ encoding.BinaryUnmarshaler = (*Trial)(nil)
)

// MarshalBinary saves the trial between two rounds: how many it has done, and the
// state of the burn-in stream, the environment and the policy. It is an error if one
// of these has no state (encoding.BinaryMarshaler), and after a round that ended
// with an error.
//
// A policy or environment of one's own can be saved if it implements
// encoding.BinaryMarshaler and BinaryUnmarshaler. Mind embedding: a type that embeds one
// that can be saved and adds fields that change inherits methods that know nothing of them.
func (t *Trial) MarshalBinary() ([]byte, error) {
	if t.over {
		return nil, fmt.Errorf("bandit: save the trial: round %d ended with an error", t.record.Round)
	}
	var w state.Writer
	w.Int(t.record.Round)
	w.Object(t.burnIn)
	w.Any("the environment", t.env)
	w.Any("the policy", t.policy)
	b, err := w.Bytes()
	if err != nil {
		return nil, fmt.Errorf("bandit: save the trial: %w", err)
	}
	return b, nil
}

// UnmarshalBinary goes on from what MarshalBinary saved. The trial must have been
// built with the same arguments, and no round of it played. On an error its parts are in no
// certain state: build all anew.
func (t *Trial) UnmarshalBinary(b []byte) error {
	r := state.NewReader(b)
	round := r.Int("rounds", 0, t.protocol.Rounds)
	r.Object(t.burnIn)
	r.Any("the environment", t.env)
	r.Any("the policy", t.policy)
	if err := r.Close(); err != nil {
		t.over = true
		return fmt.Errorf("bandit: restore the trial: %w", err)
	}
	t.record.Round, t.pulls = round, round*t.protocol.Pulls
	return nil
}
