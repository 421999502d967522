package export

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"iter"
	"path"

	"banditsim/bandit"
	"banditsim/results"
)

// writeArchive writes the trial files without the samplers' diagnostics, nine tenths of their bytes,
// and their sidecars, as a tar file compressed with gzip. Unpacked, they are a run's output folder:
// tables, comparisons and plots are the same, and a run extends it. Equal trials give equal bytes.
func writeArchive(w io.Writer, sets []*results.Set) error {
	zip, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	out := tar.NewWriter(zip)
	for _, set := range sets {
		for _, p := range set.Policies {
			for _, t := range p.Records {
				if err := archiveTrial(out, t); err != nil {
					return err
				}
			}
		}
	}
	return errors.Join(out.Close(), zip.Close())
}

// archiveTrial adds a trial without diagnostics, and its sidecar.
func archiveTrial(out *tar.Writer, t results.Record) error {
	var thin bytes.Buffer
	if err := results.Encode(&thin, t.Identity(), thinRounds(t), t.Totals.Failure); err != nil {
		return err
	}
	if err := archiveFile(out, t.FileName(), thin.Bytes()); err != nil {
		return err
	}
	b, err := t.SidecarBytes()
	if err == nil {
		_, _, err = results.ParseSidecar(b)
	} else if errors.As(err, new(*fs.PathError)) && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err != nil { // a trial is complete without its sidecar, and Load lists one that is damaged
		return nil
	}
	return archiveFile(out, results.SidecarPath(t.FileName()), b)
}

// thinRounds returns an iterator over a trial's rounds without diagnostics.
func thinRounds(t results.Record) iter.Seq2[*bandit.RoundRecord, error] {
	return func(yield func(*bandit.RoundRecord, error) bool) {
		for r, err := range t.Regrets() {
			if err != nil {
				yield(nil, err)
				return
			}
			record := bandit.RoundRecord{Round: r.Round, Realised: r.Realised, Expected: r.Expected, Arms: r.Arms}
			for _, wrong := range r.Wrong {
				record.Mistakes = append(record.Mistakes, bandit.Mistake{Row: wrong[0], Arm: wrong[1]})
			}
			if !yield(&record, nil) {
				return
			}
		}
	}
}

// archiveFile adds a file under its name in an output folder.
func archiveFile(out *tar.Writer, name string, b []byte) error {
	if err := out.WriteHeader(&tar.Header{Name: path.Join(results.TrialsDir, name), Mode: 0o644, Size: int64(len(b))}); err != nil {
		return err
	}
	_, err := out.Write(b)
	return err
}
