package wholefile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"banditsim/internal/must"
)

// TestWriteFunc checks that a failed write leaves the old file and no temporary file.
func TestWriteFunc(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	must.OK(t, Write(path, []byte("old")))
	failure := errors.New("failure")
	err := WriteFunc(path, func(w io.Writer) error {
		io.WriteString(w, "ne")
		return failure
	})
	must.That(t, errors.Is(err, failure), "error %v, want %v", err, failure)
	if b, err := os.ReadFile(path); err != nil || string(b) != "old" {
		t.Errorf("%q, %v", b, err)
	}
	must.OK(t, Write(path, []byte("new")))
	if b, err := os.ReadFile(path); err != nil || string(b) != "new" {
		t.Errorf("%q, %v", b, err)
	}
	if left, err := os.ReadDir(filepath.Dir(path)); err != nil || len(left) != 1 {
		t.Errorf("%v, %v", left, err)
	}
	if err := Write(filepath.Join(path, "below"), nil); err == nil {
		t.Error("no error of a folder that is a file")
	}
}

// TestTidy checks that Tidy removes temporary files of killed processes, not files that are being written or other files.
func TestTidy(t *testing.T) {
	dir := t.TempDir()
	others := []string{".a.tmp1", ".vimrc.tmp22", "a.banditsim-tmp1", ".a.banditsim-tmp"}
	for _, name := range append(others, ".a.csv.banditsim-tmp77") {
		must.OK(t, os.WriteFile(filepath.Join(dir, name), nil, 0o666))
	}
	must.OK(t, WriteFunc(filepath.Join(dir, "b.csv"), func(w io.Writer) error {
		Tidy(dir)
		_, err := w.Write([]byte("b"))
		return err
	}))
	left, err := os.ReadDir(dir)
	must.That(t, err == nil && len(left) == len(others)+1, "%v, %v", left, err)
}
