// Package wholefile writes files whole or not at all: it writes a temporary file in the same folder, syncs and renames
// it. If the process is killed or the power fails, there is the old file or the new one, never a part of it, unless the
// caller asks for a weaker Promise.
package wholefile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// ErrLocked is returned by Lock if another process holds the lock. The system releases the lock when that process ends.
var ErrLocked = errors.New("locked")

// Open opens a regular file for reading. Anything else is an error: reading a named pipe or device could wait forever.
func Open(path string) (*os.File, fs.FileInfo, error) {
	info, err := os.Stat(path)
	if err != nil {
		if e, ok := errors.AsType[*fs.PathError](err); ok {
			e.Op = "open" // instead of "stat"
		}
		return nil, nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, nil, fmt.Errorf("%s is not a regular file: want one, write what a pipe has to a file first", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	if info, err = f.Stat(); err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

// ReadFile is os.ReadFile for regular files; see Open.
func ReadFile(path string) ([]byte, error) {
	f, _, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// A Promise is what a function that writes a file guarantees about a power failure after it returns. With every
// Promise, a process that is killed leaves the old file or the new one.
type Promise int

const (
	// Durable: the file and its name are on the disk.
	Durable Promise = iota
	// Complete: the content is on the disk before the file is renamed, so that a power failure leaves the old file or
	// the new one. The new one is certain to stay once another file in the same folder has been written with Durable.
	Complete
	// Volatile: nothing is certain to be on the disk. After a power failure the file may be cut off or empty, so it
	// needs a checksum that reveals this.
	Volatile
)

// Write writes b to the file at path with the promise Durable.
func Write(path string, b []byte) error { return WriteAs(Durable, path, b) }

// WriteAs writes b to the file at path with the given promise.
func WriteAs(p Promise, path string, b []byte) error {
	return WriteFuncAs(p, path, func(w io.Writer) error {
		if _, err := w.Write(b); err != nil {
			return fmt.Errorf("write %s: %w", path, err)
		}
		return nil
	})
}

// WriteFunc calls write to write the file at path, with the promise Durable. If write returns an error, WriteFunc
// returns it unchanged and leaves the old file, if any, at path.
func WriteFunc(path string, write func(io.Writer) error) error {
	return WriteFuncAs(Durable, path, write)
}

// WriteFuncAs is WriteFunc with another promise.
func WriteFuncAs(p Promise, path string, write func(io.Writer) error) error {
	f, err := createTemporary(path)
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	if err = write(f); err == nil {
		err = Publish(p, f, path)
	}
	if err != nil {
		f.Close()
		os.Remove(f.Name()) // fails harmlessly if the file was renamed
	}
	return err
}

// Remove removes a file if it exists.
func Remove(path string) error {
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Publish syncs what the promise requires, renames a temporary file to path in the same folder, and closes it. After an
// error the file may still be open, and may still have its temporary name.
func Publish(p Promise, file *os.File, path string) error {
	var err error
	if p != Volatile {
		err = file.Sync()
	}
	if err == nil && closeFirst {
		err = file.Close()
	}
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err == nil && !closeFirst {
		err = file.Close()
	}
	if err == nil && p == Durable {
		err = syncDir(filepath.Dir(path))
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

// closeFirst reports whether Publish closes a file before it renames it. Windows does not rename open files. Elsewhere
// the file stays open, and thus locked, until it is renamed.
const closeFirst = runtime.GOOS == "windows"

// syncDir syncs dir, so that renames in it are on the disk. It does nothing on Windows, which writes renames to the
// disk by itself and cannot open a folder to sync it, and on WebAssembly, which may not be able to open a folder.
func syncDir(dir string) error {
	if runtime.GOOS == "windows" || runtime.GOARCH == "wasm" {
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

// createTemporary creates a temporary file in the folder of path, and locks it where there are locks.
func createTemporary(path string) (*os.File, error) {
	for try := 0; ; try++ {
		name := filepath.Join(filepath.Dir(path), fmt.Sprintf(".%s%s%d", filepath.Base(path), mark, rand.Uint64()))
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		if err != nil {
			if e, ok := errors.AsType[*fs.PathError](err); ok {
				e.Op, e.Path = "create a file in", filepath.Dir(path) // the temporary name would confuse users
			}
			return nil, err
		}
		// Tidy in another process may have locked or removed the file. Where there are no locks, Tidy removes nothing.
		locked := !errors.Is(Lock(f), ErrLocked)
		if _, err := os.Lstat(name); err == nil && locked || try == 100 {
			return f, nil
		}
		f.Close()
	}
}

// The name of a temporary file is ".", the file's name, a mark (mark, or oldMark in older versions) and a number.
const mark, oldMark = ".banditsim-tmp", ".tmp"

// temporary reports whether name is the name of a temporary file with the given mark.
func temporary(name, mark string) bool {
	stem := strings.TrimRight(name, "0123456789")
	target, ok := strings.CutSuffix(stem, mark)
	return ok && stem != name && len(target) > 1 && target[0] == '.'
}

// IsTemporary reports whether name is the name of a temporary file of this package, as a killed process leaves behind.
func IsTemporary(name string) bool { return temporary(name, mark) || temporary(name, oldMark) }

// Tidy removes the temporary files in a folder whose names have mark; files with oldMark stay. A file that a process is
// writing is locked, and stays too. Tidy ignores errors.
func Tidy(dir string) {
	if runtime.GOARCH == "wasm" { // without locks, files being written cannot be detected
		return
	}
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if !temporary(e.Name(), mark) || !e.Type().IsRegular() {
			continue
		}
		path := filepath.Join(dir, e.Name())
		if f, err := os.OpenFile(path, os.O_RDWR, 0); err == nil {
			if Lock(f) == nil {
				os.Remove(path)
			}
			f.Close()
		}
	}
}

// WithContext returns a reader of r whose Read returns an error once ctx is done. It does not interrupt a Read.
func WithContext(ctx context.Context, r io.Reader) io.Reader { return contextReader{ctx, r} }

type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (c contextReader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}

// MakeFolder creates a folder for results if necessary, and removes temporary files that killed processes left in it.
// It returns an error if no file can be created in the folder.
func MakeFolder(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	Tidy(dir)
	f, err := os.CreateTemp(dir, ".probe"+mark+"*")
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}
