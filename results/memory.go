package results

import (
	"bytes"
	"errors"
	"fmt"
)

// MemorySet returns finished trials of InMemory as a set, as Load does for the trials of a folder. The set keeps the
// bytes of each trial. The error is a *MixedError if the conditions of the trials differ.
func MemorySet(trials []*Writer) (*Set, error) {
	if len(trials) == 0 {
		return nil, errors.New("results: a set of no trials")
	}
	l := newLoader("", nil)
	for _, w := range trials {
		rec, err := scan(bytes.NewReader(w.text.Bytes()), visitor{})
		if err != nil {
			return nil, fmt.Errorf("results: trial in memory: %w", err)
		}
		rec.Path, rec.text, rec.sidecar = rec.FileName(), w.text.Bytes(), &sidecarFile{Sidecar: w.sidecar}
		l.add(rec)
	}
	return onlySet("", l.finish())
}
