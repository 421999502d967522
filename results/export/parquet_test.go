package export

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// TestParquetColumns: parquet-go reads what was written, of every type, with and without nulls, in runs and
// without, with few and with many different values, over several row groups.
func TestParquetColumns(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var columns []column
	var draw []func() any
	add := func(name string, zero any, value func() any) {
		for _, run := range []int{1, 5, 9, 300} { // mean length
			for _, nullable := range []bool{false, true} {
				columns = append(columns, column{fmt.Sprintf("%s.%d.%t", name, run, nullable), zero, nullable})
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
		add(fmt.Sprint("text", different), "", func() any { return fmt.Sprint(rng.IntN(different)) })
	}
	add("bool", false, func() any { return rng.IntN(2) == 0 })
	add("int32", int32(0), func() any { return int32(rng.Uint32()) })
	add("uint64", uint64(0), func() any { return rng.Uint64() })
	add("float64", 0.0, func() any { return rng.NormFloat64() })
	columns = append(columns, column{"null", "", true}, column{"null number", 0.0, true}, column{"empty", "", false})
	draw = append(draw, func() any { return nil }, func() any { return nil }, func() any { return "" })

	const rows, group = 7000, 6001
	want := make([][]any, rows)
	var b bytes.Buffer
	out, err := newParquetRows(&b, "test", columns)
	if err != nil {
		t.Fatal(err)
	}
	for i := range want {
		for _, d := range draw {
			want[i] = append(want[i], d())
		}
		if err := out.write(want[i]); err != nil {
			t.Fatal(err)
		}
		if i+1 == group {
			out.flush()
		}
	}
	if err := out.close(); err != nil {
		t.Fatal(err)
	}
	f, err := parquet.OpenFile(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(f.RowGroups()); f.NumRows() != rows || n != 2 {
		t.Fatalf("%d rows in %d groups, want %d in 2", f.NumRows(), n, rows)
	}
	at := 0
	for _, group := range f.RowGroups() {
		for k, chunk := range group.ColumnChunks() {
			row := at
			pages := chunk.Pages()
			for {
				page, err := pages.ReadPage()
				if errors.Is(err, io.EOF) {
					break
				}
				if err != nil {
					t.Fatalf("%s: %v", columns[k].name, err)
				}
				values := make([]parquet.Value, page.NumValues())
				if n, err := page.Values().ReadValues(values); n != len(values) || err != nil && !errors.Is(err, io.EOF) {
					t.Fatalf("%s: %d of %d values: %v", columns[k].name, n, len(values), err)
				}
				for _, v := range values {
					if got := valueOf(v, columns[k]); got != want[row][k] {
						t.Fatalf("%s, row %d: %v, want %v", columns[k].name, row, got, want[row][k])
					}
					row++
				}
			}
			if err := pages.Close(); err != nil {
				t.Fatal(err)
			}
			if row != at+int(group.NumRows()) {
				t.Errorf("%s: %d values, want %d", columns[k].name, row-at, group.NumRows())
			}
		}
		at += int(group.NumRows())
	}
}

func valueOf(v parquet.Value, c column) any {
	if v.IsNull() {
		return nil
	}
	switch c.zero.(type) {
	case string:
		return string(v.ByteArray())
	case bool:
		return v.Boolean()
	case int32:
		return v.Int32()
	case uint64:
		return v.Uint64()
	}
	return v.Double()
}

// TestParquetStatistics: readers skip row groups by the bounds, so that a wrong one loses rows.
func TestParquetStatistics(t *testing.T) {
	long := string(bytes.Repeat([]byte{'x'}, maxBound+1))
	for _, tt := range []struct {
		name      string
		zero      any
		values    []any
		low, high any // nil: there are none
	}{
		{"negative", int32(0), []any{int32(3), int32(-7), nil}, int32(-7), int32(3)},
		{"unsigned", uint64(0), []any{uint64(1), uint64(math.MaxUint64)}, uint64(1), uint64(math.MaxUint64)},
		{"floats", 0.0, []any{2.5, math.Inf(-1), 1e300}, math.Inf(-1), 1e300},
		{"zeros", 0.0, []any{0.0, math.Copysign(0, -1)}, math.Copysign(0, -1), 0.0},
		{"NaN first", 0.0, []any{math.NaN(), 1.0}, nil, nil},
		{"NaN last", 0.0, []any{1.0, math.NaN()}, nil, nil},
		{"nulls", 0.0, []any{nil, nil}, nil, nil},
		{"texts", "", []any{"b", "é", "a"}, "a", "é"},
		{"long text", "", []any{"b", long}, nil, nil},
	} {
		var b bytes.Buffer
		out, err := newParquetRows(&b, "test", []column{{"c", tt.zero, true}})
		if err != nil {
			t.Fatal(err)
		}
		nulls := int64(0)
		for _, v := range tt.values {
			if err := out.write([]any{v}); err != nil {
				t.Fatal(err)
			}
			if v == nil {
				nulls++
			}
		}
		if err := out.close(); err != nil {
			t.Fatal(err)
		}
		f, err := parquet.OpenFile(bytes.NewReader(b.Bytes()), int64(b.Len()))
		if err != nil {
			t.Fatal(err)
		}
		m := f.Metadata().RowGroups[0].Columns[0].MetaData
		if m.NumValues != int64(len(tt.values)) {
			t.Errorf("%s: %d values, want %d with the nulls", tt.name, m.NumValues, len(tt.values))
		}
		s := m.Statistics
		var low, high []byte
		if tt.low != nil {
			low, high = appendPlain(nil, tt.low), appendPlain(nil, tt.high)
		}
		if !bytes.Equal(s.MinValue, low) || !bytes.Equal(s.MaxValue, high) || s.NullCount != nulls {
			t.Errorf("%s: bounds %x and %x, want %x and %x; %d nulls, want %d", tt.name, s.MinValue, s.MaxValue, low, high, s.NullCount, nulls)
		}
	}
}

// TestParquetTypes: readers sort and compare by the meaning of a column; without it a seed above 2⁶³ is negative.
func TestParquetTypes(t *testing.T) {
	columns := []column{{"text", "", false}, {"flag", false, true}, {"number", int32(0), false}, {"seed", uint64(0), false}, {"value", 0.0, true}}
	var b bytes.Buffer
	out, err := newParquetRows(&b, "test", columns)
	if err != nil {
		t.Fatal(err)
	}
	if err := out.write([]any{"a", nil, int32(-1), uint64(math.MaxUint64), 0.5}); err != nil {
		t.Fatal(err)
	}
	if err := out.close(); err != nil {
		t.Fatal(err)
	}
	f, err := parquet.OpenFile(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	const want = `message test {
	required binary text (STRING);
	optional boolean flag;
	required int32 number (INT(32,true));
	required int64 seed (INT(64,false));
	optional double value;
}`
	if got := f.Schema().String(); got != want {
		t.Errorf("schema\n%s\nwant\n%s", got, want)
	}
}
