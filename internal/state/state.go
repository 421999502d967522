// Package state writes the state of long-lived objects as bytes and reads it
// back: what a checkpoint is made of. Numbers are little-endian, and slices carry
// their length.
//
// An object with state implements encoding.BinaryMarshaler and
// encoding.BinaryUnmarshaler. Its state is read into an object that was built with
// the same options: sizes are checked, not chosen, so that damaged bytes
// can neither fill the memory nor leave an object half right unnoticed. Whoever stores the bytes adds
// a checksum.
package state

import (
	"encoding"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
)

// ErrNone is what the error about a value without state wraps: it does not offer to
// be saved, which is no fault.
var ErrNone = errors.New("it has no MarshalBinary")

// A Writer collects state. Its first error stays, and Bytes returns it.
type Writer struct {
	b   []byte
	err error
}

// Bytes returns all that was written.
func (w *Writer) Bytes() ([]byte, error) { return w.b, w.err }

// Uint64 writes a number.
func (w *Writer) Uint64(v uint64) { w.b = binary.LittleEndian.AppendUint64(w.b, v) }

// Int writes a number.
func (w *Writer) Int(v int) { w.Uint64(uint64(v)) }

// Bool writes a truth value.
func (w *Writer) Bool(v bool) {
	if v {
		w.Uint64(1)
	} else {
		w.Uint64(0)
	}
}

// Float64 writes a number, NaN with its bits.
func (w *Writer) Float64(v float64) { w.Uint64(math.Float64bits(v)) }

// Float64s writes a slice.
func (w *Writer) Float64s(v []float64) {
	w.Int(len(v))
	b := slices.Grow(w.b, 8*len(v))
	for _, f := range v {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(f))
	}
	w.b = b
}

// Float32s writes a slice.
func (w *Writer) Float32s(v []float32) {
	w.Int(len(v))
	b := slices.Grow(w.b, 4*len(v))
	for _, f := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(f))
	}
	w.b = b
}

// Int32s writes a slice.
func (w *Writer) Int32s(v []int32) {
	w.Int(len(v))
	for _, i := range v {
		w.b = binary.LittleEndian.AppendUint32(w.b, uint32(i))
	}
}

// Blob writes bytes with their length.
func (w *Writer) Blob(b []byte) {
	w.Int(len(b))
	w.b = append(w.b, b...)
}

// Object writes the state of an object.
func (w *Writer) Object(m encoding.BinaryMarshaler) {
	b, err := m.MarshalBinary()
	if err != nil {
		w.Fail(err)
		return
	}
	w.Blob(b)
}

// Any writes the state of a value that may have none, which is an error.
func (w *Writer) Any(what string, v any) {
	m, ok := v.(encoding.BinaryMarshaler)
	if !ok {
		w.Fail(fmt.Errorf("state: %s: a %T cannot be saved: %w", what, v, ErrNone))
		return
	}
	w.Object(m)
}

// Fail notes an error, unless there is one.
func (w *Writer) Fail(err error) {
	if w.err == nil {
		w.err = err
	}
}

// A Reader reads what a Writer wrote, in the same order. After its first error
// it returns zeros; Close tells the error.
type Reader struct {
	b   []byte
	err error
}

// NewReader returns a reader of b, which it does not change.
func NewReader(b []byte) *Reader { return &Reader{b: b} }

// errShort is what is wrong with bytes that end too early.
var errShort = errors.New("state: the bytes end too early")

// Fail notes an error, unless there is one.
func (r *Reader) Fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

// Err returns the first error so far.
func (r *Reader) Err() error { return r.err }

// Close returns the first error; bytes that are left over are one.
func (r *Reader) Close() error {
	if r.err == nil && len(r.b) > 0 {
		r.err = fmt.Errorf("state: %d bytes too many", len(r.b))
	}
	return r.err
}

// take returns the next n bytes, or nil after an error.
func (r *Reader) take(n int) []byte {
	if r.err == nil && (n < 0 || n > len(r.b)) {
		r.err = errShort
	}
	if r.err != nil {
		return nil
	}
	b := r.b[:n]
	r.b = r.b[n:]
	return b
}

// Uint64 reads a number.
func (r *Reader) Uint64() uint64 {
	b := r.take(8)
	if b == nil {
		return 0
	}
	return binary.LittleEndian.Uint64(b)
}

// Int reads a number that must lie from low to high.
func (r *Reader) Int(what string, low, high int) int {
	v := int(r.Uint64())
	if r.err == nil && (v < low || v > high) {
		r.err = fmt.Errorf("state: %s: %d, want %d to %d", what, v, low, high)
	}
	if r.err != nil {
		return low
	}
	return v
}

// Bool reads a truth value.
func (r *Reader) Bool() bool { return r.Int("a truth value", 0, 1) == 1 }

// Float64 reads a number.
func (r *Reader) Float64() float64 { return math.Float64frombits(r.Uint64()) }

// Float64In reads a number that must lie from low to high; NaN does not.
func (r *Reader) Float64In(what string, low, high float64) float64 {
	v := r.Float64()
	if r.err == nil && !(v >= low && v <= high) {
		r.err = fmt.Errorf("state: %s: %g, want %g to %g", what, v, low, high)
	}
	return v
}

// length reads a slice's length, which must be want.
func (r *Reader) length(want int) bool {
	if n := r.Int("a length", 0, math.MaxInt); r.err == nil && n != want {
		r.err = fmt.Errorf("state: a slice of %d elements, want %d", n, want)
	}
	return r.err == nil
}

// Float64s reads a slice of dst's length into dst.
func (r *Reader) Float64s(dst []float64) {
	if !r.length(len(dst)) {
		return
	}
	for i := range dst {
		dst[i] = r.Float64()
	}
}

// Float32s reads a slice of dst's length into dst.
func (r *Reader) Float32s(dst []float32) {
	if !r.length(len(dst)) {
		return
	}
	if b := r.take(4 * len(dst)); b != nil {
		for i := range dst {
			dst[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
		}
	}
}

// Int32s reads a slice of dst's length into dst; its elements must lie from low
// to high.
func (r *Reader) Int32s(what string, dst []int32, low, high int) {
	if !r.length(len(dst)) {
		return
	}
	b := r.take(4 * len(dst))
	if b == nil {
		return
	}
	for i := range dst {
		v := int32(binary.LittleEndian.Uint32(b[4*i:]))
		if int(v) < low || int(v) > high {
			r.Fail(fmt.Errorf("state: %s: %d, want %d to %d", what, v, low, high))
			return
		}
		dst[i] = v
	}
}

// Blob reads bytes with their length; they belong to what NewReader was given.
func (r *Reader) Blob() []byte {
	return r.take(r.Int("a length", 0, math.MaxInt))
}

// Object reads the state of an object into it.
func (r *Reader) Object(u encoding.BinaryUnmarshaler) {
	b := r.Blob()
	if r.err == nil {
		r.err = u.UnmarshalBinary(b)
	}
}

// Any reads the state of a value that may have none, which is an error.
func (r *Reader) Any(what string, v any) {
	u, ok := v.(encoding.BinaryUnmarshaler)
	if !ok {
		r.Fail(fmt.Errorf("state: %s: a %T cannot be restored: it has no UnmarshalBinary", what, v))
		return
	}
	r.Object(u)
}
