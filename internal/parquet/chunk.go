package parquet

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
)

// maxBound is the length in bytes of the longest string that is a bound in the statistics of a row group.
const maxBound = 64

// A chunk is a column of the row group under way.
type chunk struct {
	Column
	present   []uint32          // definition levels of a nullable column: 1 for a value, 0 for null
	values    []byte            // values in the encoding PLAIN; each distinct string once
	count     int               // number of values that are not null
	indices   []uint32          // a string column's rows as indices into values
	entries   map[string]uint32 // index of each distinct string
	low, high any               // nil without values
	unordered bool              // whether there is a NaN
	// Bytes of the pages with their headers, before and after compression.
	plain, packed int64
}

func (c *chunk) add(v any) {
	switch {
	case c.Nullable && v == nil:
		c.present = append(c.present, 0)
		return
	case typeOf(v) != c.Type:
		panic(fmt.Sprintf("parquet: a %T in column %s of type %v", v, c.Name, c.Type))
	case c.Nullable:
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

// appendPlain appends a value as statistics have it, which for numbers is the encoding PLAIN of pages.
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

// metadata writes the fields of ColumnMetaData; dictionary is 0 if there is none.
func (c *chunk) metadata(t *thrift, rows int, data, dictionary int64) {
	physical, _ := c.Type.numbers()
	t.int32(1, physical)
	encodings := []int{encodingPlain, encodingRLE} // dictionaries or values, and definition levels
	if dictionary > 0 {
		encodings = append(encodings, encodingDictionary)
	}
	t.list(2, thriftInt32, len(encodings))
	for _, e := range encodings {
		t.b = binary.AppendVarint(t.b, int64(e))
	}
	t.list(3, thriftBinary, 1) // path
	t.b = append(binary.AppendUvarint(t.b, uint64(len(c.Name))), c.Name...)
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

// schemaElement writes the fields of SchemaElement.
func (c *chunk) schemaElement(t *thrift) {
	physical, converted := c.Type.numbers()
	t.int32(1, physical)
	t.int32(3, map[bool]int{false: required, true: optional}[c.Nullable])
	t.text(4, c.Name)
	if converted >= 0 {
		t.int32(6, converted)
	}
}

// appendRuns appends numbers in Parquet's encoding RLE: runs, each a length and the number in as many bytes as
// width bits need. It makes no runs of packed bits: Zstandard packs better.
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
