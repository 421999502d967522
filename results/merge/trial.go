package merge

import (
	"cmp"
	"fmt"
	"os"
	"path"
	"path/filepath"

	"banditsim/results"
)

// A trial is one trial of a source.
type trial struct {
	rec        results.Record
	files      results.Files
	sidecar    results.Sidecar    // the zero value if there is no sound one
	compressed results.Compressed // with Merger.Pack
	from       string
	bad        []results.Damaged // of its sidecar and pulls, which are left out
	err        error             // what is wrong with it
}

// read reads and verifies a trial.
func (m *Merger) read(rec results.Record) trial {
	t := trial{from: rec.Path}
	t.files, t.bad, t.err = rec.Files()
	if t.err == nil {
		t.verify(path.Base(filepath.ToSlash(rec.Path)), m.Pack)
	}
	return t
}

// verify verifies the files of a trial, of which the first must have the given name.
func (t *trial) verify(name string, compress bool) {
	if t.rec, t.err = results.Parse(t.files.Trial); t.err == nil && t.rec.FileName() != name {
		t.err = fmt.Errorf("it has the trial of a file %s", t.rec.FileName())
	}
	if t.err != nil {
		t.err = fmt.Errorf("merge: read %s: %w", t.from, t.err)
		return
	}
	t.rec.Path = t.from
	if t.files.Sidecar != nil {
		var err error
		if t.sidecar, _, err = results.ParseSidecar(t.files.Sidecar); err != nil {
			t.leave(results.SidecarPath(t.from), err)
			t.files.Sidecar, t.sidecar = nil, results.Sidecar{}
		}
	}
	if t.files.Pulls != nil {
		if err := t.rec.CheckPulls(t.files); err != nil {
			t.leave(results.PullsPath(t.from), err)
			t.files.Pulls = nil
		}
	}
	if compress {
		t.compressed, t.err = results.Compress(t.rec, t.files)
	}
}

// leave lists a file of the trial as damaged.
func (t *trial) leave(file string, err error) {
	t.bad = append(t.bad, results.Damaged{Path: file, Err: fmt.Errorf("merge: read %s: %w", file, err)})
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
