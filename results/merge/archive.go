package merge

import (
	"archive/tar"
	"compress/gzip"
	"fmt"
	"io"
	"path"

	"banditsim/internal/wholefile"
	"banditsim/results"
)

// addArchive adds an archive of package export.
func (m *Merger) addArchive(source string) error {
	f, _, err := wholefile.Open(source)
	if err != nil {
		return fmt.Errorf("merge: %w", err)
	}
	defer f.Close()
	zip, err := gzip.NewReader(f)
	if err != nil {
		return fmt.Errorf("merge: %s: %w: want an output folder or an archive of 'banditsim export' (.tar.gz)", source, err)
	}
	in := tar.NewReader(zip)
	var last *trial // whose sidecar may follow
	end := func() error {
		if last == nil {
			return nil
		}
		t := *last
		last = nil
		t.verify(path.Base(t.from), m.Pack)
		return m.put(t)
	}
	for {
		h, err := in.Next()
		if err == io.EOF {
			return end()
		}
		var b []byte
		if err == nil && h.Size <= maxFile {
			b, err = io.ReadAll(in)
		} else if err == nil {
			err = fmt.Errorf("%s has %d bytes, at most %d are allowed", h.Name, h.Size, maxFile)
		}
		if err != nil {
			m.damaged(source, fmt.Errorf("merge: %s: %w: the archive is damaged", source, err))
			return end()
		}
		if dir, name := path.Split(h.Name); dir != results.TrialsDir+"/" || name[0] == '.' {
			return fmt.Errorf("merge: %s: %q is not of an archive of 'banditsim export'", source, h.Name)
		}
		from := source + "/" + h.Name
		if last != nil && from == results.SidecarPath(last.from) {
			last.sidecar = b
			continue
		}
		if err := end(); err != nil {
			return err
		}
		last = &trial{from: from, bytes: b}
	}
}

const maxFile = 1 << 30
