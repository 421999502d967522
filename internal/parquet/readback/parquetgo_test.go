package readback

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"testing"

	"banditsim/internal/parquet"
	parquetgo "github.com/parquet-go/parquet-go"
)

func open(t *testing.T, file []byte) *parquetgo.File {
	t.Helper()
	f, err := parquetgo.OpenFile(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestParquetGo: parquet-go reads the values, nulls, row groups and metadata that were written.
func TestParquetGo(t *testing.T) {
	for name, w := range tables() {
		t.Run(name, func(t *testing.T) {
			f := open(t, w.write(t))
			if got := f.Schema().Name(); got != w.Name {
				t.Errorf("the table is named %q, want %q", got, w.Name)
			}
			for k, group := range f.RowGroups() {
				if k < len(w.groups) && group.NumRows() != int64(w.groups[k]) {
					t.Errorf("row group %d has %d rows, want %d", k, group.NumRows(), w.groups[k])
				}
			}
			rows := make([][]string, f.NumRows())
			first := 0
			for _, group := range f.RowGroups() {
				for k, chunk := range group.ColumnChunks() {
					row := first
					for _, v := range values(t, chunk) {
						rows[row] = append(rows[row], text(valueOf(v, w.Columns[k].Type)))
						row++
					}
				}
				first += int(group.NumRows())
			}
			sameRows(t, w, rows)
			if got := len(f.Metadata().KeyValueMetadata); got != len(w.Metadata) {
				t.Errorf("%d pairs of metadata, want %d", got, len(w.Metadata))
			}
			for _, pair := range w.Metadata {
				if v, ok := f.Lookup(pair.Key); !ok || v != pair.Value {
					t.Errorf("metadata %q: %.80q, want %.80q", pair.Key, v, pair.Value)
				}
			}
		})
	}
}

// values returns the values of a column in a row group.
func values(t *testing.T, chunk parquetgo.ColumnChunk) []parquetgo.Value {
	t.Helper()
	var all []parquetgo.Value
	pages := chunk.Pages()
	for {
		page, err := pages.ReadPage()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		some := make([]parquetgo.Value, page.NumValues())
		if n, err := page.Values().ReadValues(some); n != len(some) || err != nil && !errors.Is(err, io.EOF) {
			t.Fatalf("%d of %d values: %v", n, len(some), err)
		}
		for _, v := range some {
			all = append(all, v.Clone())
		}
	}
	if err := pages.Close(); err != nil {
		t.Fatal(err)
	}
	return all
}

func valueOf(v parquetgo.Value, of parquet.Type) any {
	if v.IsNull() {
		return nil
	}
	switch of {
	case parquet.String:
		return string(v.ByteArray())
	case parquet.Bool:
		return v.Boolean()
	case parquet.Int32:
		return v.Int32()
	case parquet.Uint64:
		return v.Uint64()
	}
	return v.Double()
}

// TestStatistics: readers skip row groups by the bounds, so that a wrong one loses rows.
func TestStatistics(t *testing.T) {
	long := string(bytes.Repeat([]byte{'x'}, 65))
	for _, tt := range []struct {
		name      string
		of        parquet.Type
		values    []any
		low, high any // nil: there are none
	}{
		{"negative", parquet.Int32, []any{int32(3), int32(-7), nil}, int32(-7), int32(3)},
		{"unsigned", parquet.Uint64, []any{uint64(1), uint64(math.MaxUint64)}, uint64(1), uint64(math.MaxUint64)},
		{"floats", parquet.Float64, []any{2.5, math.Inf(-1), 1e300}, math.Inf(-1), 1e300},
		{"zeros", parquet.Float64, []any{0.0, math.Copysign(0, -1)}, math.Copysign(0, -1), 0.0},
		{"NaN first", parquet.Float64, []any{math.NaN(), 1.0}, nil, nil},
		{"NaN last", parquet.Float64, []any{1.0, math.NaN()}, nil, nil},
		{"nulls", parquet.Float64, []any{nil, nil}, nil, nil},
		{"texts", parquet.String, []any{"b", "é", "a"}, "a", "é"},
		{"text of 64 bytes", parquet.String, []any{"b", long[1:]}, "b", long[1:]},
		{"text of 65 bytes", parquet.String, []any{"b", long}, nil, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := table{Schema: parquet.Schema{Name: "test", Columns: []parquet.Column{{Name: "c", Type: tt.of, Nullable: true}}}}
			nulls := int64(0)
			for _, v := range tt.values {
				w.rows = append(w.rows, []any{v})
				if v == nil {
					nulls++
				}
			}
			m := open(t, w.write(t)).Metadata().RowGroups[0].Columns[0].MetaData
			if m.NumValues != int64(len(tt.values)) {
				t.Errorf("%d values, want %d with the nulls", m.NumValues, len(tt.values))
			}
			s := m.Statistics
			low, high := bound(tt.low), bound(tt.high)
			if !bytes.Equal(s.MinValue, low) || !bytes.Equal(s.MaxValue, high) || s.NullCount != nulls {
				t.Errorf("bounds %x and %x, want %x and %x; %d nulls, want %d", s.MinValue, s.MaxValue, low, high, s.NullCount, nulls)
			}
		})
	}
}

// bound returns a value in the encoding PLAIN, strings without their length.
func bound(v any) []byte {
	switch v := v.(type) {
	case nil:
		return nil
	case string:
		return []byte(v)
	}
	b, err := binary.Append(nil, binary.LittleEndian, v)
	if err != nil {
		panic(err)
	}
	return b
}

// TestTypes: readers sort and compare by the meaning of a column; without it a seed above 2⁶³ is negative.
func TestTypes(t *testing.T) {
	w := table{
		Schema: parquet.Schema{Name: "test", Columns: []parquet.Column{
			{Name: "text", Type: parquet.String}, {Name: "flag", Type: parquet.Bool, Nullable: true}, {Name: "number", Type: parquet.Int32},
			{Name: "seed", Type: parquet.Uint64}, {Name: "value", Type: parquet.Float64, Nullable: true},
		}},
		rows: [][]any{{"a", nil, int32(-1), uint64(math.MaxUint64), 0.5}},
	}
	const want = `message test {
	required binary text (STRING);
	optional boolean flag;
	required int32 number (INT(32,true));
	required int64 seed (INT(64,false));
	optional double value;
}`
	if got := open(t, w.write(t)).Schema().String(); got != want {
		t.Errorf("schema\n%s\nwant\n%s", got, want)
	}
}
