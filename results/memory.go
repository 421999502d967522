package results

import (
	"bytes"
	"errors"
	"fmt"
)

// MemorySet returns finished trials InMemory of the same conditions as a set, as Load does those of a folder. It keeps the bytes of each.
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
		l.add(verified{rec: rec})
	}
	return one("", l.finish())
}
