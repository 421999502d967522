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
	bad        []results.Damaged // damage of its sidecar and pulls, which are left out
	err        error             // what is wrong with it
}

// read reads and verifies a trial.
func (m *Merger) read(rec results.Record) trial {
	t := trial{from: rec.Path}
	parsed, files, bad, err := rec.Files(m.Pack)
	if t.files, t.bad, t.err = files, bad, err; err != nil {
		return t
	}
	if t.set(parsed, nil, path.Base(filepath.ToSlash(rec.Path))); t.err != nil {
		return t
	}
	if files.Sidecar != nil {
		t.setSidecar(files.Sidecar)
	}
	t.compress(m.Pack)
	return t
}

// set sets the record of the trial, or why its file, which must have the given name, is damaged.
func (t *trial) set(rec results.Record, err error, name string) {
	t.rec = rec
	if err == nil && rec.FileName() != name {
		err = fmt.Errorf("it has the trial of a file %s", rec.FileName())
	}
	if err != nil {
		t.err = fmt.Errorf("merge: read %s: %w", t.from, err)
		return
	}
	t.rec.Path = t.from
}

// setSidecar sets the sidecar of the trial, unless it is damaged.
func (t *trial) setSidecar(b []byte) {
	t.files.Sidecar = b
	var err error
	if t.sidecar, _, err = results.ParseSidecar(b); err != nil {
		t.leave(results.SidecarPath(t.from), err)
		t.files.Sidecar, t.sidecar = nil, results.Sidecar{}
	}
}

// compress compresses the files of a sound trial for a pack.
func (t *trial) compress(pack bool) {
	if pack && t.err == nil {
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
