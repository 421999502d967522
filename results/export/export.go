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
	"banditsim/internal/parquet"
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
// or one row for each trial and round, in the order of set, policy, seed and round. The columns
// follow, with their Parquet types. In CSV a null is an empty field, and floats have the digits that
// read back as the same float64.
//
//	trial                string   id of the trial: SHA-256 of its identity, in hexadecimal
//	environment          string   name
//	data                 string   "uci", "replica", "other", "file", or "" without data
//	data_sha256          string   of the data, in hexadecimal
//	replica              bool     whether the data are a stand-in
//	epoch                int32    results epoch
//	policy               string   label: the name, and the options in which policies of one name differ
//	policy_name          string   name
//	options              string   resolved options, as JSON; with Options.PolicyOptions alone
//	seed                 uint64
//	failed               bool     whether the trial ended before its last round
//	round                int32    from 1
//	after_burn_in        bool     whether all pulls of the round follow burn-in and training
//	realised             float64  regret of the round by rewards received, in units of reward
//	expected             float64  regret of the round by expected rewards
//	cumulative_realised  float64  up to and with the round
//	cumulative_expected  float64
//	arm_NAME             int32    pulls of the arm in the round, one column per arm; null where the trial has no such arm
//	mistakes             int32    pulls of an arm that was not the best
//	chains               int32    of the sampler; 0 without
//	energy               float64  mean over the chains of the last energy; null in rounds without training and in archives
//	weight_ess           float64  effective sample size of the chains' weights; null where energy is
//	multiplier_min       float64  contour multiplier, the lowest over the chains; null without a contour
//	multiplier_mean      float64  its mean over the chains
//	multiplier_max       float64  its highest
//	setting              string   name of the environment in an experiment on several; without one, as results.Set.Label
//	option_NAME          string   option in which policies of one name differ (compare.Parameters), one column per option; null for other policies
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

func (l *layout) columns() []Column {
	columns := []Column{
		{"trial", parquet.String, false}, {"environment", parquet.String, false}, {"data", parquet.String, false}, {"data_sha256", parquet.String, false}, {"replica", parquet.Bool, false},
		{"epoch", parquet.Int32, false}, {"policy", parquet.String, false}, {"policy_name", parquet.String, false},
	}
	if l.options {
		columns = append(columns, Column{"options", parquet.String, false})
	}
	columns = append(columns, []Column{
		{"seed", parquet.Uint64, false}, {"failed", parquet.Bool, false}, {"round", parquet.Int32, false}, {"after_burn_in", parquet.Bool, false},
		{"realised", parquet.Float64, false}, {"expected", parquet.Float64, false}, {"cumulative_realised", parquet.Float64, false}, {"cumulative_expected", parquet.Float64, false},
	}...)
	for _, arm := range l.arms {
		columns = append(columns, Column{"arm_" + arm, parquet.Int32, true})
	}
	return l.withParameters(append(columns, []Column{
		{"mistakes", parquet.Int32, false}, {"chains", parquet.Int32, false}, {"energy", parquet.Float64, true}, {"weight_ess", parquet.Float64, true},
		{"multiplier_min", parquet.Float64, true}, {"multiplier_mean", parquet.Float64, true}, {"multiplier_max", parquet.Float64, true}, {"setting", parquet.String, false},
	}...))
}

// withParameters appends the columns of parameterTexts.
func (l *layout) withParameters(columns []Column) []Column {
	for _, name := range l.names {
		columns = append(columns, Column{"option_" + name, parquet.String, true})
	}
	return columns
}

// parameterTexts returns the values of the options in which policies of one name differ.
func (l *layout) parameterTexts(set *results.Set, label string) []any {
	texts := make([]any, len(l.names))
	for i, name := range l.names {
		if text := l.parameters[set].Text(label, name); text != "" {
			texts[i] = text
		}
	}
	return texts
}
