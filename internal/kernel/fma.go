package kernel

import "math"

// emulateFMA32 is FMA32 computed in float64.
//
// The product of two float32s is exact in float64, so that the float64 sum s has
// been rounded once. Rounding it to float32 is a second rounding, which changes
// the result in rare cases: see hard.
func emulateFMA32(x, y, z float32) float32 {
	p := float64(x) * float64(y) // exact in float64, so it may be fused with the sum
	s := p + float64(z)
	if hard(s) {
		return fma32Slow(p, float64(z), s)
	}
	return float32(s)
}

// hard reports whether rounding s to float32 may differ from rounding the exact
// sum. This can happen if s is half-way between two float32s (its low 29 bits are
// a one followed by zeros) but the exact sum is not, or if the result is subnormal
// and thus has fewer bits. If s is zero, it is the exact sum.
func hard(s float64) bool {
	const minNormal = (1023 - 126) << 53 // the bits of 2⁻¹²⁶ shifted left by one, like b<<1
	b := math.Float64bits(s)
	return b&0x1fffffff == 0x10000000 || b<<1-1 < minNormal-1
}

// fma32Slow rounds p + z to float32. s is the float64 sum. If s is inexact, it is first rounded to odd: an odd s is not
// half-way between two float32s and is on the same side of every such point as the exact sum, so that rounding it again
// gives the right result.
func fma32Slow(p, z, s float64) float32 {
	// e is the exact error of s (Knuth's TwoSum).
	t := s - p
	e := (p - (s - t)) + (z - t)
	b := math.Float64bits(s)
	if e != 0 && b&1 == 0 {
		if (e > 0) == (s > 0) {
			b++
		} else {
			b--
		}
	}
	return float32(math.Float64frombits(b))
}
