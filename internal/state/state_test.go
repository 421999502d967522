package state

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
)

// pair is an object with state.
type pair struct{ a, b float64 }

func (p *pair) MarshalBinary() ([]byte, error) {
	var w Writer
	w.Float64(p.a)
	w.Float64(p.b)
	return w.Bytes()
}

func (p *pair) UnmarshalBinary(b []byte) error {
	r := NewReader(b)
	p.a, p.b = r.Float64(), r.Float64()
	return r.Close()
}

func written(t testing.TB) []byte {
	var w Writer
	w.Uint64(math.MaxUint64)
	w.Int(-3)
	w.Bool(true)
	w.Float64s([]float64{1, math.Inf(-1)})
	w.Float32s([]float32{0.5, -2, 3})
	w.Int32s([]int32{4, 5})
	w.Blob([]byte("bytes"))
	w.Any("a pair", &pair{6, 7})
	b, err := w.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// read reads what written wrote.
func read(b []byte) (all []any, err error) {
	r := NewReader(b)
	f64, f32, i32 := make([]float64, 2), make([]float32, 3), make([]int32, 2)
	var p pair
	all = append(all, r.Uint64(), r.Int("i", -5, 5), r.Bool())
	r.Float64s(f64)
	r.Float32s(f32)
	r.Int32s("j", i32, 0, 5)
	all = append(all, f64[0], f64[1], f32[0], f32[1], f32[2], i32[0], i32[1], string(r.Blob()))
	r.Any("a pair", &p)
	return append(all, p), r.Close()
}

func TestRoundTrip(t *testing.T) {
	got, err := read(written(t))
	want := []any{uint64(math.MaxUint64), -3, true, 1.0, math.Inf(-1), float32(0.5), float32(-2), float32(3), int32(4), int32(5), "bytes", pair{6, 7}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("read %v, %v, want %v", got, err, want)
	}
}

func TestDamage(t *testing.T) {
	b := written(t)
	for n := range b {
		if _, err := read(b[:n]); err == nil {
			t.Errorf("cut to %d of %d bytes: no error", n, len(b))
		}
	}
	if _, err := read(append(b, 0)); err == nil || !strings.Contains(err.Error(), "1 bytes too many") {
		t.Errorf("a byte too many: error %v", err)
	}
	var w Writer
	w.Any("a number", 3)
	if _, err := w.Bytes(); !errors.Is(err, ErrNone) || !strings.Contains(err.Error(), "a number: a int cannot be saved") {
		t.Errorf("a value without state: error %v", err)
	}
}

func FuzzReader(f *testing.F) {
	f.Add(written(f))
	f.Fuzz(func(_ *testing.T, b []byte) { read(b) })
}
