package merge

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"banditsim/results"
)

// Bounds of a pack: trials, and bytes, which are in memory while it is written. Packs below half of both are put
// together.
const (
	packTrials = 4096
	packBytes  = 128 << 20
)

// pend adds a trial to the next pack.
func (m *Merger) pend(t trial) error {
	m.pending = append(m.pending, t.compressed)
	m.size += t.compressed.Size()
	if len(m.pending) < packTrials && m.size < packBytes {
		return nil
	}
	return m.flush()
}

// flush writes a pack and then removes the files that it replaces.
func (m *Merger) flush() error {
	if len(m.pending) > 0 {
		written, err := results.WritePack(m.Dir, m.pending)
		if err != nil {
			return err
		}
		m.summary.Packs++
		m.pending, m.size = nil, 0
		delete(m.dissolved, written)
	}
	for _, file := range m.obsolete {
		if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("merge: %w", err)
		}
	}
	m.obsolete = nil
	return nil
}

// repack packs the trials that have a file of their own, if all are to be packed, and those of packs that are
// small or of which trials were replaced.
func (m *Merger) repack() error {
	folder := filepath.Join(m.Dir, results.TrialsDir)
	packs := make(map[string][]results.Record)
	var again []results.Record
	for _, rec := range m.known {
		if pack, ok := rec.Packed(); ok && filepath.Dir(pack) == folder {
			packs[pack] = append(packs[pack], rec)
		} else if m.Pack && filepath.Dir(rec.Path) == folder {
			again = append(again, rec)
		}
	}
	if m.Pack {
		if err := m.removeCopies(); err != nil {
			return err
		}
		var small []string
		for pack, records := range packs {
			if info, err := os.Stat(pack); err == nil && len(records) < packTrials/2 && info.Size() < packBytes/2 {
				small = append(small, pack)
			}
		}
		if len(small) > 1 || len(small) == 1 && len(again)+len(m.pending) > 0 {
			for _, pack := range small {
				m.dissolved[pack] = true
			}
		}
	}
	for pack := range m.dissolved {
		again = append(again, packs[pack]...)
	}
	slices.SortFunc(again, func(a, b results.Record) int {
		return cmp.Or(cmp.Compare(a.Seed, b.Seed), cmp.Compare(a.FileName(), b.FileName()))
	})
	m.Pack = true
	err := m.addAll(again, func(t trial) error {
		if t.err != nil { // it was verified a moment ago
			return t.err
		}
		if strings.HasSuffix(t.from, ".jsonl") && filepath.Dir(t.from) == folder {
			m.remove(t.from)
		}
		return m.pend(t)
	})
	if err == nil {
		err = m.flush()
	}
	if err != nil {
		return err
	}
	for pack := range m.dissolved {
		m.obsolete = append(m.obsolete, pack)
	}
	return m.flush()
}

// removeCopies removes the files of trials that are in a pack too, as when a merge was killed.
func (m *Merger) removeCopies() error {
	paths, err := results.TrialFiles(m.Dir)
	if err != nil {
		return err
	}
	for _, file := range paths {
		packed, ok := m.known[filepath.Base(file)]
		if _, in := packed.Packed(); !ok || !in {
			continue
		}
		if rec, err := results.ReadRecord(file); err == nil && rec.Sum() == packed.Sum() {
			m.remove(file)
		}
	}
	return nil
}
