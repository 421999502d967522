package export

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/bits"
	"strconv"

	"github.com/klauspost/compress/zstd"
)

// parquetGroupRows is the number of rows of a row group, which is held in memory.
const parquetGroupRows = 1 << 16

// maxBound is the length up to which strings are bounds in the statistics of a row group.
const maxBound = 64

// parquetRows writes rows as flat Parquet (github.com/apache/parquet-format, 2.11): a page a column and
// row group, compressed with Zstandard, strings by a dictionary. A library that does all of Parquet
// takes a quarter of the time that it takes to compile the program.
type parquetRows struct {
	out    io.Writer
	err    error // the first of out
	offset int64 // bytes written
	name   string
	zstd   *zstd.Encoder
	chunks []*chunk
	held   int // rows in chunks
	rows   int64
	groups thrift // metadata of the row groups written
	n      int    // number of them
}

func newParquetRows(w io.Writer, name string, columns []column) (*parquetRows, error) {
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithZeroFrames(true))
	if err != nil {
		return nil, err
	}
	p := &parquetRows{out: w, name: name, zstd: encoder}
	for _, c := range columns {
		p.chunks = append(p.chunks, &chunk{column: c, entries: make(map[string]uint32)})
	}
	p.put([]byte("PAR1"))
	return p, nil
}

// A chunk is a column of the row group under way.
type chunk struct {
	column
	present   []uint32 // definition levels of a nullable column: 1 for a value, 0 for null
	values    []byte   // in the encoding PLAIN; of strings the distinct ones
	count     int      // of values that are not null
	indices   []uint32 // of strings, in values
	entries   map[string]uint32
	low, high any  // nil without values
	unordered bool // has a NaN
	// Bytes of the pages with their headers.
	plain, packed int64
}

func (c *chunk) add(v any) {
	switch {
	case c.nullable && v == nil:
		c.present = append(c.present, 0)
		return
	case c.nullable:
		c.present = append(c.present, 1)
	}
	switch v := v.(type) {
	case string:
		index, ok := c.entries[v]
		if !ok {
			index = uint32(len(c.entries))
			c.entries[v] = index
			c.values = append(binary.LittleEndian.AppendUint32(c.values, uint32(len(v))), v...)
			widen(c, v)
		}
		c.indices = append(c.indices, index)
	case bool:
		if c.count%8 == 0 {
			c.values = append(c.values, 0)
		}
		if v {
			c.values[len(c.values)-1] |= 1 << (c.count % 8)
		}
	case int32:
		c.values = appendPlain(c.values, v)
		widen(c, v)
	case uint64:
		c.values = appendPlain(c.values, v)
		widen(c, v)
	case float64:
		c.values = appendPlain(c.values, v)
		widen(c, v)
		c.unordered = c.unordered || math.IsNaN(v)
	default:
		panic(fmt.Sprintf("export: a %T in column %s", v, c.name))
	}
	c.count++
}

// widen extends the range of the values.
func widen[T cmp.Ordered](c *chunk, v T) {
	if c.low == nil || v < c.low.(T) {
		c.low = v
	}
	if c.high == nil || v > c.high.(T) {
		c.high = v
	}
}

// appendPlain appends a value as it stands in statistics; numbers stand in pages so too.
func appendPlain(b []byte, v any) []byte {
	switch v := v.(type) {
	case string:
		return append(b, v...)
	case int32:
		return binary.LittleEndian.AppendUint32(b, uint32(v))
	case uint64:
		return binary.LittleEndian.AppendUint64(b, v)
	default:
		return binary.LittleEndian.AppendUint64(b, math.Float64bits(v.(float64)))
	}
}

func (p *parquetRows) write(row []any) error {
	for i, v := range row {
		p.chunks[i].add(v)
	}
	if p.held++; p.held == parquetGroupRows {
		p.flush()
	}
	return p.err
}

func (p *parquetRows) put(b []byte) {
	if p.err == nil {
		_, p.err = p.out.Write(b)
	}
	p.offset += int64(len(b))
}

// The numbers that parquet.thrift gives to what is used of it.
const (
	encodingPlain, encodingRLE, encodingDictionary = 0, 3, 8
	pageData, pageDictionary                       = 0, 2
	codecZstd                                      = 6
	required, optional                             = 0, 1
)

// page writes a page of n values of a chunk.
func (p *parquetRows) page(c *chunk, kind, encoding, n int, body []byte) {
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
				h.int32(3, encodingRLE) // of definition levels
				h.int32(4, encodingRLE) // of repetition levels: there are none
			}
		})
	})
	c.plain += int64(len(h.b) + len(body))
	c.packed += int64(len(h.b) + len(packed))
	p.put(h.b)
	p.put(packed)
}

// flush writes the rows held as a row group.
func (p *parquetRows) flush() {
	var columns thrift
	size := int64(0)
	for i, c := range p.chunks {
		start, dictionary, encoding := p.offset, int64(0), encodingPlain
		var body []byte
		if c.nullable {
			body = appendRuns(make([]byte, 4), c.present, 1)
			binary.LittleEndian.PutUint32(body, uint32(len(body)-4))
		}
		if c.zero == "" {
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
		p.chunks[i] = &chunk{column: c.column, present: c.present[:0], values: c.values[:0], indices: c.indices[:0], entries: c.entries}
	}
	p.groups.element(func() { // RowGroup
		p.groups.list(1, thriftStruct, len(p.chunks))
		p.groups.b = append(p.groups.b, columns.b...)
		p.groups.int64(2, size)
		p.groups.int64(3, int64(p.held))
	})
	p.n, p.rows, p.held = p.n+1, p.rows+int64(p.held), 0
}

// metadata writes the fields of ColumnMetaData; dictionary is 0 if there is none.
func (c *chunk) metadata(t *thrift, rows int, data, dictionary int64) {
	physical, _ := c.types()
	t.int32(1, physical)
	encodings := []int{encodingPlain, encodingRLE} // of dictionaries or values, and of definition levels
	if dictionary > 0 {
		encodings = append(encodings, encodingDictionary)
	}
	t.list(2, thriftInt32, len(encodings))
	for _, e := range encodings {
		t.b = binary.AppendVarint(t.b, int64(e))
	}
	t.list(3, thriftBinary, 1) // path
	t.b = append(binary.AppendUvarint(t.b, uint64(len(c.name))), c.name...)
	t.int32(4, codecZstd)
	t.int64(5, int64(rows))
	t.int64(6, c.plain)
	t.int64(7, c.packed)
	t.int64(9, data)
	if dictionary > 0 {
		t.int64(11, dictionary)
	}
	t.structure(12, func() { // Statistics
		t.int64(3, int64(rows-c.count))
		if c.low == nil || c.unordered {
			return
		}
		if zero, ok := c.high.(float64); ok && zero == 0 {
			c.high = 0.0 // not −0
		}
		if zero, ok := c.low.(float64); ok && zero == 0 {
			c.low = math.Copysign(0, -1)
		}
		low, high := appendPlain(nil, c.low), appendPlain(nil, c.high)
		if max(len(low), len(high)) <= maxBound {
			t.text(5, string(high))
			t.text(6, string(low))
		}
	})
}

// types returns the numbers of the column's physical type and of what its values mean, −1 for the plain
// meaning.
func (c *column) types() (physical, converted int) {
	switch c.zero.(type) {
	case string:
		return 6, 0 // UTF-8
	case bool:
		return 0, -1
	case int32:
		return 1, -1
	case uint64:
		return 2, 14 // unsigned
	case float64:
		return 5, -1
	}
	panic(fmt.Sprintf("export: no Parquet type for a %T", c.zero))
}

// close writes the rows held and the file's metadata.
func (p *parquetRows) close() error {
	if p.held > 0 {
		p.flush()
	}
	var t thrift
	t.element(func() { // FileMetaData
		t.int32(1, 2)
		t.list(2, thriftStruct, 1+len(p.chunks))
		t.element(func() {
			t.text(4, p.name)
			t.int32(5, len(p.chunks))
		})
		for _, c := range p.chunks {
			physical, converted := c.types()
			t.element(func() { // SchemaElement
				t.int32(1, physical)
				t.int32(3, map[bool]int{false: required, true: optional}[c.nullable])
				t.text(4, c.name)
				if converted >= 0 {
					t.int32(6, converted)
				}
			})
		}
		t.int64(3, p.rows)
		t.list(4, thriftStruct, p.n)
		t.b = append(t.b, p.groups.b...)
		t.list(5, thriftStruct, 1)
		t.element(func() {
			t.text(1, "banditsim.export_schema")
			t.text(2, strconv.Itoa(schema))
		})
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

// appendRuns appends numbers as runs, a length and the number in as many bytes as width bits need. That
// is Parquet's encoding RLE without its groups of packed bits: Zstandard packs better.
func appendRuns(b []byte, numbers []uint32, width int) []byte {
	for len(numbers) > 0 {
		n := 1
		for n < len(numbers) && numbers[n] == numbers[0] {
			n++
		}
		b = binary.AppendUvarint(b, uint64(n)<<1)
		for k := 0; k < width; k += 8 {
			b = append(b, byte(numbers[0]>>k))
		}
		numbers = numbers[n:]
	}
	return b
}
