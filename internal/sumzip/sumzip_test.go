package sumzip

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// write writes a file of some entries and returns its path, its entries and what they hold.
func write(t *testing.T) (path string, entries []Entry, contents []string) {
	t.Helper()
	var b bytes.Buffer
	w := NewWriter(&b)
	for i := range 3 {
		content := strings.Repeat(fmt.Sprintf("line %d\n", i), 100*i) // the first is empty
		c, err := Compress([]byte(content))
		if err != nil {
			t.Fatal(err)
		}
		e, err := w.Add(fmt.Sprint("file", i), c)
		if err != nil {
			t.Fatal(err)
		}
		entries, contents = append(entries, e), append(contents, content)
	}
	if err := w.Finish("index", []byte("the index\n")); err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(t.TempDir(), "a.zip")
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return path, entries, contents
}

// check opens and verifies all of a file.
func check(path string, entries []Entry) error {
	f, err := Open(path, "index")
	if err != nil {
		return err
	}
	defer f.Close()
	index, err := f.Index(100)
	if err != nil || string(index) != "the index\n" {
		return fmt.Errorf("index %q: %w", index, err)
	}
	for _, e := range entries {
		if err := f.Verify(e); err != nil {
			return err
		}
	}
	return f.Check(entries)
}

// Files are read as they were written, by OpenEntry and by any program that reads zip files.
func TestRead(t *testing.T) {
	path, entries, contents := write(t)
	if err := check(path, entries); err != nil {
		t.Fatal(err)
	}
	z, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	if len(z.File) != len(entries)+1 {
		t.Fatalf("%d files, want %d", len(z.File), len(entries)+1)
	}
	for i, e := range entries {
		r, _, err := OpenEntry(path, e)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(r)
		r.Close()
		if err != nil || string(got) != contents[i] {
			t.Errorf("entry %d: %.20q, %v", i, got, err)
		}
		if r, err = z.File[i].Open(); err != nil {
			t.Fatal(err)
		}
		got, err = io.ReadAll(r)
		r.Close()
		if err != nil || string(got) != contents[i] {
			t.Errorf("file %d: %.20q, %v", i, got, err)
		}
	}
}

// No bit of a file can change, and no byte be missing or too many, without an error.
func TestEveryBit(t *testing.T) {
	path, entries, _ := write(t)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	put := func(at int, b byte) {
		if _, err := f.WriteAt([]byte{b}, int64(at)); err != nil {
			t.Fatal(err)
		}
	}
	for at, b := range whole {
		for bit := range 8 {
			if put(at, b^1<<bit); check(path, entries) == nil {
				t.Errorf("no error of bit %d of byte %d of %d", bit, at, len(whole))
			}
		}
		put(at, b)
	}
	for what, b := range map[string][]byte{
		"in front": append([]byte{0}, whole...), "behind": append(bytes.Clone(whole), ' '), "less": whole[:len(whole)-1],
	} {
		if err := os.WriteFile(path, b, 0o666); err != nil {
			t.Fatal(err)
		}
		if check(path, entries) == nil {
			t.Error("no error of a byte", what)
		}
	}
}

// Entries must follow each other from the beginning of the file up to the index.
func TestCheckRefuses(t *testing.T) {
	path, entries, _ := write(t)
	f, err := Open(path, "index")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for what, change := range map[string]func(e []Entry) []Entry{
		"none":          func(e []Entry) []Entry { return nil },
		"first missing": func(e []Entry) []Entry { return e[1:] },
		"last missing":  func(e []Entry) []Entry { return e[:len(e)-1] },
		"twice":         func(e []Entry) []Entry { return append(e[:1:1], e...) },
		"overlap":       func(e []Entry) []Entry { e[1].From--; return e },
		"gap":           func(e []Entry) []Entry { e[1].Size--; return e },
		"negative":      func(e []Entry) []Entry { e[1].Size = -1 << 62; return e },
		"huge":          func(e []Entry) []Entry { e[2].Size = 1<<63 - 1; return e },
		"no header":     func(e []Entry) []Entry { e[2].At = e[2].From; return e },
	} {
		if err := f.Check(change(append([]Entry(nil), entries...))); err == nil {
			t.Error("no error of", what)
		}
	}
	if _, err := f.Index(5); err == nil {
		t.Error("no error of an index that is too long")
	}
	if _, err := Open(path, "other"); err == nil {
		t.Error("no error of another name of the index")
	}
}
