package results

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"banditsim/internal/wholefile"
)

// Tidy removes useless files of killed runs (see checkpoint.go) from a folder of trials, which must be locked.
func Tidy(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("results: tidy up: %w", err)
	}
	exists := make(map[string]bool)
	for _, e := range entries {
		exists[e.Name()] = true
	}
	for name := range exists {
		if useless(name, exists) {
			if err := wholefile.Remove(filepath.Join(dir, name)); err != nil {
				return fmt.Errorf("results: tidy up: %w", err)
			}
		}
	}
	return nil
}

// useless reports whether Tidy removes a file. exists has the names of all files in the folder.
func useless(name string, exists map[string]bool) bool {
	for _, suffix := range []string{pullsPartialSuffix, partialSuffix, checkpointSuffix} {
		visible, dot := strings.CutPrefix(name, ".")
		if trial, ok := strings.CutSuffix(visible, suffix); dot && ok {
			finished := exists[trial] && !exists["."+trial+partialSuffix]
			return finished || !exists["."+trial+checkpointSuffix]
		}
	}
	return wholefile.IsTemporary(name)
}

// SetAside renames a damaged file to <name>.damaged-<n>, without a leading dot, and returns the new path. n is the
// first unused number. The caller must have locked the folder. Load ignores the renamed file.
func SetAside(path string) (to string, err error) {
	base := strings.TrimPrefix(filepath.Base(path), ".")
	for n := 1; err == nil; n++ {
		to = filepath.Join(filepath.Dir(path), fmt.Sprintf("%s.damaged-%d", base, n))
		_, err = os.Lstat(to)
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = os.Rename(path, to)
	}
	if err != nil {
		return "", fmt.Errorf("results: set a damaged file aside: %w", err)
	}
	return to, nil
}
