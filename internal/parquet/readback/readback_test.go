// Package readback has the tests of internal/parquet that need other programs: parquet-go and hyparquet read the
// files that it writes, and it reads those of parquet-go. Its module keeps them out of the project's.
//
// hyparquet runs in Node. 'npm ci' in this folder installs it; without it those tests are skipped, or fail if CI is set.
package readback

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"banditsim/internal/parquet"
)

// A table is what a test writes.
type table struct {
	parquet.Schema
	rows   [][]any
	groups []int // rows of each row group but the last
}

// write returns the bytes of the table as a file.
func (w *table) write(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	out, err := parquet.NewWriter(&b, w.Schema)
	if err != nil {
		t.Fatal(err)
	}
	groups, held := w.groups, 0
	for _, row := range w.rows {
		if err := out.Write(row); err != nil {
			t.Fatal(err)
		}
		if held++; len(groups) > 0 && held == groups[0] {
			if err := out.Flush(); err != nil {
				t.Fatal(err)
			}
			groups, held = groups[1:], 0
		}
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// tables returns tables by name: all types, with and without nulls, in runs and without, with few and with many
// different values, over two row groups; the ends of every type; tables without rows; metadata.
func tables() map[string]*table {
	long := string(bytes.Repeat([]byte("é"), 5000))
	ends := &table{
		Schema: parquet.Schema{
			Name: "ends",
			Columns: []parquet.Column{
				{Name: "text", Type: parquet.String, Nullable: true}, {Name: "flag", Type: parquet.Bool, Nullable: true},
				{Name: "number", Type: parquet.Int32, Nullable: true}, {Name: "seed", Type: parquet.Uint64, Nullable: true},
				{Name: "value", Type: parquet.Float64, Nullable: true},
			},
			Metadata: []parquet.Pair{{Key: "version", Value: "2"}, {Key: "", Value: ""}, {Key: "text", Value: "é\n\x00 " + long}},
		},
		rows: [][]any{
			{"", false, int32(math.MinInt32), uint64(0), math.Inf(-1)},
			{"\x00", true, int32(math.MaxInt32), uint64(math.MaxUint64), math.Inf(1)},
			{long, true, int32(-1), uint64(1) << 63, math.NaN()},
			{"é\n\"", false, int32(0), uint64(1)<<53 + 1, math.Copysign(0, -1)},
			{"a", true, int32(1), uint64(1)<<63 - 1, math.SmallestNonzeroFloat64},
			{"a", true, int32(1), uint64(7), math.MaxFloat64},
			{nil, nil, nil, nil, nil},
		},
	}
	return map[string]*table{
		"drawn":     drawn(7000, 6001),
		"ends":      ends,
		"one row":   {Schema: ends.Schema, rows: ends.rows[:1]},
		"one null":  {Schema: ends.Schema, rows: ends.rows[6:]},
		"no rows":   {Schema: ends.Schema},
		"no pairs":  {Schema: parquet.Schema{Name: "é", Columns: ends.Columns[:1]}, rows: [][]any{{"a"}}},
		"in groups": {Schema: ends.Schema, rows: ends.rows, groups: []int{1, 1, 1, 1, 1, 1}},
	}
}

// drawn returns a table of drawn values. Its first row group has the given number of rows.
func drawn(rows, group int) *table {
	rng := rand.New(rand.NewPCG(1, 2))
	w := &table{Schema: parquet.Schema{Name: "drawn"}, rows: make([][]any, rows), groups: []int{group}}
	var draw []func() any
	add := func(name string, of parquet.Type, value func() any) {
		for _, run := range []int{1, 5, 9, 300} { // mean length
			for _, nullable := range []bool{false, true} {
				w.Columns = append(w.Columns, parquet.Column{Name: fmt.Sprintf("%s.%d.%t", name, run, nullable), Type: of, Nullable: nullable})
				var last any
				draw = append(draw, func() any {
					if last == nil || rng.IntN(run) == 0 {
						last = value()
					}
					if nullable && rng.IntN(run) == 0 {
						last = nil
					}
					return last
				})
			}
		}
	}
	for _, different := range []int{1, 2, 3, 4, 5, 255, 256, 257, 5000} {
		add(fmt.Sprint("text", different), parquet.String, func() any { return fmt.Sprint(rng.IntN(different)) })
	}
	add("bool", parquet.Bool, func() any { return rng.IntN(2) == 0 })
	add("int32", parquet.Int32, func() any { return int32(rng.Uint32()) })
	add("uint64", parquet.Uint64, func() any { return rng.Uint64() })
	add("float64", parquet.Float64, func() any { return rng.NormFloat64() })
	w.Columns = append(w.Columns, parquet.Column{Name: "null", Type: parquet.String, Nullable: true},
		parquet.Column{Name: "null number", Type: parquet.Float64, Nullable: true}, parquet.Column{Name: "empty", Type: parquet.String})
	draw = append(draw, func() any { return nil }, func() any { return nil }, func() any { return "" })
	for i := range w.rows {
		for _, d := range draw {
			w.rows[i] = append(w.rows[i], d())
		}
	}
	return w
}

// text returns a value as a text that differs for values that differ in type or bits; all NaN have the same.
func text(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case string:
		return "string " + v
	case bool:
		return fmt.Sprint("bool ", v)
	case int32:
		return fmt.Sprint("int32 ", v)
	case uint64:
		return fmt.Sprint("uint64 ", v)
	case float64:
		if math.IsNaN(v) {
			return "float64 NaN"
		}
		return fmt.Sprintf("float64 %016x", math.Float64bits(v))
	}
	return fmt.Sprintf("%T", v)
}

// sameRows compares the texts of the rows that a reader found with those written.
func sameRows(t *testing.T, w *table, got [][]string) {
	t.Helper()
	if len(got) != len(w.rows) {
		t.Fatalf("%d rows, want %d", len(got), len(w.rows))
	}
	for i, row := range w.rows {
		if len(got[i]) != len(row) {
			t.Fatalf("row %d has %d values, want %d", i, len(got[i]), len(row))
		}
		for k, v := range row {
			if want := text(v); got[i][k] != want {
				t.Fatalf("row %d, column %s: %.80q, want %.80q", i, w.Columns[k].Name, got[i][k], want)
			}
		}
	}
}
