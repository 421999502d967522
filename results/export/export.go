// Package export writes the rounds of trials for other programs: as CSV, as Parquet, or as an
// archive of trial files.
package export

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"banditsim/internal/nearest"
	"banditsim/internal/wholefile"
	"banditsim/results"
	"banditsim/results/compare"
)

// Schema is the version of the columns. It is raised when a column is removed or changes its
// name, type or meaning, not when one is added.
const schema = 2

// A Format is a file format. CSV and Parquet have the same columns.
type Format string

// The formats, which are also the endings of files.
const (
	CSV     Format = "csv"
	Parquet Format = "parquet"
	// Archive is a compressed tar file of the trial files and their sidecars, without the
	// samplers' diagnostics: a tenth of the size, and all that tables, comparisons and plots need.
	Archive Format = "tar.gz"
)

var formats = []Format{CSV, Parquet, Archive}

// ParseFormat returns the format with the given name: csv, parquet or tar.gz.
func ParseFormat(name string) (Format, error) {
	return nearest.Parse("export: unknown format", name, formats)
}

// FormatOf returns the format that the ending of a path stands for.
func FormatOf(path string) (Format, error) {
	ending := strings.ToLower(filepath.Ext(path))
	if strings.HasSuffix(strings.ToLower(path), ".tar"+ending) {
		ending = ".tar" + ending
	}
	f, err := ParseFormat(strings.TrimPrefix(ending, "."))
	if err != nil {
		return "", fmt.Errorf("export %s: unknown ending %q, want .csv, .parquet or .tar.gz", path, ending)
	}
	return f, nil
}

// Options of CSV and Parquet.
type Options struct {
	PolicyOptions bool // a column with all options of the policy
	Trials        bool // a row for each trial, with its sums, in place of one for each round
}

// Write writes all rounds of all trials of the sets, those of failed trials too: as an [Archive],
// or one row for each trial and round, in the order of set, policy, seed and round. The columns are those of [NewTable], which
// docs/export.md describes. In CSV a null is an empty field, and floats have the digits that read back as the same float64.
//
// Memory does not grow with the number or the length of the trials. A damaged file is found when
// part of the output has been written.
func Write(w io.Writer, f Format, sets []*results.Set, o Options) error {
	if f == Archive {
		if o.Trials {
			return errors.New("export: the sums of trials go into .csv or .parquet")
		}
		if err := writeArchive(w, sets); err != nil {
			return fmt.Errorf("export: %w", err)
		}
		return nil
	}
	t, err := NewTable(sets, o)
	if err != nil {
		return err
	}
	return t.write(w, f)
}

// WriteFile is Write to a file, which is written in whole or not at all. The ending of its path
// gives the format.
func WriteFile(path string, sets []*results.Set, o Options) error {
	f, err := FormatOf(path)
	if err != nil {
		return err
	}
	return wholefile.WriteFunc(path, func(w io.Writer) error { return Write(w, f, sets, o) })
}

// armNames returns the names of all arms of the sets' environments, each once.
func armNames(sets []*results.Set) ([]string, error) {
	var all []string
	for _, set := range sets {
		arms := set.Conditions.Environment.Arms
		for i, arm := range arms {
			if slices.Contains(arms[:i], arm) {
				return nil, fmt.Errorf("export: the environment %s has two arms named %q: there is one column per arm", set.Conditions.Environment.Name, arm)
			}
			if !slices.Contains(all, arm) {
				all = append(all, arm)
			}
		}
	}
	return all, nil
}

// layout is what the columns depend on.
type layout struct {
	arms       []string // arms of all sets
	options    bool
	parameters map[*results.Set]compare.Parameters
	names      []string // names of the parameters of all sets, sorted
}
