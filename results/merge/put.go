package merge

import (
	"fmt"
	"path/filepath"
	"slices"

	"banditsim/internal/wholefile"
	"banditsim/results"
)

// put adds a verified trial.
func (m *Merger) put(t trial) error {
	for _, d := range t.bad {
		m.damaged(d.Path, d.Err)
	}
	if t.err != nil {
		m.damaged(t.from, t.err)
		return nil
	}
	if m.waiting[t.rec.FileName()] { // so that it can be read
		if err := m.flush(); err != nil {
			return err
		}
	}
	old, there := m.known[t.rec.FileName()]
	if there && old.Sum() == t.rec.Sum() && !t.adds(old) {
		m.summary.Present++
		return nil
	}
	if err := m.check(t.rec, t.sidecar, t.from); err != nil {
		if slices.ContainsFunc(t.bad, func(d results.Damaged) bool { return d.Path == results.SidecarPath(t.from) }) {
			m.damaged(t.from, err) // its sidecar, by which it would be known, is damaged
			return nil
		}
		return err
	}
	if !there {
		m.summary.Added++
		return m.write(t)
	}
	t, replaces, err := m.join(old, t)
	if err != nil || !replaces {
		m.summary.Present++
		return err
	}
	m.summary.Replaced++
	if pack, ok := old.Packed(); ok {
		m.dissolved[pack] = true
	}
	return m.write(t)
}

// adds reports whether the trial has pulls, a sidecar or a score that old, the same trial of the folder, lacks.
func (t *trial) adds(old results.Record) bool {
	if t.files.Pulls.Len() > 0 && !old.HasPulls() {
		return true
	}
	was, err := old.Sidecar()
	return t.files.Sidecar != nil && (err != nil || t.sidecar.Score != nil && was.Score == nil)
}

// join returns the better of two copies of a trial, with what the other has beside it, and whether that is to replace
// the copy that the folder has.
func (m *Merger) join(old results.Record, t trial) (joined trial, replaces bool, err error) {
	o := m.read(old)
	if o.err != nil { // it was sound when the folder was read
		return t, true, nil
	}
	if failed, fails := old.Totals.Failure != nil, t.rec.Totals.Failure != nil; failed != fails {
		m.warn("%s and %s are the same trial, and one of them failed: the other is kept", old.Path, t.from)
		return t, failed, nil
	}
	a, b := old.Totals, t.rec.Totals
	a.Failure, b.Failure = nil, nil
	if a != b {
		return t, false, fmt.Errorf("merge: %s and %s are the same trial with other numbers (%v, %v): one machine or program is faulty", old.Path, t.from, a, b)
	}
	joined, other := o, t
	if t.files.Trial.Len() > o.files.Trial.Len() {
		joined, other, replaces = t, o, true
	}
	if other.files.Sidecar != nil && (joined.files.Sidecar == nil || joined.sidecar.Score == nil && other.sidecar.Score != nil) {
		joined.files.Sidecar, joined.sidecar, replaces = other.files.Sidecar, other.sidecar, true
	}
	if other.files.Pulls.Len() > 0 && joined.files.Pulls.Len() == 0 {
		joined.files.Pulls, replaces = other.files.Pulls, true
	}
	if replaces && m.Pack {
		joined.compressed, err = results.Compress(joined.rec, joined.files)
	}
	return joined, replaces, err
}

// write writes a trial to a file, or adds it to the next pack.
func (m *Merger) write(t trial) error {
	name := t.rec.FileName()
	file := filepath.Join(m.Dir, results.TrialsDir, name)
	if !m.Pack { // the trial last, so that there is never one without the others
		var err error
		if t.files.Sidecar != nil {
			err = wholefile.Write(results.SidecarPath(file), t.files.Sidecar)
		}
		if err == nil {
			err = results.WriteContent(results.PullsPath(file), t.files.Pulls)
		}
		if err == nil {
			err = results.WriteContent(file, t.files.Trial)
		}
		if err != nil {
			return err
		}
		rec, err := results.ReadRecord(file)
		m.known[name] = rec
		return err
	}
	if old, ok := m.known[name]; ok {
		if _, ok := old.Packed(); !ok {
			m.remove(file)
		}
	}
	m.known[name] = t.rec
	return m.pend(t)
}

// remove marks the files of a trial as files that a pack replaces.
func (m *Merger) remove(file string) {
	m.obsolete = append(m.obsolete, file, results.SidecarPath(file), results.PullsPath(file))
}
