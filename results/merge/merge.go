// Package merge makes one output folder of the folders and archives that shards of an experiment wrote, and
// packs trials into files of a few thousand each.
package merge

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"banditsim/internal/wholefile"
	"banditsim/results"
)

// An ExperimentError reports that trials are of another experiment than the rest.
type ExperimentError struct{ Err error }

func (e *ExperimentError) Error() string { return e.Err.Error() }
func (e *ExperimentError) Unwrap() error { return e.Err }

// A Merger merges into a folder.
type Merger struct {
	Dir  string // of the output; the caller has locked it
	Pack bool   // whether all trials are packed
	// Warn, if not nil, is called with what does not stop the merge.
	Warn func(message string)

	summary   Summary
	known     map[string]results.Record // what the folder has, by file names
	settings  map[string]results.Record // the first trial of each environment, by the label in sidecars
	policies  map[string]results.Policy // by the labels of policy and environment
	pending   []results.Compressed
	size      int             // of pending, in bytes
	obsolete  []string        // files to remove when pending is written
	dissolved map[string]bool // packs whose trials go to others
}

// A Summary counts what a merge did.
type Summary struct {
	Added    int // trials that the folder did not have
	Replaced int // trials of which it had a lesser copy
	Present  int // trials that it had
	Packs    int // packs written
	Failed   []results.Record
	Damaged  []results.Damaged // left out
}

// Trials returns the trials that the folder has.
func (m *Merger) Trials() int { return len(m.known) }

// Merge adds to the folder, which is made if need be, the trials of the sources: output folders, with their packs, and archives
// of package export (.tar.gz). Every byte that is read is verified; damaged trials are listed and left out.
// Trials of another experiment are an *ExperimentError: another environment under the label of one, another protocol or results
// epoch, or other options under the label of a policy. Of a trial that is there with other bytes, the copy with diagnostics is kept, and a finished one before a
// failed one; any other difference is an error. What was merged before an error stays: merging again is the same as
// merging once.
func (m *Merger) Merge(sources []string) (Summary, error) {
	m.known, m.policies, m.settings = make(map[string]results.Record), make(map[string]results.Policy), make(map[string]results.Record)
	m.dissolved = make(map[string]bool)
	folder := filepath.Join(m.Dir, results.TrialsDir)
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return m.summary, fmt.Errorf("merge: output folder: %w", err)
	}
	wholefile.Tidy(folder)
	err := m.load()
	for _, source := range sources {
		if err == nil {
			err = m.checkHeads(source)
		}
	}
	for _, source := range sources {
		if err == nil {
			err = m.add(source)
		}
	}
	if err == nil {
		err = m.repack()
	}
	for _, rec := range m.known {
		if rec.Totals.Failure != nil {
			m.summary.Failed = append(m.summary.Failed, rec)
		}
	}
	slices.SortFunc(m.summary.Failed, func(a, b results.Record) int {
		return cmp.Or(cmp.Compare(a.Seed, b.Seed), cmp.Compare(a.FileName(), b.FileName()))
	})
	return m.summary, err
}

func (m *Merger) warn(format string, args ...any) {
	if m.Warn != nil {
		m.Warn(fmt.Sprintf(format, args...))
	}
}

// load verifies what the folder has. Damaged files are set aside, packs excepted.
func (m *Merger) load() error {
	sets, err := results.LoadMixed(m.Dir)
	if errors.Is(err, results.ErrNoTrials) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, d := range sets[0].Damaged {
		if info, err := os.Stat(d.Path); err != nil || !info.Mode().IsRegular() || strings.HasSuffix(d.Path, ".zip") {
			m.damaged(d.Path, d.Err)
			continue
		}
		to, err := results.SetAside(d.Path)
		if err != nil {
			return err
		}
		m.warn("%v: it is set aside as %s", d.Err, filepath.Base(to))
	}
	for _, set := range sets {
		for _, p := range set.Policies {
			for _, rec := range p.Records {
				sidecar, _ := rec.Sidecar() // a trial is complete without
				if err := m.check(rec, sidecar, rec.Path); err != nil {
					return err
				}
				m.known[rec.FileName()] = rec
			}
		}
	}
	return nil
}

func (m *Merger) damaged(path string, err error) {
	m.summary.Damaged = append(m.summary.Damaged, results.Damaged{Path: path, Err: err})
}

// checkHeads checks that the trials of a folder are of the experiment, before anything is written. Archives are
// checked as they are read.
func (m *Merger) checkHeads(source string) error {
	if info, err := os.Stat(source); err != nil || !info.IsDir() {
		return err
	}
	records, _, err := results.Heads(source)
	if err != nil {
		return fmt.Errorf("merge: %s: %w: want a folder that 'banditsim run' wrote", source, err)
	}
	for _, rec := range records {
		sidecar, _ := rec.Sidecar() // a trial is complete without
		if err := m.check(rec, sidecar, rec.Path); err != nil {
			return err
		}
	}
	return nil
}

// check returns an error if the trial is of another experiment, as its sidecar and the trials before it say. A trial without a
// readable sidecar, which is the zero value then, must be of an environment that is known.
func (m *Merger) check(rec results.Record, sidecar results.Sidecar, from string) error {
	label := sidecar.Environment // "" in an experiment on one
	like, ok := m.settings[label]
	if sidecar.Label == "" {
		for _, other := range m.settings {
			if alike(rec, other) {
				return nil
			}
			like, ok = other, true
		}
	}
	if !ok && len(m.settings) > 0 && (label == "" || m.hasUnnamed()) {
		return &ExperimentError{fmt.Errorf("merge: %s is of another experiment: one of them is on several environments", from)}
	}
	if !ok {
		m.settings[label] = rec
		like = rec
	}
	if !alike(rec, like) {
		other := rec.Identity()
		other.Policy, other.Seed = *like.Policy, like.Seed
		field, is, was := results.FirstDifference(other, like.Identity())
		return &ExperimentError{fmt.Errorf("merge: %s is of another experiment: %s is %s there and %s in %s", from, field, is, was, like.Path)}
	}
	if sidecar.Label == "" {
		return nil
	}
	policy, ok := m.policies[sidecar.Label+"\x00"+label]
	if !ok {
		m.policies[sidecar.Label+"\x00"+label] = *rec.Policy
	} else if policy.Name != rec.Policy.Name || !bytes.Equal(policy.Options, rec.Policy.Options) {
		other := rec.Identity()
		other.Policy = policy
		field, is, was := results.FirstDifference(rec.Identity(), other)
		return &ExperimentError{fmt.Errorf("merge: %s is of another experiment: %s of %s is %s there and %s elsewhere", from, field, sidecar.Label, is, was)}
	}
	return nil
}

// hasUnnamed reports whether a trial of an experiment on one environment was seen.
func (m *Merger) hasUnnamed() bool {
	_, ok := m.settings[""]
	return ok
}

// alike reports whether two trials are of the same setting.
func alike(a, b results.Record) bool {
	i := a.Identity()
	i.Policy, i.Seed = *b.Policy, b.Seed
	return i.ID() == b.ID()
}

// A trial is one trial of a source.
type trial struct {
	rec            results.Record
	bytes, sidecar []byte
	compressed     results.Compressed // with Merger.Pack
	from           string
	err            error // what is wrong with it
}

// read reads and verifies a trial.
func (m *Merger) read(rec results.Record) trial {
	t := trial{from: rec.Path}
	t.bytes, t.sidecar, t.err = rec.Bytes()
	if t.err == nil {
		t.verify(path.Base(filepath.ToSlash(rec.Path)), m.Pack)
	}
	return t
}

func (t *trial) verify(name string, compress bool) {
	if t.rec, t.err = results.Parse(t.bytes); t.err == nil && t.rec.FileName() != name {
		t.err = fmt.Errorf("it has the trial of a file %s", t.rec.FileName())
	}
	if t.err != nil {
		t.err = fmt.Errorf("merge: read %s: %w", t.from, t.err)
		return
	}
	t.rec.Path = t.from
	if compress {
		t.compressed, t.err = results.Compress(t.rec, t.bytes, t.sidecar)
	}
}

// add adds a source.
func (m *Merger) add(source string) error {
	info, err := os.Stat(source)
	if err != nil {
		return fmt.Errorf("merge: %w", err)
	}
	if !info.IsDir() {
		return m.addArchive(source)
	}
	records, bad, err := results.Heads(source)
	if err != nil {
		return fmt.Errorf("merge: %s: %w", source, err)
	}
	for _, d := range bad {
		m.damaged(d.Path, d.Err)
	}
	return m.addAll(records, m.put)
}

// addAll reads trials on all processors and passes them to put in their order.
func (m *Merger) addAll(records []results.Record, put func(trial) error) error {
	var first error
	err := results.InOrder(records, func(rec results.Record) (trial, error) { return m.read(rec), nil }, func(_ results.Record, t trial) {
		if first == nil {
			first = put(t)
		}
	})
	return cmp.Or(first, err)
}

// put adds a verified trial.
func (m *Merger) put(t trial) error {
	if t.err != nil {
		m.damaged(t.from, t.err)
		return nil
	}
	name := t.rec.FileName()
	old, there := m.known[name]
	if there && old.Sum() == t.rec.Sum() {
		m.summary.Present++
		return nil
	}
	var sidecar results.Sidecar
	if t.sidecar != nil && json.Unmarshal(t.sidecar, &sidecar) != nil {
		sidecar = results.Sidecar{} // the provenance is unknown
	}
	if err := m.check(t.rec, sidecar, t.from); err != nil {
		return err
	}
	if there {
		keep, err := m.better(old, t)
		if err != nil || !keep {
			m.summary.Present++
			return err
		}
		m.summary.Replaced++
		if pack, ok := old.Packed(); ok {
			m.dissolved[pack] = true
		}
	} else {
		m.summary.Added++
	}
	return m.write(t)
}

// better reports whether a trial is to replace the copy that the folder has.
func (m *Merger) better(old results.Record, t trial) (bool, error) {
	if failed, fails := old.Totals.Failure != nil, t.rec.Totals.Failure != nil; failed != fails {
		m.warn("%s and %s are the same trial, and one of them failed: the other is kept", old.Path, t.from)
		return failed, nil
	}
	a, b := old.Totals, t.rec.Totals
	a.Failure, b.Failure = nil, nil
	if a != b {
		return false, fmt.Errorf("merge: %s and %s are the same trial with other numbers (%v, %v): one machine or program is faulty", old.Path, t.from, a, b)
	}
	was, _, err := old.Bytes()
	return len(t.bytes) > len(was), err
}

// write writes a trial to a file, or adds it to the next pack.
func (m *Merger) write(t trial) error {
	name := t.rec.FileName()
	file := filepath.Join(m.Dir, results.TrialsDir, name)
	if !m.Pack {
		if t.sidecar != nil { // first, so that there is never a trial without
			if err := wholefile.Write(results.SidecarPath(file), t.sidecar); err != nil {
				return err
			}
		}
		if err := wholefile.Write(file, t.bytes); err != nil {
			return err
		}
		t.rec.Path = file
		m.known[name] = t.rec
		return nil
	}
	if old, ok := m.known[name]; ok {
		if _, ok := old.Packed(); !ok {
			m.remove(file)
		}
	}
	m.known[name] = t.rec
	return m.pend(t)
}

// remove marks the file of a trial as one that a pack replaces.
func (m *Merger) remove(file string) {
	m.obsolete = append(m.obsolete, file, results.SidecarPath(file))
}
