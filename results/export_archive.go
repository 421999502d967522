package results

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
)

// writeArchive writes trial files without the sampler's diagnostics, which are nine tenths of
// them, and their sidecars, as a tar file compressed by gzip. Unpacked, they are trials as
// those of a run: tables, comparisons and plots are the same, and a run extends
// them. Equal trials make equal bytes.
func writeArchive(w io.Writer, sets []*Set) error {
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

// archiveTrial adds a trial and its sidecar, by way of a file in dir.
func archiveTrial(out *tar.Writer, dir string, t Record) error {
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
	err := archiveFile(out, SidecarPath(t.Path))
	if errors.Is(err, fs.ErrNotExist) { // trials are whole without
		return nil
	}
	return err
}

// writeThin writes the trial to a folder without its diagnostics.
func writeThin(dir string, t Record) error {
	w, err := Create(dir, t.Identity)
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

// archiveFile adds a file under the name that it has in a run's folder.
func archiveFile(out *tar.Writer, file string) error {
	b, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if err := out.WriteHeader(&tar.Header{Name: path.Join(TrialsDir, filepath.Base(file)), Mode: 0o644, Size: int64(len(b))}); err != nil {
		return err
	}
	_, err = out.Write(b)
	return err
}
