package parquet

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// A Reader reads the rows of a Parquet file in order: what a Writer writes, and what other programs write by default of flat tables.
// That is columns at the top level with the types in [Type], pages of version 1, without compression or with Zstandard, Snappy or gzip, by
// dictionary or in the encoding PLAIN. Anything else is an error that names the column. In memory is one page of each column.
type Reader struct {
	in      io.ReaderAt
	size    int64
	columns []Column
	groups  []node // RowGroup
	rows    int64
	left    int64 // rows of the row group under way
	cursors []*cursor
	pages   *unpacker
}

// Magic begins and ends a file.
const Magic = "PAR1"

// cure ends errors about what is not read.
const cure = "write the table as .csv, or leave the column out"

// maxFooter bounds the metadata of a file, which is held in memory.
const maxFooter = 64 << 20

// NewReader returns a Reader of a file with so many bytes.
func NewReader(in io.ReaderAt, size int64) (*Reader, error) {
	r := &Reader{in: in, size: size}
	footer, err := r.footer()
	if err != nil {
		return nil, fmt.Errorf("parquet: %w", err)
	}
	schema := footer.list(2)
	if len(schema) < 2 {
		return nil, errors.New("parquet: the file has no columns")
	}
	for _, e := range schema[1:] {
		c, err := columnOf(&e)
		if err != nil {
			return nil, fmt.Errorf("parquet: column %s: %w", c.Name, err)
		}
		r.columns = append(r.columns, c)
	}
	r.groups, r.rows = footer.list(4), footer.int(3, 0)
	r.pages, err = newUnpacker()
	return r, err
}

// footer returns FileMetaData.
func (r *Reader) footer() (*node, error) {
	var ends [12]byte
	if r.size < int64(len(ends)) {
		return nil, fmt.Errorf("%d bytes are no file", r.size)
	}
	if _, err := r.in.ReadAt(ends[:4], 0); err != nil {
		return nil, err
	}
	if _, err := r.in.ReadAt(ends[4:], r.size-8); err != nil {
		return nil, err
	}
	switch {
	case string(ends[8:]) == "PARE":
		return nil, errors.New("the file is encrypted")
	case string(ends[:4]) != Magic || string(ends[8:]) != Magic:
		return nil, errors.New("the file does not begin and end with PAR1: was it cut off?")
	}
	n := int64(binary.LittleEndian.Uint32(ends[4:]))
	if n > r.size-int64(len(ends)) || n > maxFooter {
		return nil, fmt.Errorf("metadata of %d bytes: want at most %d: was the file cut off?", n, min(r.size-int64(len(ends)), maxFooter))
	}
	b := make([]byte, n)
	if _, err := r.in.ReadAt(b, r.size-8-n); err != nil {
		return nil, err
	}
	return (&thriftReader{b}).structure(0)
}

// columnOf returns the column of a SchemaElement.
func columnOf(e *node) (Column, error) {
	var c Column
	if name := e.at(4); name != nil {
		c.Name = string(name.text)
	}
	repetition, converted := e.int(3, required), e.int(6, -1)
	if e.int(5, 0) > 0 || repetition > optional {
		return c, fmt.Errorf("lists and groups are not read: %s", cure)
	}
	c.Nullable = repetition == optional
	logical := -1 // the union's field that is set
	if l := e.at(10); l != nil {
		for k := range l.fields {
			logical = k
		}
	}
	switch physical := e.int(1, -1); {
	case physical == 0:
		c.Type = Bool
	case physical == 1 && integer(converted, logical, 32):
		c.Type = Int32
	case physical == 2 && converted == 14:
		c.Type = Uint64
	case physical == 2 && integer(converted, logical, 64):
		c.Type = Int64
	case physical == 4:
		c.Type = Float32
	case physical == 5:
		c.Type = Float64
	case physical == 6 && converted != 5 && logical != 5: // not a decimal
		c.Type = String
	default:
		return c, fmt.Errorf("the type %d with the meaning %d (of parquet.thrift), such as a time or a decimal, is not read: %s", physical, converted, "write it as text or as a number, or leave the column out")
	}
	return c, nil
}

// integer reports whether the meaning of an INT32 or INT64 is a number that fits it with its sign.
func integer(converted int64, logical, bits int) bool {
	switch converted {
	case -1:
		return logical == -1 || logical == 10
	case 11, 12, 15, 16, 17: // UINT_8, UINT_16, INT_8, INT_16, INT_32
		return true
	case 18: // INT_64
		return bits == 64
	}
	return false
}

// Columns returns the columns in the order of the file.
func (r *Reader) Columns() []Column { return r.columns }

// Rows returns the number of rows.
func (r *Reader) Rows() int64 { return r.rows }

// Read reads the next row into row, which has as many values as there are columns: each of its column's type, or nil for null. After the last row
// it returns io.EOF.
func (r *Reader) Read(row []any) error {
	for r.left == 0 {
		if len(r.groups) == 0 {
			return io.EOF
		}
		if err := r.begin(&r.groups[0]); err != nil {
			return fmt.Errorf("parquet: %w", err)
		}
		r.groups = r.groups[1:]
	}
	for i, c := range r.cursors {
		var err error
		if row[i], err = c.next(); err != nil {
			return fmt.Errorf("parquet: column %s: %w", c.Name, err)
		}
	}
	r.left--
	return nil
}

// begin begins a row group.
func (r *Reader) begin(group *node) error {
	chunks := group.list(1)
	if len(chunks) != len(r.columns) {
		return fmt.Errorf("a row group of %d columns, want %d", len(chunks), len(r.columns))
	}
	r.cursors = r.cursors[:0]
	for i, c := range r.columns {
		meta := chunks[i].at(3)
		start, size := meta.int(9, -1), meta.int(7, -1)
		if d := meta.int(11, 0); d > 0 && d < start {
			start = d
		}
		if meta == nil || chunks[i].at(1) != nil || start < 4 || size < 0 || size > r.size-start {
			return fmt.Errorf("column %s: its pages are not in the file", c.Name)
		}
		r.cursors = append(r.cursors, &cursor{Column: c, in: r.in, at: start, end: start + size, codec: meta.int(4, 0), pages: r.pages})
	}
	if r.left = group.int(3, 0); r.left < 0 {
		return errThrift
	}
	return nil
}

// A header is a PageHeader.
type header struct {
	kind                     int64
	plain, packed            int
	values, encoding, levels int64
}

// maxPage bounds a page, before and after compression.
const maxPage = 256 << 20

// readHeader reads the header of a page at a place of the file and returns its length too.
func readHeader(in io.ReaderAt, at, end int64) (h header, length int, err error) {
	for room := int64(256); ; room *= 8 { // headers have statistics, whose length is not known
		room = min(room, end-at)
		b := make([]byte, room)
		if _, err := in.ReadAt(b, at); err != nil && !errors.Is(err, io.EOF) {
			return h, 0, err
		}
		t := thriftReader{b}
		n, err := t.structure(0)
		if errors.Is(err, io.ErrUnexpectedEOF) && room < min(end-at, maxPage) {
			continue
		}
		if err != nil {
			return h, 0, err
		}
		kind := n.int(1, -1)
		of := n.at(5)
		if kind == pageDictionary {
			of = n.at(7)
		}
		plain, packed := n.int(2, -1), n.int(3, -1)
		if plain < 0 || packed < 0 || plain > maxPage || packed > min(end-at, maxPage) {
			return h, 0, fmt.Errorf("a page of %d bytes, %d packed: want at most %d, within the column", plain, packed, maxPage)
		}
		h = header{kind, int(plain), int(packed), of.int(1, -1), of.int(2, -1), of.int(3, encodingRLE)}
		return h, len(b) - len(t.b), nil
	}
}

// IsFile reports whether a file that begins with b is Parquet.
func IsFile(b []byte) bool { return bytes.HasPrefix(b, []byte(Magic)) }
