package scheduler

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"banditsim/internal/wholefile"
	"banditsim/internal/words"
)

// writtenFile has the SHA-256 of each file of a job as it was written, in the form of sha256sum, by which edits are known.
const writtenFile = ".written"

// An Edited is a file of a job that was edited, and is kept.
type Edited struct {
	Path       string
	Difference []string // lines: "- " and what would be written, "+ " and what is there
}

// ErrOtherJob is the error of files that were edited, and of others beside them that were written for another job.
var ErrOtherJob = errors.New("this command writes other files than the one that made them: by other flags, from another folder, of another experiment, or with another version of banditsim")

// Write writes the files of a job into a folder. Files that were edited since they were written are kept and
// returned with their differences. If another command had written them, so that kept and new files would not belong together, nothing is written and the error is
// ErrOtherJob.
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
	for _, name := range slices.Sorted(func(yield func(string) bool) {
		for name := range written {
			if !yield(name) {
				return
			}
		}
	}) {
		fmt.Fprintf(&b, "%s  %s\n", written[name], name)
	}
	return kept, wholefile.Write(filepath.Join(dir, writtenFile), []byte(b.String()))
}

func sum(b []byte) string { return fmt.Sprintf("%x", sha256.Sum256(b)) }

// readIfThere reads a file; nil without one.
func readIfThere(path string) ([]byte, error) {
	b, err := wholefile.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil && b == nil {
		b = []byte{}
	}
	return b, err
}

// lines returns the lines of a text as they can be shown.
func lines(text []byte) []string {
	all := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	for i := range all {
		all[i] = words.Plain(all[i])
	}
	return all
}

// difference returns the lines of a that are not in b, after "- ", and those of b that are not in a, after "+ ", in
// their order, by a longest common subsequence of what is between equal beginnings and ends.
func difference(a, b []string) (d []string) {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	common := make([][]int, len(a)+1) // length of the longest of a[i:] and b[j:]
	for i := range common {
		common[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if common[i][j] = max(common[i+1][j], common[i][j+1]); a[i] == b[j] {
				common[i][j] = 1 + common[i+1][j+1]
			}
		}
	}
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && common[i+1][j] >= common[i][j+1]:
			d = append(d, "- "+a[i])
			i++
		default:
			d = append(d, "+ "+b[j])
			j++
		}
	}
	return d
}
