package kernel

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"banditsim/internal/must"
)

// exactFMA returns x·y + z in exact arithmetic, rounded once. The arguments must be finite and the sum not zero.
func exactFMA(x, y, z float32) float32 {
	of := func(v float32) *big.Float { return new(big.Float).SetPrec(800).SetFloat64(float64(v)) }
	s := of(x)
	s.Mul(s, of(y)).Add(s, of(z))
	f, _ := s.Float32()
	return f
}

func TestFMA32(t *testing.T) {
	r := source(11)
	check := func(x, y, z float32) {
		t.Helper()
		got := FMA32(x, y, z)
		want := exactFMA(x, y, z)
		if want == 0 { // the sign of zero, which big.Float ignores
			want = float32(float64(x)*float64(y) + float64(z))
		}
		if !sameBits(got, want) {
			t.Fatalf("FMA32(%08x, %08x, %08x) = %08x, want %08x", math.Float32bits(x), math.Float32bits(y), math.Float32bits(z),
				math.Float32bits(got), math.Float32bits(want))
		}
	}
	finite := func(bits uint32) float32 {
		f := math.Float32frombits(bits)
		if f-f != 0 {
			return 1
		}
		return f
	}
	for range 60_000 {
		x, y := finite(r.Uint32()), finite(r.Uint32())
		check(x, y, finite(r.Uint32()))
		// Similar exponents.
		x, y = near(r, 1), near(r, 1)
		check(x, y, near(r, float32(math.Ldexp(1, r.IntN(100)-50))))
		// A sum near or at the midpoint of two float32s.
		z := near(r, 1)
		half := math.Ldexp(1, math.Ilogb(float64(z))-24)
		check(float32(half)*(1+float32(r.IntN(3)-1)*0x1p-23), 1+float32(r.IntN(3)-1)*0x1p-23, z)
		check(-float32(half)*(1+float32(r.IntN(3)-1)*0x1p-23), 1+float32(r.IntN(3)-1)*0x1p-23, z)
		// Results near the smallest normal number and below.
		e := r.IntN(40)
		x, y = near(r, float32(math.Ldexp(1, -63-e))), near(r, float32(math.Ldexp(1, -63)))
		check(x, y, math.Float32frombits(r.Uint32()&0x80ffffff))
		check(x, y, 0)
		// Results near the largest number.
		check(near(r, 0x1p64), near(r, 0x1p63), near(r, 0x1p127))
	}
	inf, nan, zero := float32(math.Inf(1)), float32(math.NaN()), float32(math.Copysign(0, -1))
	// A sum that differs from the midpoint of two float32s by less than a float64
	// can represent: two roundings give the wrong result.
	for _, tiny := range []float32{0x1p-100, -0x1p-100} {
		s := float64(float32(0x1p-24)) + float64(float32(1+0x1p-23))
		want, _ := new(big.Float).Add(new(big.Float).SetPrec(800).SetFloat64(float64(tiny)), big.NewFloat(s)).Float32()
		must.Equal(t, fmt.Sprintf("%v + %v rounds to", s, tiny), fma32Slow(float64(tiny), s, s+float64(tiny)), want)
	}
	for _, c := range [][4]float32{
		{inf, 1, 1, inf}, {inf, 0, 1, nan}, {1, 1, -inf, -inf}, {inf, 1, -inf, nan}, {1, 1, nan, nan},
		{math.MaxFloat32, 2, -math.MaxFloat32, math.MaxFloat32}, {math.MaxFloat32, 2, 0, inf}, {1, -1, 1, 0}, {0, -1, zero, zero},
	} {
		if got := FMA32(c[0], c[1], c[2]); !sameBits(got, c[3]) {
			t.Errorf("FMA32(%v, %v, %v) = %v, want %v", c[0], c[1], c[2], got, c[3])
		}
	}
}

// near returns a random number with an absolute value from scale to twice scale, often with few digits.
func near(r *rand.Rand, scale float32) float32 {
	f := r.Uint32() & 0x7fffff
	if r.IntN(2) == 0 {
		f &^= 0x7fff
	}
	v := scale * math.Float32frombits(0x3f800000|f)
	if r.IntN(2) == 0 {
		v = -v
	}
	return v
}
