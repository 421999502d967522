package readback

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"banditsim/internal/parquet"
	parquetgo "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
)

// A foreign is a row of a table that parquet-go writes.
type foreign struct {
	Arm        string   `parquet:"arm,dict"`
	Note       *string  `parquet:"note,optional,plain"`
	Click      bool     `parquet:"click"`
	Position   int32    `parquet:"position,dict"`
	Pulls      int64    `parquet:"pulls"`
	Seed       uint64   `parquet:"seed"`
	Score      float32  `parquet:"score"`
	Propensity *float64 `parquet:"propensity,optional,dict"`
}

func (f foreign) values() []any {
	row := []any{f.Arm, nil, f.Click, f.Position, f.Pulls, f.Seed, f.Score, nil}
	if f.Note != nil {
		row[1] = *f.Note
	}
	if f.Propensity != nil {
		row[7] = *f.Propensity
	}
	return row
}

// foreigners returns rows with nulls, over several pages and row groups.
func foreigners() []foreign {
	var rows []foreign
	for i := range 5000 {
		f := foreign{Arm: fmt.Sprint("arm", i%37), Click: i%3 == 0, Position: int32(i%5) - 2, Pulls: -int64(i) << 33, Seed: uint64(i) << 50, Score: float32(i) / 3}
		if i%4 > 0 {
			note, p := fmt.Sprint("note ", i), 1/float64(1+i%11)
			f.Note, f.Propensity = &note, &p
		}
		rows = append(rows, f)
	}
	return rows
}

// TestReader: the reader reads what parquet-go writes in pages of version 1, by dictionary and plainly, in every compression that it has.
func TestReader(t *testing.T) {
	for _, codec := range []compress.Codec{&parquetgo.Uncompressed, &parquetgo.Snappy, &parquetgo.Gzip, &parquetgo.Zstd} {
		t.Run(codec.String(), func(t *testing.T) {
			rows := foreigners()
			file := writeForeign(t, rows, parquetgo.Compression(codec), parquetgo.DataPageVersion(1), parquetgo.PageBufferSize(2000), parquetgo.MaxRowsPerRowGroup(1500))
			r, err := parquet.NewReader(bytes.NewReader(file), int64(len(file)))
			if err != nil {
				t.Fatal(err)
			}
			if int(r.Rows()) != len(rows) {
				t.Errorf("%d rows, want %d", r.Rows(), len(rows))
			}
			row := make([]any, len(r.Columns()))
			for i, f := range rows {
				if err := r.Read(row); err != nil {
					t.Fatalf("row %d: %v", i+1, err)
				}
				if got, want := fmt.Sprintf("%#v", row), fmt.Sprintf("%#v", f.values()); got != want {
					t.Fatalf("row %d: %s, want %s", i+1, got, want)
				}
			}
			if err := r.Read(row); err != io.EOF {
				t.Errorf("after the last row: %v, want EOF", err)
			}
		})
	}
}

// TestReaderRefuses: what is not read is named.
func TestReaderRefuses(t *testing.T) {
	for want, option := range map[string]parquetgo.WriterOption{
		"column arm: pages of version 2 are not read":   parquetgo.DataPageVersion(2),
		"column arm: compression by Brotli is not read": parquetgo.Compression(&parquetgo.Brotli),
		"column arm: compression by LZ4 is not read":    parquetgo.Compression(&parquetgo.Lz4Raw),
	} {
		file := writeForeign(t, foreigners()[:10], parquetgo.DataPageVersion(1), option)
		r, err := parquet.NewReader(bytes.NewReader(file), int64(len(file)))
		if err == nil {
			err = r.Read(make([]any, len(r.Columns())))
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	type nested struct {
		Arms []string `parquet:"arms"`
	}
	file := writeForeign(t, []nested{{[]string{"a"}}})
	if _, err := parquet.NewReader(bytes.NewReader(file), int64(len(file))); err == nil || !strings.Contains(err.Error(), "column arms: lists and groups are not read") {
		t.Errorf("error %v", err)
	}
	type delta struct {
		Arm string `parquet:"arm,delta"`
	}
	file = writeForeign(t, []delta{{"a"}}, parquetgo.DataPageVersion(1))
	r, err := parquet.NewReader(bytes.NewReader(file), int64(len(file)))
	if err == nil {
		err = r.Read(make([]any, 1))
	}
	if err == nil || !strings.Contains(err.Error(), "column arm: the encoding DELTA_") {
		t.Errorf("error %v", err)
	}
}

func writeForeign[T any](t *testing.T, rows []T, options ...parquetgo.WriterOption) []byte {
	t.Helper()
	var b bytes.Buffer
	w := parquetgo.NewGenericWriter[T](&b, options...)
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
