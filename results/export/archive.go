package export

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"banditsim/bandit"
	"banditsim/results"
)

// writeArchive writes the trial files without the samplers' diagnostics, nine tenths of their bytes,
// and their sidecars, as a tar file compressed with gzip. Unpacked, they are a run's output folder:
// tables, comparisons and plots are the same, and a run extends it. Equal trials give equal bytes.
func writeArchive(w io.Writer, sets []*results.Set) error {
	dir, err := os.MkdirTemp("", "banditsim-archive-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	zip, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	out := tar.NewWriter(zip)
	for _, set := range sets {
		for _, p := range set.Policies {
			for _, t := range p.Records {
				if err := archiveTrial(out, dir, t); err != nil {
					return err
				}
			}
		}
	}
	return errors.Join(out.Close(), zip.Close())
}

// archiveTrial adds a trial and its sidecar. dir is for temporary files.
func archiveTrial(out *tar.Writer, dir string, t results.Record) error {
	if err := writeThin(dir, t); err != nil {
		return err
	}
	thin := filepath.Join(dir, t.FileName())
	if err := archiveFile(out, thin); err != nil {
		return err
	}
	if err := os.Remove(thin); err != nil {
		return err
	}
	err := archiveFile(out, results.SidecarPath(t.Path))
	if errors.Is(err, fs.ErrNotExist) { // a trial is complete without its sidecar
		return nil
	}
	return err
}

// writeThin writes the trial's file to a folder, without diagnostics.
func writeThin(dir string, t results.Record) error {
	w, err := results.Create(dir, t.Identity)
	if err != nil {
		return err
	}
	defer w.Abort()
	for r, err := range t.Rounds() {
		if err != nil {
			return err
		}
		record := bandit.RoundRecord{Round: r.Round, Realised: r.Realised, Expected: r.Expected, Arms: r.Arms}
		for _, wrong := range r.Wrong {
			record.Mistakes = append(record.Mistakes, bandit.Mistake{Row: wrong[0], Arm: wrong[1]})
		}
		if err := w.Record(&record); err != nil {
			return err
		}
	}
	_, err = w.Finish(t.Totals.Failure)
	return err
}

// archiveFile adds a file under its name in an output folder.
func archiveFile(out *tar.Writer, file string) error {
	b, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if err := out.WriteHeader(&tar.Header{Name: path.Join(results.TrialsDir, filepath.Base(file)), Mode: 0o644, Size: int64(len(b))}); err != nil {
		return err
	}
	_, err = out.Write(b)
	return err
}
