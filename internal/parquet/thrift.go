package parquet

import "encoding/binary"

// thrift is a message in Thrift's compact protocol, which Parquet uses for metadata. Fields have the numbers that
// parquet.thrift gives them; the fields of a struct are written in the order of their numbers.
type thrift struct {
	b    []byte
	last int // number of the open struct's last field
}

// The types of fields and elements.
const (
	thriftInt32  = 5
	thriftInt64  = 6
	thriftBinary = 8
	thriftList   = 9
	thriftStruct = 12
)

// field begins a field. Its number exceeds that of the field before it by less than 16.
func (t *thrift) field(number, kind int) {
	t.b = append(t.b, byte((number-t.last)<<4|kind))
	t.last = number
}

func (t *thrift) int32(number, v int) {
	t.field(number, thriftInt32)
	t.b = binary.AppendVarint(t.b, int64(v))
}

func (t *thrift) int64(number int, v int64) {
	t.field(number, thriftInt64)
	t.b = binary.AppendVarint(t.b, v)
}

func (t *thrift) text(number int, s string) {
	t.field(number, thriftBinary)
	t.b = append(binary.AppendUvarint(t.b, uint64(len(s))), s...)
}

// list begins a list; its n elements follow.
func (t *thrift) list(number, kind, n int) {
	t.field(number, thriftList)
	if n < 15 {
		t.b = append(t.b, byte(n<<4|kind))
	} else {
		t.b = binary.AppendUvarint(append(t.b, byte(0xf0|kind)), uint64(n))
	}
}

// structure writes a field that is a struct.
func (t *thrift) structure(number int, fields func()) {
	t.field(number, thriftStruct)
	t.element(fields)
}

// element writes a struct as an element of a list.
func (t *thrift) element(fields func()) {
	last := t.last
	t.last = 0
	fields()
	t.b = append(t.b, 0)
	t.last = last
}
