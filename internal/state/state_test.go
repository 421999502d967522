package state

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"banditsim/internal/must"
)

// pair is an object with state.
type pair struct{ A, B float64 }

func (p *pair) MarshalBinary() ([]byte, error) { return Save(p.state) }
func (p *pair) UnmarshalBinary(b []byte) error { return Restore(b, p.state) }

func (p *pair) state(c *Codec) {
	c.Float64(&p.A)
	c.Float64In("b", &p.B, -9, 9)
}

// all has a field of each kind.
type all struct {
	U     uint64
	I     int
	I32   int32
	Yes   bool
	F64   []float64
	F32   []float32
	I32s  []int32
	Blob  []byte
	Pairs []pair
	Grown []float32
	Part  pair
	Any   pair
}

func sample() *all {
	return &all{
		U: math.MaxUint64, I: -3, I32: math.MinInt32, Yes: true,
		F64: []float64{1, math.Inf(-1)}, F32: []float32{0.5, -2, 3}, I32s: []int32{4, 5}, Blob: []byte("bytes"),
		Pairs: []pair{{1, 2}, {3, 4}}, Grown: []float32{7}, Part: pair{8, 9}, Any: pair{6, 7},
	}
}

// empty returns what a sample is restored into.
func empty() *all {
	return &all{F64: make([]float64, 2), F32: make([]float32, 3), I32s: make([]int32, 2)}
}

func (a *all) state(c *Codec) {
	c.Uint64(&a.U)
	c.Int("i", &a.I, -5, 5)
	Integer(c, "i32", &a.I32, math.MinInt32, 0)
	c.Bool(&a.Yes)
	c.Float64s(a.F64)
	c.Float32s(a.F32)
	c.Int32s("j", a.I32s, 0, 5)
	c.Blob(&a.Blob)
	Slice(c, "pairs", &a.Pairs, 3, func(p *pair) { p.state(c) })
	a.Grown = Resize(c, "numbers", a.Grown, 100)
	c.Float32s(a.Grown)
	c.Part(a.Part.state)
	c.Any("a pair", &a.Any)
}

func saved(t testing.TB) []byte {
	t.Helper()
	b := must.Get(Save(sample().state))(t)
	return b
}

func TestRoundTrip(t *testing.T) {
	b, got := saved(t), empty()
	err := Restore(b, got.state)
	must.That(t, err == nil && reflect.DeepEqual(got, sample()), "restored %+v, %v, want %+v", got, err, sample())
	clear(b)
	must.That(t, string(got.Blob) == "bytes", "a blob is a part of the saved bytes: want its own")
	nan := math.Float64frombits(0x7ff8_0000_0000_beef)
	b = must.Get(Save((&pair{nan, 0}).state))(t)
	var p pair
	if err := Restore(b, p.state); err != nil || math.Float64bits(p.A) != math.Float64bits(nan) {
		t.Errorf("NaN: restored with the bits %x, %v", math.Float64bits(p.A), err)
	}
}

// TestBytes checks that the encoding is still that of the checkpoints of older builds.
func TestBytes(t *testing.T) {
	for name, c := range map[string]struct {
		fields func(*Codec)
		want   string
	}{
		"number":   {func(c *Codec) { n := -2; c.Int("n", &n, 0, 0) }, "\xfe\xff\xff\xff\xff\xff\xff\xff"},
		"true":     {func(c *Codec) { v := true; c.Bool(&v) }, "\x01\x00\x00\x00\x00\x00\x00\x00"},
		"float":    {func(c *Codec) { v := 1.0; c.Float64(&v) }, "\x00\x00\x00\x00\x00\x00\xf0\x3f"},
		"float32s": {func(c *Codec) { c.Float32s([]float32{1}) }, "\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x80\x3f"},
		"int32s":   {func(c *Codec) { c.Int32s("", []int32{-1}, 0, 0) }, "\x01\x00\x00\x00\x00\x00\x00\x00\xff\xff\xff\xff"},
		"part":     {func(c *Codec) { c.Part(func(c *Codec) { v := uint64(3); c.Uint64(&v) }) }, "\x08\x00\x00\x00\x00\x00\x00\x00\x03\x00\x00\x00\x00\x00\x00\x00"},
		"blob":     {func(c *Codec) { v := []byte{7}; c.Blob(&v) }, "\x01\x00\x00\x00\x00\x00\x00\x00\x07"},
		"slice": {func(c *Codec) {
			v := []uint64{5}
			Slice(c, "", &v, 0, c.Uint64)
		}, "\x01\x00\x00\x00\x00\x00\x00\x00\x05\x00\x00\x00\x00\x00\x00\x00"},
	} {
		b, err := Save(c.fields)
		must.That(t, err == nil && string(b) == c.want, "%s: saved as %q, %v, want %q", name, b, err, c.want)
	}
}

func TestDamage(t *testing.T) {
	b := saved(t)
	for n := range b {
		err := Restore(b[:n], empty().state)
		must.That(t, err != nil, "cut to %d of %d bytes: no error", n, len(b))
	}
	must.Fail(t, Restore(append(b, 0), empty().state), "1 bytes too many")
	for want, damage := range map[string]func(*all){
		"state: i: 6, want -5 to 5":            func(a *all) { a.I = 6 },
		"state: i32: 1, want -2147483648 to 0": func(a *all) { a.I32 = 1 },
		"state: a slice of 3 elements, want 2": func(a *all) { a.F64 = make([]float64, 3) },
		"state: j: 6, want 0 to 5":             func(a *all) { a.I32s[1] = 6 },
		"state: pairs: 4, want 0 to 3":         func(a *all) { a.Pairs = make([]pair, 4) },
		"state: b: NaN, want -9 to 9":          func(a *all) { a.Part.B = math.NaN() },
		"state: numbers: 101, want 0 to 100":   func(a *all) { a.Grown = make([]float32, 101) },
	} {
		a := sample()
		damage(a)
		b := must.Get(Save(a.state))(t)
		err := Restore(b, empty().state)
		must.That(t, err != nil && err.Error() == want, "error %v, want %s", err, want)
	}
	long := append(make([]byte, 0, 16), 0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 1)
	err := Restore(long, func(c *Codec) { Resize(c, "numbers", []float64(nil), math.MaxInt) })
	must.That(t, err != nil && strings.Contains(err.Error(), "numbers: 16777215, but 1 bytes are left"),
		"a length without elements: error %v", err)
}

func TestNoState(t *testing.T) {
	_, err := Save(func(c *Codec) { c.Any("a number", 3) })
	must.That(t, errors.Is(err, ErrNone) && strings.Contains(err.Error(), "a number: a int cannot be saved"),
		"saving: error %v", err)
	err = Restore(nil, func(c *Codec) { c.Any("a number", 3) })
	must.Fail(t, err, "a number: a int cannot be restored: it has no UnmarshalBinary")
}

func FuzzRestore(f *testing.F) {
	f.Add(saved(f))
	f.Fuzz(func(_ *testing.T, b []byte) { Restore(b, empty().state) })
}
