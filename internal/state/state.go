// Package state writes the state of long-lived objects as bytes, for checkpoints, and reads it back. Numbers are
// little-endian, and the length of a slice precedes its elements.
//
// An object with state embeds Fields, a function that lists its fields once for both encoding.BinaryMarshaler and
// encoding.BinaryUnmarshaler:
//
//	m := &Mean{}
//	m.Fields = func(c *state.Codec) {
//		c.Int("rewards", &m.n, 0, math.MaxInt)
//		c.Float64(&m.sum)
//	}
//
// A state is read into an object built with the same options. Its lengths are compared with the object's or with a
// limit, so damaged bytes cannot fill the memory; a wrong length is an error. Whoever stores the bytes adds a checksum.
package state

import (
	"encoding"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
)

// ErrNone is wrapped by the error about a value without MarshalBinary, to distinguish it from a failed MarshalBinary.
var ErrNone = errors.New("it has no MarshalBinary")

// A Codec saves the fields of an object or restores them, in the order of the calls of its methods. Code that must run
// only while restoring, such as a check, is guarded by Reading.
//
// A number takes eight bytes, or four as an element of Float32s or Int32s. Ranges are checked when numbers are
// restored. After the first error a codec restores zeros, the lowest allowed integers and empty slices; Float64s,
// Float32s and Int32s leave the elements as they are. Save or Restore returns the error.
type Codec struct {
	b       []byte // bytes saved so far, or bytes still to be restored
	reading bool
	err     error
}

// Fields passes each field of an object to a Codec. An object that embeds Fields can be marshaled and unmarshaled.
type Fields func(*Codec)

// MarshalBinary saves the fields.
func (f Fields) MarshalBinary() ([]byte, error) { return Save(f.list) }

// UnmarshalBinary restores what MarshalBinary saved.
func (f Fields) UnmarshalBinary(b []byte) error { return Restore(b, f.list) }

func (f Fields) list(c *Codec) {
	if f == nil {
		c.Fail(errors.New("state: an object that no constructor has made"))
		return
	}
	f(c)
}

// Save returns the bytes of the state that the function fields passes to its Codec.
func Save(fields func(*Codec)) ([]byte, error) {
	var c Codec
	fields(&c)
	return c.b, c.err
}

// Restore reads b, which it does not change, into the state that fields passes to its Codec. It must read all of b.
func Restore(b []byte, fields func(*Codec)) error {
	c := Codec{b: b, reading: true}
	if fields(&c); c.err == nil && len(c.b) > 0 {
		c.err = fmt.Errorf("state: %d bytes too many", len(c.b))
	}
	return c.err
}

// Reading reports whether c restores.
func (c *Codec) Reading() bool { return c.reading }

// Err returns the first error so far.
func (c *Codec) Err() error { return c.err }

// Fail sets the error of c, unless c has one already.
func (c *Codec) Fail(err error) {
	if c.err == nil {
		c.err = err
	}
}

// take returns the next n bytes to restore, as a part of the slice given to Restore, or nil after an error.
func (c *Codec) take(n int) []byte {
	if n < 0 || n > len(c.b) {
		c.Fail(errors.New("state: the bytes end too early"))
	}
	if c.err != nil {
		return nil
	}
	b := c.b[:n]
	c.b = c.b[n:]
	return b
}

// Uint64 saves or restores a number.
func (c *Codec) Uint64(v *uint64) {
	if !c.reading {
		c.b = binary.LittleEndian.AppendUint64(c.b, *v)
		return
	}
	*v = 0
	if b := c.take(8); b != nil {
		*v = binary.LittleEndian.Uint64(b)
	}
}

// Int saves or restores a number. A restored number must be from low to high.
func (c *Codec) Int(what string, v *int, low, high int) { Integer(c, what, v, low, high) }

// Integer is Int for other types of signed integers.
func Integer[T int | int32 | int64](c *Codec, what string, v *T, low, high T) {
	u := uint64(*v)
	c.Uint64(&u)
	if !c.reading {
		return
	}
	if n := int64(u); c.err == nil && (n < int64(low) || n > int64(high)) {
		c.err = fmt.Errorf("state: %s: %d, want %d to %d", what, n, low, high)
	}
	*v = T(u)
	if c.err != nil {
		*v = low
	}
}

// Len saves and returns n, or restores and returns a number from 0 to most; 0 after an error.
func (c *Codec) Len(what string, n, most int) int {
	c.Int(what, &n, 0, most)
	return n
}

// Bool saves or restores a truth value, as the number 0 or 1.
func (c *Codec) Bool(v *bool) {
	n := 0
	if *v {
		n = 1
	}
	c.Int("a truth value", &n, 0, 1)
	if c.reading {
		*v = n == 1
	}
}

// Bools saves or restores the elements of v.
func (c *Codec) Bools(v []bool) {
	for i := range v {
		c.Bool(&v[i])
	}
}

// Float64 saves or restores a number, bit for bit even if it is NaN.
func (c *Codec) Float64(v *float64) {
	u := math.Float64bits(*v)
	c.Uint64(&u)
	if c.reading {
		*v = math.Float64frombits(u)
	}
}

// Float64In saves or restores a number. A restored number must be from low to high, and not NaN.
func (c *Codec) Float64In(what string, v *float64, low, high float64) {
	c.Float64(v)
	if c.reading && c.err == nil && !(*v >= low && *v <= high) {
		c.err = fmt.Errorf("state: %s: %g, want %g to %g", what, *v, low, high)
	}
}

// numbers saves or restores n and then the n elements of the slice v, size bytes each. A restored length must be n.
func (c *Codec) numbers(v any, n, size int) {
	saved := n
	c.Int("a length", &saved, 0, math.MaxInt)
	if c.err == nil && saved != n {
		c.err = fmt.Errorf("state: a slice of %d elements, want %d", saved, n)
	}
	var err error
	if !c.reading {
		c.b, err = binary.Append(c.b, binary.LittleEndian, v)
	} else if b := c.take(n * size); b != nil {
		_, err = binary.Decode(b, binary.LittleEndian, v)
	}
	c.Fail(err)
}

// Float64s saves the elements of v, or restores as many as v has.
func (c *Codec) Float64s(v []float64) { c.numbers(v, len(v), 8) }

// Float32s saves the elements of v, or restores as many as v has.
func (c *Codec) Float32s(v []float32) { c.numbers(v, len(v), 4) }

// Int32s saves the elements of v, or restores as many as v has. Restored elements must be from low to high.
func (c *Codec) Int32s(what string, v []int32, low, high int) {
	c.numbers(v, len(v), 4)
	for _, n := range v {
		if c.reading && (int(n) < low || int(n) > high) {
			c.Fail(fmt.Errorf("state: %s: %d, want %d to %d", what, n, low, high))
		}
	}
}

// Slice saves or restores the length of v. It calls the function each to save or restore every element. A restored
// length must be from 0 to most. Restoring makes a new slice, whose elements are zero before each restores them.
func Slice[T any](c *Codec, what string, v *[]T, most int, each func(*T)) {
	if !c.reading {
		c.Len(what, len(*v), most)
		for i := range *v {
			each(&(*v)[i])
		}
		return
	}
	*v = nil
	for range c.Len(what, 0, most) {
		var e T
		if each(&e); c.err != nil {
			return
		}
		*v = append(*v, e)
	}
}

// Resize saves the length of v and returns v, or restores a length from 0 to most and returns a new slice of that
// length: nil for length 0 or an error. The caller saves or restores the elements, which must each take a byte or more.
func Resize[T any](c *Codec, what string, v []T, most int) []T {
	n := c.Len(what, len(v), most)
	if !c.reading {
		return v
	}
	if n > len(c.b) {
		c.Fail(fmt.Errorf("state: %s: %d, but %d bytes are left", what, n, len(c.b)))
	}
	if n == 0 || c.err != nil {
		return nil
	}
	return make([]T, n)
}

// Blob saves bytes with their length, or restores them.
func (c *Codec) Blob(v *[]byte) {
	if b := c.bytes(*v); c.reading {
		*v = slices.Clone(b)
	}
}

// bytes saves b with its length, or returns the bytes that were saved, as a part of the slice given to Restore.
func (c *Codec) bytes(b []byte) []byte {
	n := len(b)
	c.Int("a length", &n, 0, math.MaxInt)
	if c.reading {
		return c.take(n)
	}
	c.b = append(c.b, b...)
	return b
}

// Part saves or restores the state that the function fields passes to another Codec, as bytes with their length.
func (c *Codec) Part(fields func(*Codec)) { c.Object(Fields(fields)) }

// An Object can save and restore its own state.
type Object interface {
	encoding.BinaryMarshaler
	encoding.BinaryUnmarshaler
}

// Object saves or restores the state of an object.
func (c *Codec) Object(o Object) { c.Any("", o) }

// Any saves or restores the state of v. If v cannot do so, the error calls it by the string what.
func (c *Codec) Any(what string, v any) {
	m, saves := v.(encoding.BinaryMarshaler)
	u, restores := v.(encoding.BinaryUnmarshaler)
	switch {
	case c.reading && !restores:
		c.Fail(fmt.Errorf("state: %s: a %T cannot be restored: it has no UnmarshalBinary", what, v))
	case c.reading:
		if b := c.bytes(nil); c.err == nil {
			c.err = u.UnmarshalBinary(b)
		}
	case !saves:
		c.Fail(fmt.Errorf("state: %s: a %T cannot be saved: %w", what, v, ErrNone))
	default:
		b, err := m.MarshalBinary()
		c.Fail(err)
		c.bytes(b)
	}
}
