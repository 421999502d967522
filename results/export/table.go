package export

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"

	"banditsim/internal/parquet"
	"banditsim/results"
	"banditsim/results/compare"
)

// A Table is what CSV and Parquet files hold: columns, and rows that are read from the trial files.
type Table struct {
	Name    string // rounds, trials or pulls
	Columns []Column
	rows    func(rowWriter) error
}

// NewTable returns the rounds of all trials, or the trials with their sums (o.Trials). Write has the order of the rows.
func NewTable(sets []*results.Set, o Options) (*Table, error) {
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
	if o.Trials {
		s := l.trialColumns()
		return newTable("trials", s.columns(), sets, l.writeSums(s)), nil
	}
	s := l.roundColumns()
	return newTable("rounds", s.columns(), sets, l.writeRounds(s)), nil
}

// A writeTrial writes the rows of a trial.
type writeTrial func(out rowWriter, t trialRow) error

// newTable returns the table of the rows that write writes for each trial.
func newTable(name string, columns []Column, sets []*results.Set, write writeTrial) *Table {
	return &Table{name, columns, func(out rowWriter) error {
		return eachTrial(sets, func(set *results.Set, p results.PolicyRecords, rec results.Record) error {
			return write(out, trialRow{set, p, rec})
		})
	}}
}

// Each calls f with every row, a value for each column, until f returns an error. The row is overwritten by the next.
func (t *Table) Each(f func(row []any) error) error {
	if err := t.rows(rowFunc(f)); err != nil {
		return fmt.Errorf("export: %w", err)
	}
	return nil
}

// write writes the table as CSV or Parquet.
func (t *Table) write(w io.Writer, f Format) error {
	buffer := bufio.NewWriterSize(w, 1<<16)
	var out rowWriteCloser
	var err error
	switch f {
	case CSV:
		out, err = newCSVRows(buffer, t.Columns)
	case Parquet:
		out, err = t.newParquetRows(buffer)
	default:
		_, err = ParseFormat(string(f))
		return err
	}
	if err == nil {
		err = t.rows(out)
	}
	if err == nil {
		err = out.Close()
	}
	if err == nil {
		err = buffer.Flush()
	}
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	return nil
}

func (t *Table) newParquetRows(w io.Writer) (*parquet.Writer, error) {
	s := parquet.Schema{Name: t.Name, Metadata: []parquet.Pair{{Key: "banditsim.export_schema", Value: strconv.Itoa(schema)}}}
	for _, c := range t.Columns {
		s.Columns = append(s.Columns, parquet.Column{Name: c.Name, Type: c.Type, Nullable: c.Nullable})
	}
	return parquet.NewWriter(w, s)
}

// A rowWriter takes rows with a value for each column.
type rowWriter interface {
	Write(row []any) error
}

type rowWriteCloser interface {
	rowWriter
	Close() error
}

type rowFunc func(row []any) error

func (f rowFunc) Write(row []any) error { return f(row) }

// eachTrial calls f with every trial of the sets, in order.
func eachTrial(sets []*results.Set, f func(*results.Set, results.PolicyRecords, results.Record) error) error {
	for _, set := range sets {
		for _, p := range set.Policies {
			for _, rec := range p.Records {
				if err := f(set, p, rec); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
