package bandit

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"

	"banditsim/internal/state"
)

// A Replayer is an environment or a policy whose state may be impossible to save, such as a child process. It keeps a
// journal of its answers instead. A trial is then restored by playing it again, and answers must equal the journal.
type Replayer interface {
	// Journal returns the answers so far, or nil if the state can be saved by MarshalBinary.
	Journal() []byte
	// Replay makes the Replayer return an error from the first method whose answer differs from the journal.
	Replay(journal []byte) error
}

// journalOf returns the journal of an environment or a policy, or nil if it has none.
func journalOf(part any) []byte {
	if r, ok := As[Replayer](part); ok {
		return r.Journal()
	}
	return nil
}

// journals saves or restores the number of rounds done and the journals of environment and policy.
func (t *Trial) journals(c *state.Codec) {
	round := t.record.Round
	c.Int("rounds", &round, 0, t.protocol.Rounds)
	if c.Reading() {
		t.again = round
	}
	for _, part := range []any{t.env, t.policy} {
		journal := journalOf(part)
		replays := journal != nil
		c.Blob(&journal)
		if c.Reading() && c.Err() == nil && replays {
			r, _ := As[Replayer](part)
			c.Fail(r.Replay(journal))
		}
	}
}

// catchUp plays the first t.again rounds of a trial that was restored from journals. It does not record them.
func (t *Trial) catchUp(ctx context.Context) error {
	rounds := t.again
	if t.record.Round >= rounds {
		return nil
	}
	t.again = 0
	recorder, pulls := t.recorder, t.recordPulls
	t.recorder = nil
	if pulls != nil { // so that a Randomizer is asked for its propensities again: its journal may contain them
		t.recordPulls = func(*PullRecord) error { return nil }
	}
	defer func() { t.recorder, t.recordPulls = recorder, pulls }()
	for t.record.Round < rounds {
		if err := t.Round(ctx); err != nil {
			t.again = rounds // if ctx is done, the next call goes on
			return err
		}
	}
	return nil
}

// Close closes the environment and the policy, once, if they are io.Closers, as child processes are. It ends the trial.
func (t *Trial) Close() (err error) {
	if t.closed {
		return nil
	}
	t.over, t.closed = true, true
	for _, part := range []any{t.policy, t.env} {
		if c, ok := As[io.Closer](part); ok {
			err = cmp.Or(err, c.Close())
		}
	}
	return err
}

// Stop calls the methods Stop of environment and policy, if they have them. A method Stop makes all later calls, and a
// current call that waits for another process, return an error. Any goroutine may call Stop at any time.
func (t *Trial) Stop() {
	for _, part := range []any{t.policy, t.env} {
		if s, ok := As[interface{ Stop() }](part); ok {
			s.Stop()
		}
	}
}

// External reports whether environment or policy run in another process, that is, whether one has a method Printed.
func (t *Trial) External() bool {
	_, env := As[interface{ Printed() string }](t.env)
	_, policy := As[interface{ Printed() string }](t.policy)
	return env || policy
}

// Printed returns the last part of what environment and policy have printed so far, according to their methods Printed.
func (t *Trial) Printed() string {
	var texts []string
	for i, part := range []any{t.env, t.policy} {
		if p, ok := As[interface{ Printed() string }](part); ok {
			if text := p.Printed(); text != "" {
				texts = append(texts, fmt.Sprintf("The %s printed:\n%s", []string{"environment", "policy"}[i], text))
			}
		}
	}
	return strings.Join(texts, "\n")
}

var _ state.Object = (*Trial)(nil)

// MarshalBinary saves the trial between two rounds: the number of rounds done, the states of burn-in stream,
// environment and policy, and the delayed rewards. It returns an error if the environment or the policy is not an
// encoding.BinaryMarshaler, or if the trial is over. If one of them is a Replayer with a journal, only the number of
// rounds and the journals are saved. The first call of Round after UnmarshalBinary then plays the saved rounds again.
//
// Beware: embedding a type with MarshalBinary inherits the method, which does not save the outer type's own fields.
func (t *Trial) MarshalBinary() ([]byte, error) {
	if t.over {
		return nil, fmt.Errorf("bandit: save the trial: it failed, was scored or was closed in round %d", t.record.Round)
	}
	if t.again > t.record.Round {
		return nil, fmt.Errorf("bandit: save the trial: it was restored from journals and has played %d of %d rounds again: call Round first", t.record.Round, t.again)
	}
	b, err := state.Save(t.state)
	if err != nil {
		return nil, fmt.Errorf("bandit: save the trial: %w", err)
	}
	return b, nil
}

// UnmarshalBinary restores the state that MarshalBinary saved. The trial must have been built with the same arguments
// and must not have played a round. After an error, environment, policy and streams must be built again.
func (t *Trial) UnmarshalBinary(b []byte) error {
	if err := state.Restore(b, t.state); err != nil {
		t.over = true
		return fmt.Errorf("bandit: restore the trial: %w", err)
	}
	return nil
}

func (t *Trial) state(c *state.Codec) {
	if journalOf(t.env) != nil || journalOf(t.policy) != nil {
		t.journals(c) // the trial is restored by playing it again
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
