package merge

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"banditsim/results"
)

// CheckTarget returns an error if a source is not a folder of results, or if the output folder dir is inside a source
// or among the trial files of another output folder.
func CheckTarget(dir string, sources []string) error {
	place, err := resolved(dir)
	if err != nil {
		return err
	}
	for _, source := range sources {
		switch info, err := os.Stat(source); {
		case errors.Is(err, fs.ErrNotExist):
			return fmt.Errorf("merge: there is no folder %s: want output folders of 'banditsim run'", source)
		case err != nil:
			return fmt.Errorf("merge: %w", err)
		case !info.IsDir():
			return fmt.Errorf("merge: %s is a file, want a folder that 'banditsim run' wrote; unpack an archive first: mkdir -p FOLDER && tar -xzf %s -C FOLDER", source, source)
		}
		if info, err := os.Stat(filepath.Join(source, results.TrialsDir)); err != nil || !info.IsDir() {
			return fmt.Errorf("merge: %s has no folder %s: want a folder that 'banditsim run' wrote", source, results.TrialsDir)
		}
		from, err := resolved(source)
		if err != nil {
			return err
		}
		if in, err := filepath.Rel(from, place); err == nil && in != "." && filepath.IsLocal(in) {
			return fmt.Errorf("merge: the output folder %s is inside the source %s: want a folder beside it", dir, source)
		}
	}
	for at := place; filepath.Dir(at) != at; at = filepath.Dir(at) {
		if filepath.Base(at) == results.TrialsDir && hasTrials(at) {
			return fmt.Errorf("merge: the output folder %s is among the trial files of %s: want a folder of its own", dir, filepath.Dir(at))
		}
	}
	return nil
}

// hasTrials reports whether a folder has files of trials, finished or not.
func hasTrials(folder string) bool {
	entries, _ := os.ReadDir(folder)
	return slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		return strings.HasSuffix(strings.TrimSuffix(e.Name(), ".partial"), ".jsonl")
	})
}

// resolved returns the absolute path, with symbolic links resolved in the part of it that exists.
func resolved(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("merge: %w", err)
	}
	for at, rest := path, ""; ; at, rest = filepath.Dir(at), filepath.Join(filepath.Base(at), rest) {
		if real, err := filepath.EvalSymlinks(at); err == nil {
			return filepath.Join(real, rest), nil
		}
		if filepath.Dir(at) == at {
			return path, nil
		}
	}
}
