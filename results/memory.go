package results

import (
	"bytes"
	"errors"
	"fmt"

	"banditsim/bandit"
)

// A Memory records a trial in memory, byte for byte as a Writer does in a file.
type Memory struct {
	w       *Writer
	text    bytes.Buffer
	sidecar Sidecar
}

var _ bandit.Recorder = (*Memory)(nil)

// NewMemory starts a trial. Of the sidecar, sets have the labels and the seeds that tuned the options.
func NewMemory(identity Identity, sidecar Sidecar) (*Memory, error) {
	m := &Memory{sidecar: sidecar}
	m.w = newWriter(identity.FileName(), &m.text, identity)
	return m, m.w.header()
}

// Record records the next round.
func (m *Memory) Record(r *bandit.RoundRecord) error { return m.w.Record(r) }

// Finish records the totals and the checksum. failure is nil if the trial did all its rounds.
func (m *Memory) Finish(failure *Failure) error { return m.w.end(failure) }

// Rounds returns the number of rounds recorded.
func (m *Memory) Rounds() int { return m.w.totals.Rounds }

// Bytes returns the file of a finished trial.
func (m *Memory) Bytes() []byte { return m.text.Bytes() }

// MemorySet returns finished trials of the same conditions as a set, as Load does those of a folder. It keeps the bytes of each.
func MemorySet(trials []*Memory) (*Set, error) {
	if len(trials) == 0 {
		return nil, errors.New("results: a set of no trials")
	}
	l := newLoader("", nil)
	for _, m := range trials {
		rec, err := scan(bytes.NewReader(m.Bytes()), visitor{})
		if err != nil {
			return nil, fmt.Errorf("results: trial in memory: %w", err)
		}
		rec.Path, rec.text, rec.sidecar = rec.FileName(), m.Bytes(), &sidecarFile{Sidecar: m.sidecar}
		l.add(verified{rec: rec})
	}
	sets := l.finish()
	if len(sets) > 1 {
		return nil, &MixedError{Sets: sets}
	}
	return sets[0], nil
}
