package parquet

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
)

// An unpacker undoes the compression of pages.
type unpacker struct{ zstd *zstd.Decoder }

func newUnpacker() (*unpacker, error) {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxPage))
	if err != nil {
		return nil, fmt.Errorf("parquet: %w", err)
	}
	return &unpacker{d}, nil
}

// unpack returns the bytes of a page, of which there are size.
func (u *unpacker) unpack(codec int64, packed []byte, size int) (b []byte, err error) {
	switch codec {
	case 0:
		b = packed
	case 1:
		if n, e := snappy.DecodedLen(packed); e != nil || n != size {
			return nil, fmt.Errorf("a page of %d bytes, want %d: the file is damaged", n, size)
		}
		b, err = snappy.Decode(nil, packed)
	case 2:
		var z *gzip.Reader
		if z, err = gzip.NewReader(bytes.NewReader(packed)); err == nil {
			b, err = io.ReadAll(io.LimitReader(z, int64(size)+1))
		}
	case codecZstd:
		b, err = u.zstd.DecodeAll(packed, nil)
	default:
		names := []string{3: "LZO", 4: "Brotli", 5: "LZ4", 7: "LZ4"}
		name := fmt.Sprint("number ", codec)
		if codec > 0 && codec < int64(len(names)) {
			name = names[codec]
		}
		return nil, fmt.Errorf("compression by %s is not read: want Zstandard, Snappy, gzip or none", name)
	}
	if err == nil && len(b) != size {
		err = fmt.Errorf("a page of %d bytes, want %d: the file is damaged", len(b), size)
	}
	return b, err
}

// A cursor is a place in the values of a column in a row group.
type cursor struct {
	Column
	in         io.ReaderAt
	at, end    int64 // bytes of the pages that are left
	codec      int64
	pages      *unpacker
	dictionary []any

	left    int64  // values of the page, and nulls
	present *runs  // definition levels; nil: all values are there
	indices *runs  // into the dictionary; nil: values are plain
	plain   []byte // the values that are left
	bit     int    // next bit of the first byte of plain, for booleans
}

var errDamaged = errors.New("the values end before the rows: the file is damaged")

// next returns the next value, nil for null.
func (c *cursor) next() (any, error) {
	for c.left == 0 {
		if c.at >= c.end {
			return nil, errDamaged
		}
		if err := c.page(); err != nil {
			return nil, err
		}
	}
	c.left--
	if c.present != nil {
		if level, err := c.present.next(); err != nil || level == 0 {
			return nil, err
		}
	}
	if c.indices == nil {
		return c.value()
	}
	i, err := c.indices.next()
	if err == nil && int64(i) >= int64(len(c.dictionary)) {
		err = fmt.Errorf("entry %d of a dictionary of %d: the file is damaged", i, len(c.dictionary))
	}
	if err != nil {
		return nil, err
	}
	return c.dictionary[i], nil
}

// page reads the next page.
func (c *cursor) page() error {
	h, length, err := readHeader(c.in, c.at, c.end)
	if err != nil {
		return err
	}
	packed := make([]byte, h.packed)
	if n, err := c.in.ReadAt(packed, c.at+int64(length)); n < len(packed) {
		return fmt.Errorf("a page of %d bytes: %w", h.packed, err)
	}
	c.at += int64(length) + int64(h.packed)
	switch h.kind {
	case pageData, pageDictionary:
	case 1: // the page of an index
		return nil
	case 3:
		return errors.New("pages of version 2 are not read: write the file with pages of version 1")
	default:
		return fmt.Errorf("a page of kind %d: the file is damaged", h.kind)
	}
	if c.plain, err = c.pages.unpack(c.codec, packed, h.plain); err != nil {
		return err
	}
	if h.values < 0 || h.values > math.MaxInt32 {
		return fmt.Errorf("a page of %d values: the file is damaged", h.values)
	}
	c.bit, c.present, c.indices = 0, nil, nil
	if h.kind == pageDictionary {
		return c.entries(h)
	}
	if c.Nullable {
		if err := c.levels(h); err != nil {
			return err
		}
	}
	c.left = h.values
	switch h.encoding {
	case encodingPlain:
	case encodingDictionary, 2: // 2 is its number in version 1
		if len(c.plain) == 0 {
			return nil // all values are null
		}
		if c.plain[0] > 32 {
			return fmt.Errorf("indices of %d bits: the file is damaged", c.plain[0])
		}
		c.indices = &runs{b: c.plain[1:], width: int(c.plain[0])}
	default:
		names := map[int64]string{3: "RLE", 5: "DELTA_BINARY_PACKED", 6: "DELTA_LENGTH_BYTE_ARRAY", 7: "DELTA_BYTE_ARRAY", 9: "BYTE_STREAM_SPLIT"}
		return fmt.Errorf("the encoding %s (%d of parquet.thrift) is not read: want PLAIN or a dictionary", names[h.encoding], h.encoding)
	}
	return nil
}

// levels takes the definition levels from the front of a page.
func (c *cursor) levels(h header) error {
	if h.levels != encodingRLE {
		return fmt.Errorf("nulls in the encoding %d (of parquet.thrift) are not read: want RLE", h.levels)
	}
	if len(c.plain) < 4 {
		return errDamaged
	}
	n := int64(binary.LittleEndian.Uint32(c.plain))
	if n > int64(len(c.plain)-4) {
		return errDamaged
	}
	c.present = &runs{b: c.plain[4 : 4+n], width: 1}
	c.plain = c.plain[4+n:]
	return nil
}

// entries reads the dictionary.
func (c *cursor) entries(h header) error {
	if h.encoding != encodingPlain && h.encoding != 2 {
		return fmt.Errorf("a dictionary in the encoding %d (of parquet.thrift) is not read: want PLAIN", h.encoding)
	}
	c.dictionary = nil
	for range h.values {
		v, err := c.value()
		if err != nil {
			return err
		}
		c.dictionary = append(c.dictionary, v)
	}
	return nil
}

// value returns the next of the plain values.
func (c *cursor) value() (any, error) {
	size := map[Type]int{String: 4, Bool: 1, Int32: 4, Float32: 4}[c.Type]
	if size == 0 {
		size = 8
	}
	if len(c.plain) < size {
		return nil, errDamaged
	}
	b := c.plain
	switch c.Type {
	case Bool:
		v := b[0]>>c.bit&1 == 1
		if c.bit++; c.bit == 8 {
			c.bit, c.plain = 0, b[1:]
		}
		return v, nil
	case String:
		n := int64(binary.LittleEndian.Uint32(b))
		if n > int64(len(b)-4) {
			return nil, errDamaged
		}
		c.plain = b[4+n:]
		return string(b[4 : 4+n]), nil
	}
	c.plain = b[size:]
	switch c.Type {
	case Int32:
		return int32(binary.LittleEndian.Uint32(b)), nil
	case Float32:
		return math.Float32frombits(binary.LittleEndian.Uint32(b)), nil
	case Int64:
		return int64(binary.LittleEndian.Uint64(b)), nil
	case Uint64:
		return binary.LittleEndian.Uint64(b), nil
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(b)), nil
}

// runs are numbers in Parquet's encoding RLE: runs of one number, and groups of eight packed numbers of width bits.
type runs struct {
	b      []byte
	width  int
	left   int    // numbers of the run
	number uint32 // number of a run of one
	packed []byte // nil for those
	bit    int    // bit of packed
}

func (r *runs) next() (uint32, error) {
	for r.left == 0 {
		if err := r.begin(); err != nil {
			return 0, err
		}
	}
	r.left--
	if r.packed == nil {
		return r.number, nil
	}
	var v uint64
	first := r.bit / 8
	for k := first; k < min(first+5, len(r.packed)); k++ {
		v |= uint64(r.packed[k]) << (8 * (k - first))
	}
	v = v >> (r.bit % 8) & (1<<r.width - 1)
	r.bit += r.width
	return uint32(v), nil
}

// begin begins the next run.
func (r *runs) begin() error {
	head, n := binary.Uvarint(r.b)
	if n <= 0 || head>>1 > math.MaxInt32 {
		return errDamaged
	}
	r.b = r.b[n:]
	count := int(head >> 1)
	if head&1 == 0 {
		size := (r.width + 7) / 8
		if len(r.b) < size {
			return errDamaged
		}
		r.number, r.packed, r.left = 0, nil, count
		for k := range size {
			r.number |= uint32(r.b[k]) << (8 * k)
		}
		r.b = r.b[size:]
		return nil
	}
	size := count * r.width
	if size > len(r.b) { // the last group may be cut short
		size = len(r.b)
		if r.width > 0 {
			count = (8*size/r.width + 7) / 8
		}
	}
	r.packed, r.bit, r.left = r.b[:size:size], 0, 8*count
	if r.packed == nil {
		r.packed = []byte{}
	}
	r.b = r.b[size:]
	return nil
}
