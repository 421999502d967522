package bandit

import (
	"context"
	"fmt"
	"io"
	"strings"

	"banditsim/internal/state"
)

// A Replayer is an environment or a policy that may have no state to save, such as a child process. It keeps a journal
// of its answers instead: its trial is restored by playing it again, and the answers are compared.
type Replayer interface {
	// Journal returns the answers so far, nil if there is a state to save.
	Journal() []byte
	// Replay makes it return an error at the first answer that is not that of the journal.
	Replay(journal []byte) error
}

// journalOf returns the journal of a part of the trial, nil if it is saved otherwise.
func journalOf(part any) []byte {
	if r, ok := As[Replayer](part); ok {
		return r.Journal()
	}
	return nil
}

// replays reports whether the trial is restored by playing it again.
func (t *Trial) replays() bool { return journalOf(t.env) != nil || journalOf(t.policy) != nil }

// journals saves the number of rounds done and the journals of the parts that have one, or
// restores them.
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

// catchUp plays the rounds that were played before the trial was saved, without recording them.
func (t *Trial) catchUp(ctx context.Context) error {
	rounds := t.again
	if t.record.Round >= rounds {
		return nil
	}
	t.again = 0
	recorder, pulls := t.recorder, t.recordPulls
	t.recorder = nil
	if pulls != nil { // a policy then acts as it did
		t.recordPulls = func(*PullRecord) error { return nil }
	}
	defer func() { t.recorder, t.recordPulls = recorder, pulls }()
	for t.record.Round < rounds {
		if err := t.Round(ctx); err != nil {
			t.over = true
			return err
		}
	}
	return nil
}

// Close ends what environment and policy hold outside the process, if they are closers. The trial is over.
func (t *Trial) Close() error {
	t.over = true
	var err error
	for _, part := range []any{t.policy, t.env} {
		if c, ok := As[io.Closer](part); ok {
			if e := c.Close(); err == nil {
				err = e
			}
		}
	}
	return err
}

// Stop makes a round that waits for something outside the process end with an error, by the method Stop of
// environment and policy, which makes a call that waits, and all later ones, return one. Any goroutine may call it at
// any time.
func (t *Trial) Stop() {
	for _, part := range []any{t.policy, t.env} {
		if s, ok := As[interface{ Stop() }](part); ok {
			s.Stop()
		}
	}
}

// Printed returns the end of what environment and policy have printed so far, as their methods Printed say.
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
