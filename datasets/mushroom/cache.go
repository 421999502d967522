package mushroom

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"banditsim/internal/wholefile"
	"banditsim/internal/words"
)

// cached returns the file that an earlier run downloaded. The error is fs.ErrNotExist if there is
// none, and another one if it is damaged.
func (o OpenOptions) cached(ctx context.Context) (*Table, error) {
	if o.CacheDir == "" {
		return nil, fs.ErrNotExist
	}
	path := filepath.Join(o.CacheDir, UCIFile)
	f, _, err := wholefile.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := readAll(ctx, f, maxSize)
	if err != nil {
		return nil, fmt.Errorf("the cached %s cannot be read: %w", path, err)
	}
	// The hash first: that a file is damaged says more than which letter is wrong.
	if h := hash(data); h != o.SHA256 {
		return nil, fmt.Errorf("the cached %s is damaged: SHA-256 %s, want %s", path, h, o.SHA256)
	}
	t, err := parse(data, path, o.SHA256)
	if err != nil {
		return nil, err
	}
	t.Path = path
	return t, nil
}

// store writes a download to the cache, in whole or not at all.
func (o OpenOptions) store(data []byte) error {
	if o.CacheDir == "" {
		return errors.New("there is no cache folder")
	}
	if err := os.MkdirAll(o.CacheDir, 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(o.CacheDir, UCIFile+".*.part")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Chmod(0o644)
	}
	if err == nil {
		err = f.Sync()
	}
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), filepath.Join(o.CacheDir, UCIFile))
	}
	if err != nil {
		os.Remove(f.Name()) // nothing more can be done
	}
	return err
}

// failureFile holds the time and cause of the last failed download, so that a user without a
// network does not wait at the start of each run.
const failureFile = "download-failed"

// rememberFailure ignores errors: without the file the next run tries again.
func (o OpenOptions) rememberFailure(err error) {
	if o.CacheDir != "" && os.MkdirAll(o.CacheDir, 0o755) == nil {
		os.WriteFile(filepath.Join(o.CacheDir, failureFile), []byte(err.Error()+"\n"), 0o644)
	}
}

func (o OpenOptions) forgetFailure() {
	if o.CacheDir != "" {
		os.Remove(filepath.Join(o.CacheDir, failureFile))
	}
}

// recentFailure returns the cause of a download that failed less than RetryAfter ago, or nil.
func (o OpenOptions) recentFailure() error {
	if o.CacheDir == "" {
		return nil
	}
	path := filepath.Join(o.CacheDir, failureFile)
	info, err := os.Stat(path)
	if err != nil {
		return nil
	}
	age := time.Since(info.ModTime())
	if age < 0 || age >= o.RetryAfter {
		return nil
	}
	reason, err := wholefile.ReadFile(path)
	if err != nil {
		return nil
	}
	return fmt.Errorf("%s (%s ago, not tried again for %s; to try now: banditsim data fetch)",
		words.Plain(strings.TrimSpace(string(reason))), age.Round(time.Second), o.RetryAfter)
}
