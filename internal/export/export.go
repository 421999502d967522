// Package export writes the rounds, trials and pulls of output folders as CSV for other programs.
package export

import (
	"bufio"
	"compress/gzip"
	"encoding/csv"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"banditsim/internal/lists"
	"banditsim/internal/wholefile"
	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/compare"
)

// CheckPath returns an error unless path ends in .csv or .csv.gz.
func CheckPath(path string) error {
	lower := strings.ToLower(path)
	switch {
	case strings.HasSuffix(lower, ".csv"), strings.HasSuffix(lower, ".csv.gz"):
		return nil
	case strings.HasSuffix(lower, ".parquet"):
		return fmt.Errorf("export %s: no Parquet: export .csv or .csv.gz, of which DuckDB makes Parquet with "+
			`duckdb -c "copy (from 'rounds.csv') to 'rounds.parquet'"; docs/export.md has more ways`, path)
	case strings.HasSuffix(lower, ".tar.gz"), strings.HasSuffix(lower, ".tgz"):
		return fmt.Errorf("export %s: no archives: the folder is the form of results, to pass it on use tar -czf %s -C DIR trials", path, path)
	}
	return fmt.Errorf("export %s: unknown ending %q, want .csv or .csv.gz", path, filepath.Ext(path))
}

// Options are the options of a table.
type Options struct {
	Of            Rows
	PolicyOptions bool // adds a column with all options of the policy; ignored for pulls
}

// Rows is the kind of rows in a table.
type Rows int

const (
	Rounds Rows = iota // one row per trial and round
	Trials             // one row per trial, with its totals
	Pulls              // one row per pull
)

// A Table has columns, and rows that Each and Write read from the trial files one at a time.
type Table struct {
	Columns []Column
	sets    []*results.Set
	rows    func(r row, put func(*row) error) error // calls put with each row of the trial r.record
}

// layout has the properties of sets and options that determine the columns of rounds and trials.
type layout struct {
	arms       []string // names of the arms of all sets
	options    bool     // Options.PolicyOptions
	parameters map[*results.Set]compare.Parameters
	names      []string // names of the parameters of all sets, sorted
}

// NewTable returns a table of the rounds, the trials or the pulls of the sets, including failed trials, in the order of
// set, policy and seed. The columns are in docs/export.md.
//
// In a table of pulls, a trial whose pulls were not recorded is an error, and a trial with PullsDamaged is left out.
// The regrets of a round's pulls, added in their order, equal the regret of the round to the last digit.
func NewTable(sets []*results.Set, o Options) (*Table, error) {
	if o.Of == Pulls {
		return &Table{pullColumns(), sets, pullRows}, nil
	}
	arms, err := armNames(sets)
	if err != nil {
		return nil, err
	}
	l := layout{arms: arms, options: o.PolicyOptions, parameters: make(map[*results.Set]compare.Parameters)}
	for _, set := range sets {
		l.parameters[set] = compare.NewParameters(set)
		l.names = append(l.names, l.parameters[set].Names()...)
	}
	slices.Sort(l.names)
	l.names = slices.Compact(l.names)
	if o.Of == Trials {
		return &Table{l.trialColumns(), sets, trialRow}, nil
	}
	return &Table{l.roundColumns(), sets, l.roundRows}, nil
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

// Each calls f with the values of every row, one per column, until f returns an error. The slice is reused for the next
// row. If a file is damaged, f may have been called with some of its rows before Each returns the error.
func (t *Table) Each(f func(row []any) error) error {
	values := make([]any, len(t.Columns))
	put := func(r *row) error {
		for i, c := range t.Columns {
			values[i] = c.value(r)
		}
		return f(values)
	}
	for _, set := range t.sets {
		for _, p := range set.Policies {
			for _, rec := range p.Records {
				if err := t.rows(row{set: set, policy: p, record: rec, trial: rec.ID()}, put); err != nil {
					return fmt.Errorf("export: %w", err)
				}
			}
		}
	}
	return nil
}

// Write writes the table as CSV (RFC 4180), with the names of the columns in the first line. A null is an empty field;
// floats have enough digits to read back as the same float64.
func (t *Table) Write(w io.Writer) error {
	buffer := bufio.NewWriterSize(w, 1<<16)
	out := csv.NewWriter(buffer)
	record := lists.Each(t.Columns, func(c Column) string { return c.Name })
	out.Write(record) // buffer.Flush returns the error of any write
	err := t.Each(func(row []any) error {
		for i, v := range row {
			record[i] = cell(v)
		}
		return out.Write(record)
	})
	if err != nil {
		return err
	}
	out.Flush()
	if err := buffer.Flush(); err != nil {
		return fmt.Errorf("export: %w", err)
	}
	return nil
}

// WriteFile writes the table to a file, whole or not at all. The file is compressed if its path ends in .gz.
func (t *Table) WriteFile(path string) error {
	if err := CheckPath(path); err != nil {
		return err
	}
	return wholefile.WriteFunc(path, func(w io.Writer) error {
		if !strings.HasSuffix(strings.ToLower(path), ".gz") {
			return t.Write(w)
		}
		z := gzip.NewWriter(w)
		if err := t.Write(z); err != nil {
			return err
		}
		return z.Close()
	})
}

func cell(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case float64:
		// The shortest decimal that reads back as v, or NaN, +Inf or -Inf. It always has a point or an exponent, so that
		// programs that guess types from the first rows do not take the column for integers.
		s := strconv.FormatFloat(v, 'g', -1, 64)
		if strings.Trim(s, "-0123456789") == "" {
			s += ".0"
		}
		return s
	case string:
		return words.Cell(v)
	}
	return fmt.Sprint(v)
}
