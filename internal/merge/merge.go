// Package merge merges the output folders of an experiment's shards into one.
package merge

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"banditsim/internal/wholefile"
	"banditsim/results"
)

// A Merger merges output folders into one.
type Merger struct {
	Dir string // output folder; the caller must have locked it
	// Warn, if not nil, is called with each warning that does not stop the merge.
	Warn func(message string)

	experiment
	summary Summary
	known   map[string]results.Record // trials in Dir, by file name
	aside   []results.Damaged         // files of Dir that were renamed; Path is the old path of a trial, a sidecar or pulls
}

// A Summary counts what a merge did.
type Summary struct {
	Added    int               // trials that the folder did not have
	Replaced int               // trials whose copy in the folder was replaced or completed
	Present  int               // trials whose copy in the folder was kept as it is
	Failed   []results.Record  // failed trials in the folder
	Damaged  []results.Damaged // files that were left out
}

// Trials returns the number of trials that the folder has.
func (m *Merger) Trials() int { return len(m.known) }

// Merge copies the source folders' trials, with sidecars and recorded pulls, to the output folder, made if needed.
// Every byte is verified: damaged files in a source are listed and left out; those in the output folder are set aside.
//
// Merge returns an *ExperimentError if trials in one environment differ in their conditions, such as protocol or epoch,
// if policies with one label differ in name or options, or if only some trials name their environment.
//
// If two copies of a trial differ, a finished one is preferred to a failed one, and one with diagnostics to one
// without. Any other difference is an error. Scores and pulls are kept if either copy has them.
//
// Trials that were merged before an error stay. A repeated merge, by a new Merger, copies only what the folder lacks.
func (m *Merger) Merge(sources []string) (Summary, error) {
	m.known = make(map[string]results.Record)
	m.policies, m.settings = make(map[string]results.Policy), make(map[string]results.Record)
	folder := filepath.Join(m.Dir, results.TrialsDir)
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return m.summary, fmt.Errorf("merge: output folder: %w", err)
	}
	wholefile.Tidy(folder)
	err := m.merge(sources)
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

// merge checks that all trials are of one experiment, and then copies them.
func (m *Merger) merge(sources []string) error {
	present, damaged, err := load(m.Dir)
	if err != nil {
		return err
	}
	for _, d := range damaged {
		newPath, err := results.SetAside(d.Path)
		if err != nil {
			return err
		}
		d.Err = fmt.Errorf("%w: it is set aside as %s", d.Err, filepath.Base(newPath))
		m.aside = append(m.aside, d)
	}
	for _, rec := range present {
		if !isDamaged(rec) {
			if err := m.check(rec); err != nil {
				return err
			}
		}
		m.known[rec.FileName()] = rec
	}
	var all []results.Record
	for _, source := range sources {
		records, damaged, err := load(source)
		if err != nil {
			return err
		}
		m.summary.Damaged = append(m.summary.Damaged, damaged...)
		all = append(all, records...)
	}
	isIntact := func(rec results.Record) bool { return !isDamaged(rec) }
	// Trials with a damaged sidecar are checked last, when the conditions of the experiment are known.
	all = append(slices.DeleteFunc(slices.Clone(all), isDamaged), slices.DeleteFunc(all, isIntact)...)
	sound := all[:0]
	for _, rec := range all {
		switch err := m.check(rec); {
		case err == nil:
			sound = append(sound, rec)
		case isDamaged(rec): // without its sidecar, the trial cannot be assigned to an environment
			m.summary.Damaged = append(m.summary.Damaged, results.Damaged{Path: rec.Path, Err: err})
		default:
			return err
		}
	}
	for _, rec := range sound {
		if err := m.put(rec); err != nil {
			return err
		}
	}
	return nil
}

// load returns the trials of a folder and the damaged files. It verifies sidecars and pulls too.
func load(dir string) (all []results.Record, damaged []results.Damaged, err error) {
	sets, err := results.LoadMixed(dir)
	var unreadable *results.UnreadableError
	switch {
	case errors.As(err, &unreadable):
		return nil, unreadable.Damaged, nil
	case errors.Is(err, results.ErrNoTrials):
		return nil, nil, nil
	case err != nil:
		return nil, nil, fmt.Errorf("merge: %w", err)
	}
	if sets, err = results.LeaveOut(sets, results.CheckPulls, func(results.Damaged) {}); err != nil {
		return nil, nil, fmt.Errorf("merge: %w", err)
	}
	damaged = sets[0].Damaged
	for _, set := range sets {
		for _, p := range set.Policies {
			for _, rec := range p.Records {
				if name := rec.FileName(); filepath.Base(rec.Path) != name {
					err := fmt.Errorf("merge: read %s: it has the trial of a file %s: rename it", rec.Path, name)
					// Its sidecar, if there is one, is of another trial, or is left out with the file.
					damaged = slices.DeleteFunc(damaged, func(d results.Damaged) bool { return d.Path == results.SidecarPath(rec.Path) })
					damaged = append(damaged, results.Damaged{Path: rec.Path, Err: err})
					continue
				}
				all = append(all, rec)
			}
		}
	}
	return all, damaged, nil
}

// isDamaged reports whether the sidecar of a trial is damaged.
func isDamaged(rec results.Record) bool {
	_, err := rec.Sidecar()
	return errors.As(err, new(results.Damaged))
}

// selection says which files of a trial to copy from a source.
type selection struct{ trial, sidecar, pulls bool }

// put copies the files of a trial that the folder lacks, and those that are better than the folder's copies.
func (m *Merger) put(rec results.Record) (err error) {
	name := rec.FileName()
	old, exists := m.known[name]
	take := selection{true, true, true}
	if exists {
		if take, err = m.choose(&old, &rec); err != nil {
			return err
		}
	}
	if take == (selection{}) {
		m.summary.Present++
		return nil
	}
	folder := filepath.Join(m.Dir, results.TrialsDir)
	_, unknown := rec.Sidecar()
	err = rec.Copy(folder, take.trial, take.sidecar && unknown == nil, take.pulls && rec.HasPulls())
	if damaged, ok := errors.AsType[results.Damaged](err); ok { // the file has changed since load verified it
		m.summary.Damaged = append(m.summary.Damaged, damaged)
		return nil
	}
	if err != nil {
		return err
	}
	if m.known[name], err = results.ReadRecord(filepath.Join(folder, name)); err != nil {
		return err
	}
	if exists {
		m.summary.Replaced++
	} else {
		m.summary.Added++
	}
	return nil
}

// choose returns which files of a trial replace those in the folder. old is the folder's copy, rec the source's.
func (m *Merger) choose(old, rec *results.Record) (take selection, err error) {
	keep, other := old, rec
	if old.Sum != rec.Sum {
		if failed := old.Totals.Failure != nil; failed != (rec.Totals.Failure != nil) {
			m.warn("%s and %s are the same trial, and one of them failed: the other is kept", old.Path, rec.Path)
			if failed {
				return selection{true, true, true}, wholefile.Remove(results.PullsPath(old.Path)) // pulls of the failed copy
			}
			return selection{}, nil
		}
		a, b := old.Totals, rec.Totals
		a.Failure, b.Failure = nil, nil
		if a != b {
			return selection{}, fmt.Errorf("merge: %s and %s are the same trial with other numbers (%v, %v): one machine or program is faulty", old.Path, rec.Path, a, b)
		}
		if round, err := old.FirstDifference(*rec); err != nil || round > 0 {
			return selection{}, cmp.Or(err, fmt.Errorf("merge: %s and %s are the same trial with other numbers in round %d: one machine or program is faulty", old.Path, rec.Path, round))
		}
		if size(rec.Path) > size(old.Path) {
			keep, other = rec, old
		}
	}
	sidecar, err := keep.Sidecar()
	otherSidecar, otherErr := other.Sidecar()
	swapSidecar := otherErr == nil && (err != nil || sidecar.Score == nil && otherSidecar.Score != nil)
	swapPulls := other.HasPulls() && !keep.HasPulls()
	fromSource := keep == rec
	return selection{fromSource, fromSource != swapSidecar, fromSource != swapPulls}, nil
}

// size returns the size of a file in bytes, or 0 if it does not exist.
func size(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}

func (m *Merger) warn(format string, args ...any) {
	if m.Warn != nil {
		m.Warn(fmt.Sprintf(format, args...))
	}
}

// reportAside lists each file that was set aside as damaged, or warns if a sound copy has taken its place.
func (m *Merger) reportAside() {
	for _, d := range m.aside {
		if _, err := os.Lstat(d.Path); err == nil {
			m.warn("%v, and a sound copy took its place", d.Err)
		} else {
			m.summary.Damaged = append(m.summary.Damaged, d)
		}
	}
}
