package scheduler

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"banditsim/internal/lists"
	"banditsim/internal/wholefile"
	"banditsim/internal/words"
)

// writtenFile has the SHA-256 of what the last Write had for each file, in the format of sha256sum. A file with another
// sum has been edited.
const writtenFile = ".written"

// An Edited is a file of a job that a user has edited. Write keeps it.
type Edited struct {
	Path       string
	Difference []string // lines that differ: "- " before those that Write has, "+ " before those in the edited file
}

// ErrOtherJob is returned by Write if files were edited and the folder was written for another job.
var ErrOtherJob = errors.New("this command writes other files than the one that made them: by other flags, from another folder, of another experiment, or with another version of banditsim")

// Write writes the files of a job into a folder. Files that a user has edited since Write wrote them are kept, and
// returned with their differences. If there are edited files and the folder was written for another job, Write writes
// nothing and returns them with ErrOtherJob, as the kept and the new files would not fit together.
func Write(dir string, files []File) (kept []Edited, err error) {
	record, err := readIfThere(filepath.Join(dir, writtenFile))
	if err != nil {
		return nil, err
	}
	written := make(map[string]string)
	for line := range strings.Lines(string(record)) {
		if sum, name, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "  "); ok {
			written[name] = sum
		}
	}
	edited, other := make(map[string]bool), false
	for _, f := range files {
		path := filepath.Join(dir, f.Name)
		there, err := readIfThere(path)
		if err != nil {
			return nil, err
		}
		was, known := written[f.Name]
		other = other || known && was != sum(f.Text)
		if there != nil && !bytes.Equal(there, f.Text) && sum(there) != was {
			edited[f.Name] = true
			kept = append(kept, Edited{path, difference(lines(f.Text), lines(there))})
		}
	}
	if len(kept) > 0 && other {
		return kept, ErrOtherJob
	}
	for _, f := range files {
		if written[f.Name] = sum(f.Text); edited[f.Name] {
			continue
		}
		if err := wholefile.Write(filepath.Join(dir, f.Name), f.Text); err != nil {
			return kept, err
		}
	}
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(written)) {
		fmt.Fprintf(&b, "%s  %s\n", written[name], name)
	}
	return kept, wholefile.Write(filepath.Join(dir, writtenFile), []byte(b.String()))
}

func sum(b []byte) string { return fmt.Sprintf("%x", sha256.Sum256(b)) }

// readIfThere returns the contents of a file, or nil if it does not exist.
func readIfThere(path string) ([]byte, error) {
	b, err := wholefile.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return b, err
}

// lines returns the lines of a text, with question marks for characters that are not printable.
func lines(text []byte) []string {
	return lists.Each(strings.Split(strings.TrimSuffix(string(text), "\n"), "\n"), words.Plain)
}

// difference returns the lines of a that are not in b, prefixed with "- ", and those of b that are not in a, with "+ ".
func difference(a, b []string) (d []string) {
	for _, side := range []struct {
		sign          string
		lines, others []string
	}{{"- ", a, b}, {"+ ", b, a}} {
		unmatched := map[string]int{} // for each line, how many equal lines of others are not matched yet
		for _, line := range side.others {
			unmatched[line]++
		}
		for _, line := range side.lines {
			if unmatched[line]--; unmatched[line] < 0 {
				d = append(d, side.sign+line)
			}
		}
	}
	return d
}
