package merge

import (
	"archive/tar"
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"banditsim/internal/sumzip"
	"banditsim/internal/wholefile"
	"banditsim/internal/words"
	"banditsim/results"
)

// archiveHead are the first bytes of an archive of package export: deflate, no name, no time, the best compression, no system.
const archiveHead = "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff"

// addArchive adds an archive of package export. Its trials are verified each; what else is wrong with it, such as a cut
// end, is listed as damage.
func (m *Merger) addArchive(source string) error {
	f, _, err := wholefile.Open(source)
	if err != nil {
		return fmt.Errorf("merge: %w", err)
	}
	defer f.Close()
	in, sound := soundHead(f)
	if !sound {
		m.damaged(source, fmt.Errorf("merge: %s: its first bytes are not those that 'banditsim export' writes: bytes of the file were changed", source))
	}
	zip, err := gzip.NewReader(in)
	if err != nil {
		return fmt.Errorf("merge: %s: %w: want an output folder or an archive of 'banditsim export' (.tar.gz)", source, err)
	}
	zip.Multistream(false)
	a := archiveReader{m: m, source: source}
	if err = a.members(tar.NewReader(zip)); err == nil {
		err = ends(zip, in)
	}
	var refused *refusedError
	if err != nil && !errors.As(err, &refused) {
		m.damaged(source, fmt.Errorf("merge: %s: %w: the archive is damaged", source, err))
		err = nil
	}
	if err := a.end(); err != nil {
		return err
	}
	if refused != nil {
		return refused.error
	}
	return nil
}

// soundHead returns a reader of an archive, and whether it begins as package export writes one, or as another program does that
// compressed it again. If only a byte or two differ, as no checksum covers them, it reads what was written.
func soundHead(f io.Reader) (in *bufio.Reader, sound bool) {
	in = bufio.NewReader(f)
	head, _ := in.Peek(len(archiveHead))
	if len(head) < len(archiveHead) || string(head) == archiveHead {
		return in, true
	}
	const lastSystem = 13 // largest system number of RFC 1952, but for 255, none
	if string(head[:3]) == archiveHead[:3] && head[9] <= lastSystem {
		return in, true
	}
	equal := 0
	for i := range head {
		if head[i] == archiveHead[i] {
			equal++
		}
	}
	if equal < len(head)-2 {
		return in, true // it is not an archive at all
	}
	in.Discard(len(head))
	return bufio.NewReader(io.MultiReader(strings.NewReader(archiveHead), in)), false
}

// A refusedError ends a merge, unlike damage.
type refusedError struct{ error }

// ends returns an error unless nothing but the zeros that end a tar file is left to read of zip, whose checksum is right, and
// nothing follows in the file.
func ends(zip io.Reader, in io.ByteReader) error {
	buffer := make([]byte, 1<<12)
	for {
		n, err := zip.Read(buffer)
		if len(bytes.Trim(buffer[:n], "\x00")) > 0 {
			return errors.New("something follows its last file")
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
	}
	if _, err := in.ReadByte(); err != io.EOF {
		return errors.New("something follows its end")
	}
	return nil
}

// An archiveReader puts the trials of an archive. It verifies files as it reads them and keeps no more of a file than was
// right so far: a file of an archive can be a thousand times as large as the archive.
type archiveReader struct {
	m      *Merger
	source string
	last   *trial // whose sidecar and pulls may follow
}

// end puts the last trial.
func (a *archiveReader) end() error {
	if a.last == nil {
		return nil
	}
	t := *a.last
	a.last = nil
	t.compress(a.m.Pack)
	return a.m.put(t)
}

// members reads the files of an archive. Its error is of the archive, or a refusedError.
func (a *archiveReader) members(in *tar.Reader) error {
	for {
		h, err := in.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		dir, name := path.Split(path.Clean(h.Name))
		folder := h.Typeflag == tar.TypeDir && (dir == "" && name == results.TrialsDir || name == ".")
		if folder {
			continue
		}
		if h.Typeflag != tar.TypeReg || dir != results.TrialsDir+"/" || name[0] == '.' {
			return &refusedError{fmt.Errorf("merge: %s: %q is not of an archive of 'banditsim export'", a.source, h.Name)}
		}
		if err := a.member(a.source+"/"+dir+words.Plain(name), in); err != nil {
			return err
		}
	}
}

// member reads a file. Its error is of the archive, or a refusedError.
func (a *archiveReader) member(from string, in io.Reader) error {
	last := a.last
	if last != nil && from == results.SidecarPath(last.from) {
		b, err := io.ReadAll(io.LimitReader(in, results.MaxSidecar+1)) // what is longer is damaged where it is cut
		if err == nil && last.err == nil {
			last.setSidecar(b)
		}
		return err
	}
	k := sumzip.Keep(in, true)
	if last != nil && from == results.PullsPath(last.from) {
		err := last.err
		if err == nil {
			trial := last.files.Trial.Open()
			defer trial.Close()
			err = last.rec.CheckPulls(trial, k)
		}
		content, wrong := k.Content()
		if err = cmp.Or(err, wrong); err == nil {
			last.files.Pulls = content
		} else if last.err == nil {
			last.leave(from, err)
		}
		return k.Err
	}
	if err := a.end(); err != nil {
		return &refusedError{err}
	}
	rec, err := results.Parse(k)
	content, wrong := k.Content()
	a.last = &trial{from: from, files: results.Files{Trial: content}}
	a.last.set(rec, cmp.Or(err, wrong), path.Base(from))
	return k.Err
}
