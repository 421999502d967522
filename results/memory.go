package results

import (
	"bytes"
	"errors"
	"fmt"
)

// MemorySet is Load for trials in memory. Its argument has finished writers from InMemory. The set keeps the bytes of
// each trial. The error is a *MixedError if the conditions of the trials differ.
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
