package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"

	"github.com/klauspost/compress/zstd"
)

// GroupRows is the number of rows of a row group, which a Writer holds in memory.
const GroupRows = 1 << 16

// A Writer writes rows as a Parquet file. Equal rows make equal bytes.
type Writer struct {
	out    io.Writer
	err    error // first error of out
	offset int64 // bytes written
	schema Schema
	zstd   *zstd.Encoder
	chunks []*chunk
	held   int // rows in chunks
	rows   int64
	groups thrift // metadata of the row groups written
	n      int    // number of row groups written
}

// NewWriter returns a Writer to w. Columns need distinct names and a type each.
func NewWriter(w io.Writer, s Schema) (*Writer, error) {
	if len(s.Columns) == 0 {
		return nil, errors.New("parquet: no columns: a file has at least one")
	}
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithZeroFrames(true))
	if err != nil {
		return nil, fmt.Errorf("parquet: %w", err)
	}
	p := &Writer{out: w, schema: s, zstd: encoder}
	seen := make(map[string]bool)
	for _, c := range s.Columns {
		if seen[c.Name] {
			return nil, fmt.Errorf("parquet: two columns are named %q", c.Name)
		}
		if c.Type < String || c.Type > Float64 {
			return nil, fmt.Errorf("parquet: column %s has the type %d, want %d (String) to %d (Float64)", c.Name, c.Type, String, Float64)
		}
		seen[c.Name] = true
		p.chunks = append(p.chunks, &chunk{Column: c, entries: make(map[string]uint32)})
	}
	p.put([]byte("PAR1"))
	return p, nil
}

// Write writes a row: a value of each column's type, or nil for null. It panics if a value has another type, is nil
// in a column that is not nullable, or if their number is not that of the columns.
func (p *Writer) Write(row []any) error {
	if len(row) != len(p.chunks) {
		panic(fmt.Sprintf("parquet: a row of %d values for %d columns", len(row), len(p.chunks)))
	}
	for i, v := range row {
		p.chunks[i].add(v)
	}
	if p.held++; p.held == GroupRows {
		p.flush()
	}
	return p.err
}

// Flush ends the row group before it has GroupRows rows.
func (p *Writer) Flush() error {
	if p.held > 0 {
		p.flush()
	}
	return p.err
}

func (p *Writer) put(b []byte) {
	if p.err == nil {
		_, p.err = p.out.Write(b)
	}
	p.offset += int64(len(b))
}

// page writes a page of n values of a chunk.
func (p *Writer) page(c *chunk, kind, encoding, n int, body []byte) {
	packed := p.zstd.EncodeAll(body, nil)
	var h thrift
	h.element(func() { // PageHeader
		h.int32(1, kind)
		h.int32(2, len(body))
		h.int32(3, len(packed))
		h.structure(map[int]int{pageData: 5, pageDictionary: 7}[kind], func() {
			h.int32(1, n)
			h.int32(2, encoding)
			if kind == pageData {
				h.int32(3, encodingRLE) // definition levels
				h.int32(4, encodingRLE) // repetition levels, which flat columns do not have
			}
		})
	})
	c.plain += int64(len(h.b) + len(body))
	c.packed += int64(len(h.b) + len(packed))
	p.put(h.b)
	p.put(packed)
}

// flush writes the rows held as a row group.
func (p *Writer) flush() {
	var columns thrift
	size := int64(0)
	for i, c := range p.chunks {
		start, dictionary, encoding := p.offset, int64(0), encodingPlain
		var body []byte
		if c.Nullable {
			body = appendRuns(make([]byte, 4), c.present, 1)
			binary.LittleEndian.PutUint32(body, uint32(len(body)-4))
		}
		if c.Type == String {
			p.page(c, pageDictionary, encodingPlain, len(c.entries), c.values)
			dictionary, encoding = start, encodingDictionary
			width := max(1, bits.Len(uint(max(1, len(c.entries))-1)))
			body = appendRuns(append(body, byte(width)), c.indices, width)
		} else {
			body = append(body, c.values...)
		}
		data := p.offset
		p.page(c, pageData, encoding, p.held, body)
		columns.element(func() { // ColumnChunk
			columns.int64(2, start)
			columns.structure(3, func() { c.metadata(&columns, p.held, data, dictionary) })
		})
		size += c.plain
		clear(c.entries)
		p.chunks[i] = &chunk{Column: c.Column, present: c.present[:0], values: c.values[:0], indices: c.indices[:0], entries: c.entries}
	}
	p.groups.element(func() { // RowGroup
		p.groups.list(1, thriftStruct, len(p.chunks))
		p.groups.b = append(p.groups.b, columns.b...)
		p.groups.int64(2, size)
		p.groups.int64(3, int64(p.held))
	})
	p.n, p.rows, p.held = p.n+1, p.rows+int64(p.held), 0
}

// Close writes the rows held and the file's metadata. It does not close the underlying writer.
func (p *Writer) Close() error {
	if p.held > 0 {
		p.flush()
	}
	var t thrift
	t.element(func() { // FileMetaData
		t.int32(1, 2)
		t.list(2, thriftStruct, 1+len(p.chunks))
		t.element(func() {
			t.text(4, p.schema.Name)
			t.int32(5, len(p.chunks))
		})
		for _, c := range p.chunks {
			t.element(func() { c.schemaElement(&t) })
		}
		t.int64(3, p.rows)
		t.list(4, thriftStruct, p.n)
		t.b = append(t.b, p.groups.b...)
		if len(p.schema.Metadata) > 0 {
			t.list(5, thriftStruct, len(p.schema.Metadata))
			for _, pair := range p.schema.Metadata {
				t.element(func() {
					t.text(1, pair.Key)
					t.text(2, pair.Value)
				})
			}
		}
		t.text(6, "banditsim")
		t.list(7, thriftStruct, len(p.chunks)) // the order of statistics: that of the types
		for range p.chunks {
			t.element(func() { t.structure(1, func() {}) })
		}
	})
	p.put(t.b)
	p.put(append(binary.LittleEndian.AppendUint32(nil, uint32(len(t.b))), "PAR1"...))
	return p.err
}
