// Package merge makes one output folder of the folders and archives that shards of an experiment wrote, and
// packs trials into files of a few thousand each.
package merge

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"banditsim/internal/flatjson"
	"banditsim/internal/wholefile"
	"banditsim/results"
)

// An ExperimentError reports that trials are of another experiment than the rest.
type ExperimentError struct{ Err error }

func (e *ExperimentError) Error() string { return e.Err.Error() }
func (e *ExperimentError) Unwrap() error { return e.Err }

// A Merger merges into a folder.
type Merger struct {
	Dir  string // output folder; the caller has locked it
	Pack bool   // whether all trials are packed
	// Warn, if not nil, is called with what does not stop the merge.
	Warn func(message string)

	summary   Summary
	known     map[string]results.Record // what the folder has, by file names
	settings  map[string]results.Record // the first trial of each environment, by the label in sidecars
	bare      *results.Record           // the first trial without a label, if it came before all others
	policies  map[string]results.Policy // keys are the labels of policy and environment
	aside     []setAside
	pending   []results.Compressed
	waiting   map[string]bool // file names of pending
	size      int             // size of pending, in bytes
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

// Merge adds to the folder, which is made if need be, the trials of the sources, with their sidecars and recorded pulls: output folders, with their packs, and archives
// of package export (.tar.gz). Every byte that is read is verified; damaged files are listed and left out.
// Trials of another experiment are an *ExperimentError: another environment under the label of one, another protocol or results
// epoch, or other options under the label of a policy. Of a trial that is there with other bytes, the copy with diagnostics is kept, and a finished one before a
// failed one; any other difference is an error. Scores and pulls that one copy has are kept with either. What was merged before an error stays: merging again is the same as
// merging once.
func (m *Merger) Merge(sources []string) (Summary, error) {
	m.known, m.policies, m.settings = make(map[string]results.Record), make(map[string]results.Policy), make(map[string]results.Record)
	m.dissolved, m.waiting = make(map[string]bool), make(map[string]bool)
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
	m.reportAside()
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
	var unreadable *results.UnreadableError
	if errors.As(err, &unreadable) {
		sets, err = []*results.Set{{Damaged: unreadable.Damaged}}, nil
	}
	if errors.Is(err, results.ErrNoTrials) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, d := range sets[0].Damaged {
		if err := m.setAside(d); err != nil {
			return err
		}
	}
	for _, set := range sets {
		for _, p := range set.Policies {
			for _, rec := range p.Records {
				if err := m.checkRecord(rec); err != nil {
					return err
				}
				m.known[rec.FileName()] = rec
			}
		}
	}
	return nil
}

// damaged lists a damaged file, once.
func (m *Merger) damaged(path string, err error) {
	m.summary.Damaged = slices.DeleteFunc(m.summary.Damaged, func(d results.Damaged) bool { return d.Path == path })
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
		if err := m.checkRecord(rec); err != nil {
			return err
		}
	}
	return nil
}

// checkRecord is check of a trial on disk. One whose sidecar is damaged is checked with its source, after the others.
func (m *Merger) checkRecord(rec results.Record) error {
	sidecar, err := rec.Sidecar() // a trial is complete without
	if errors.As(err, new(results.Damaged)) {
		return nil
	}
	return m.check(rec, sidecar, rec.Path)
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
		if !ok && m.bare == nil {
			m.bare = &rec
			return nil
		}
		if !ok {
			like, ok = *m.bare, true
		}
	}
	if !ok && len(m.settings) > 0 && (label == "" || m.hasUnnamed()) {
		return &ExperimentError{fmt.Errorf("merge: %s is of another experiment: one of them is on several environments", from)}
	}
	if !ok {
		like = rec
		if m.bare != nil && label == "" {
			like = *m.bare
		}
		m.settings[label] = like
	}
	if !alike(rec, like) {
		other := rec.Identity()
		other.Policy, other.Seed = *like.Policy, like.Seed
		field, is, was := flatjson.FirstDifference(other, like.Identity())
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
		field, is, was := flatjson.FirstDifference(rec.Identity(), other)
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
