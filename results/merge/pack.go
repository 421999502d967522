package merge

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

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
	m.waiting[t.rec.FileName()] = true
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
		records, err := results.ReadPack(written)
		if err != nil {
			return err
		}
		for _, rec := range records {
			m.known[rec.FileName()] = rec
		}
		m.summary.Packs++
		m.pending, m.size = nil, 0
		clear(m.waiting)
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
	for name, rec := range m.known {
		if m.waiting[name] {
			continue
		}
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
		if err := m.dissolveCopies(); err != nil {
			return err
		}
		var small []string
		for pack, records := range packs {
			if info, err := os.Stat(pack); err == nil && !m.holdsDamage(pack) && len(records) < packTrials/2 && info.Size() < packBytes/2 {
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
		plain := filepath.Dir(t.from) == folder
		bad := t.bad
		if t.err != nil { // it was verified a moment ago, or trusted as a stamp has it
			bad = append(bad, results.Damaged{Path: t.from, Err: t.err})
			delete(m.known, filepath.Base(t.from))
		}
		for _, d := range bad {
			if err := m.setAside(d); err != nil {
				return err
			}
		}
		if t.err != nil {
			return nil
		}
		if plain {
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
		if !m.holdsDamage(pack) {
			m.obsolete = append(m.obsolete, pack)
		}
	}
	return m.flush()
}

// dissolveCopies dissolves the packs of the folder with a copy of a trial of which another is known, as after a trial of a pack was run again for its
// pulls or scores.
func (m *Merger) dissolveCopies() error {
	packs, err := results.PackFiles(m.Dir)
	if err != nil {
		return err
	}
	for _, pack := range packs {
		records, err := results.ReadPack(pack)
		if err != nil {
			continue // it is listed as damaged
		}
		for _, rec := range records {
			known, ok := m.known[rec.FileName()]
			if in, _ := known.Packed(); ok && in != pack && known.Sum() == rec.Sum() {
				m.dissolved[pack] = true
			}
		}
	}
	return nil
}

// holdsDamage reports whether a pack has a damaged file of which there is no sound copy: it is kept, so that the bytes are not lost.
func (m *Merger) holdsDamage(pack string) bool {
	return slices.ContainsFunc(m.summary.Damaged, func(d results.Damaged) bool { return filepath.Dir(d.Path) == pack && !m.replaced(d.Path) })
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
