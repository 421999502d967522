// Package wholefile writes files in whole or not at all: to a temporary file in the same folder, synced and renamed.
// Whenever the process is killed or the power fails, there is the old file or the new one, never a part of it, unless
// the caller asks for a weaker Promise.
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

// ErrLocked is returned by Lock if another process holds the lock, which the operating system releases when that ends.
var ErrLocked = errors.New("locked")

// Open opens a regular file for reading. Anything else, such as a named pipe or a device, on which reading could
// wait for ever, is an error.
func Open(path string) (*os.File, fs.FileInfo, error) {
	info, err := os.Stat(path)
	if err != nil {
		var where *fs.PathError
		if errors.As(err, &where) { // the caller asked to open the file, not to stat it
			err = &fs.PathError{Op: "open", Path: where.Path, Err: where.Err}
		}
		return nil, nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, nil, fmt.Errorf("%s is not a regular file: want one", path)
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

// ReadFile reads a regular file, as Open opens it.
func ReadFile(path string) ([]byte, error) {
	f, _, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// A Promise says what is safely on the disk, in case of a power failure, when a function that writes a file returns.
// With each of them, a process that is killed leaves the old file or the new one.
type Promise int

const (
	// Durable: the file and its name are on the disk.
	Durable Promise = iota
	// Complete: the file is on the disk before it gets its name, so that a power failure leaves the old file or the new one.
	// The name is on the disk once a later file of the folder is Durable.
	Complete
	// Volatile: nothing is certain to be on the disk. After a power failure the file may be cut off or empty, which a
	// checksum in the file must reveal.
	Volatile
)

// Write writes b to the file at path, Durable.
func Write(path string, b []byte) error { return WriteAs(Durable, path, b) }

// WriteAs writes b to the file at path.
func WriteAs(p Promise, path string, b []byte) error {
	return WriteFuncAs(p, path, func(w io.Writer) error {
		if _, err := w.Write(b); err != nil {
			return fmt.Errorf("write %s: %w", path, err)
		}
		return nil
	})
}

// WriteFunc writes what write writes to the file at path, Durable. An error of write is returned
// as it is, and path is left as it was.
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
		os.Remove(f.Name()) // fails after the rename, which does no harm
	}
	return err
}

// Remove removes a file, if it is there.
func Remove(path string) error {
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Publish renames a temporary file to path, in the same folder, and closes it. It syncs what the promise needs.
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

// createTemporary creates a locked temporary file beside path, with the permissions that the umask leaves.
func createTemporary(path string) (*os.File, error) {
	for try := 0; ; try++ {
		name := filepath.Join(filepath.Dir(path), fmt.Sprintf(".%s%s%d", filepath.Base(path), mark, rand.Uint64()))
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		if err != nil {
			if e, ok := errors.AsType[*fs.PathError](err); ok {
				e.Op, e.Path = "create a file in", filepath.Dir(path) // the temporary name says nothing to a user
			}
			return nil, err
		}
		// Tidy may have locked or removed the file before it is locked here. Without locks Tidy removes nothing.
		locked := !errors.Is(Lock(f), ErrLocked)
		if _, err := os.Lstat(name); err == nil && locked || try == 100 {
			return f, nil
		}
		f.Close()
	}
}

// The name of a temporary file has a mark between the name of the file and a number: mark, or oldMark in older versions.
const mark, oldMark = ".banditsim-tmp", ".tmp"

// temporary reports whether name is that of a temporary file with the mark.
func temporary(name, mark string) bool {
	stem := strings.TrimRight(name, "0123456789")
	target, ok := strings.CutSuffix(stem, mark)
	return ok && stem != name && len(target) > 1 && target[0] == '.'
}

// IsTemporary reports whether name is that of a temporary file of Write or WriteFunc, which a process that was killed
// may have left in a folder of ours.
func IsTemporary(name string) bool { return temporary(name, mark) || temporary(name, oldMark) }

// Tidy removes the temporary files in a folder, except those that a process is writing. It ignores errors.
func Tidy(dir string) {
	if runtime.GOARCH == "wasm" { // without locks it cannot tell what is being written
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

// WithContext returns a reader of r that fails once ctx is done.
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

// MakeFolder makes a folder for results and removes temporary files that killed commands left there. It returns an error,
// before the work, if no file can be written there.
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
