package parquet

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"strings"
	"testing"
)

// written returns a file of columns and rows, with a row group after each of the given rows.
func written(t testing.TB, columns []Column, rows [][]any, groups ...int) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := NewWriter(&b, Schema{Name: "test", Columns: columns})
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range rows {
		if len(groups) > 0 && groups[0] == i {
			groups = groups[1:]
			if err := w.Flush(); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Write(row); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// rowsOf reads all rows of a file.
func rowsOf(file []byte) (columns []Column, rows [][]any, err error) {
	r, err := NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		return nil, nil, err
	}
	for {
		row := make([]any, len(r.Columns()))
		switch err := r.Read(row); {
		case err == io.EOF:
			if int64(len(rows)) != r.Rows() {
				return nil, nil, fmt.Errorf("%d rows, want %d", len(rows), r.Rows())
			}
			return r.Columns(), rows, nil
		case err != nil:
			return nil, nil, err
		}
		rows = append(rows, row)
	}
}

// TestReader: what is read is what was written.
func TestReader(t *testing.T) {
	columns := []Column{{"text", String, true}, {"flag", Bool, false}, {"number", Int32, true}, {"seed", Uint64, false}, {"value", Float64, true}}
	var many [][]any
	for i := range 3000 {
		row := []any{fmt.Sprint("name", i%300), i%3 == 0, int32(i - 1000), uint64(i) << 40, float64(i) / 7}
		if i%5 == 0 {
			row[0], row[2], row[4] = nil, nil, nil
		}
		many = append(many, row)
	}
	for name, tt := range map[string]struct {
		rows   [][]any
		groups []int
	}{
		"no rows":   {},
		"one row":   {rows: [][]any{{"a", true, int32(-1), uint64(math.MaxUint64), math.Inf(-1)}}},
		"all nulls": {rows: [][]any{{nil, false, nil, uint64(0), nil}, {nil, true, nil, uint64(1), nil}}},
		"ends":      {rows: [][]any{{"", false, int32(math.MinInt32), uint64(0), math.SmallestNonzeroFloat64}, {strings.Repeat("é", 9999), true, int32(math.MaxInt32), uint64(1), math.MaxFloat64}}},
		"many rows": {rows: many},
		"groups":    {rows: many, groups: []int{1, 64, 2000}},
	} {
		t.Run(name, func(t *testing.T) {
			got, rows, err := rowsOf(written(t, columns, tt.rows, tt.groups...))
			if err != nil || !reflect.DeepEqual(got, columns) {
				t.Fatalf("columns %v with error %v, want %v", got, err, columns)
			}
			if !reflect.DeepEqual(rows, tt.rows) {
				t.Errorf("%d rows differ from the %d that were written", len(rows), len(tt.rows))
			}
		})
	}
}

// TestNotRead: errors say what is wrong.
func TestNotRead(t *testing.T) {
	whole := written(t, []Column{{"reward", Float64, false}}, [][]any{{0.5}, {1.5}})
	for name, tt := range map[string]struct {
		file []byte
		want string
	}{
		"empty":       {nil, "0 bytes are no file"},
		"cut off":     {whole[:len(whole)-1], "begin and end with PAR1: was it cut off?"},
		"begun later": {whole[1:], "begin and end with PAR1"},
		"encrypted":   {append(bytes.Clone(whole[:len(whole)-4]), "PARE"...), "encrypted"},
		"no metadata": {append(bytes.Clone(whole[:8]), "\xff\xff\xff\x7fPAR1"...), "metadata of 2147483647 bytes: want at most"},
	} {
		if _, _, err := rowsOf(tt.file); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %s", name, err, tt.want)
		}
	}
	for name, tt := range map[string]struct {
		element *node
		want    string
	}{
		"a group":   {elementOf(map[int]int64{5: 2}), "lists and groups are not read"},
		"a list":    {elementOf(map[int]int64{1: 1, 3: 2}), "lists and groups are not read"},
		"INT96":     {elementOf(map[int]int64{1: 3}), "the type 3 with the meaning -1"},
		"a date":    {elementOf(map[int]int64{1: 1, 6: 6}), "the type 1 with the meaning 6"},
		"a time":    {elementOf(map[int]int64{1: 2, 6: 10}), "such as a time or a decimal, is not read"},
		"unsigned":  {elementOf(map[int]int64{1: 1, 6: 13}), "is not read"},
		"a decimal": {elementOf(map[int]int64{1: 6, 6: 5}), "is not read"},
	} {
		if _, err := columnOf(tt.element); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %s", name, err, tt.want)
		}
	}
	u, err := newUnpacker()
	if err != nil {
		t.Fatal(err)
	}
	for codec, want := range map[int64]string{3: "compression by LZO is not read: want Zstandard", 4: "Brotli", 5: "LZ4", 7: "LZ4", 99: "number 99"} {
		if _, err := u.unpack(codec, nil, 0); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("codec %d: error %v, want %s", codec, err, want)
		}
	}
}

// elementOf returns a struct with the given integers.
func elementOf(fields map[int]int64) *node {
	n := &node{fields: map[int]*node{}}
	for k, v := range fields {
		n.fields[k] = &node{number: v}
	}
	return n
}

// TestRuns: numbers as other programs pack them, the example in the description of the format's encodings among them.
func TestRuns(t *testing.T) {
	for name, tt := range map[string]struct {
		b     []byte
		width int
		want  []uint32
	}{
		"0 to 7 in three bits": {[]byte{1<<1 | 1, 0b10001000, 0b11000110, 0b11111010}, 3, []uint32{0, 1, 2, 3, 4, 5, 6, 7}},
		"a run":                {[]byte{5 << 1, 9}, 4, []uint32{9, 9, 9, 9, 9}},
		"a run and a group":    {[]byte{2 << 1, 1, 1<<1 | 1, 0b10101010}, 1, []uint32{1, 1, 0, 1, 0, 1, 0, 1, 0, 1}},
		"no bits":              {[]byte{3 << 1}, 0, []uint32{0, 0, 0}},
		"17 bits":              {[]byte{2 << 1, 0x78, 0x56, 1}, 17, []uint32{0x15678, 0x15678}},
		"a group of no bits":   {[]byte{1<<1 | 1}, 0, make([]uint32, 8)},
	} {
		r := runs{b: tt.b, width: tt.width}
		for i, want := range tt.want {
			if got, err := r.next(); got != want || err != nil {
				t.Errorf("%s: number %d is %d, %v, want %d", name, i, got, err, want)
			}
		}
		if v, err := r.next(); !errors.Is(err, errDamaged) {
			t.Errorf("%s: %d after the end, error %v", name, v, err)
		}
	}
}

// FuzzReader: no file makes a reader fail but by an error.
func FuzzReader(f *testing.F) {
	columns := []Column{{"text", String, true}, {"flag", Bool, false}, {"number", Int32, true}, {"seed", Uint64, false}, {"value", Float64, true}}
	rows := [][]any{{"a", true, int32(1), uint64(2), 0.5}, {nil, false, nil, uint64(3), nil}, {"b", true, int32(4), uint64(5), -0.5}}
	f.Add(written(f, columns, rows))
	f.Add(written(f, columns, rows, 1, 2))
	f.Add(written(f, columns[3:4], nil))
	f.Fuzz(func(t *testing.T, file []byte) {
		r, err := NewReader(bytes.NewReader(file), int64(len(file)))
		if err != nil {
			return
		}
		row := make([]any, len(r.Columns()))
		for range 10_000 {
			if r.Read(row) != nil {
				return
			}
		}
	})
}
