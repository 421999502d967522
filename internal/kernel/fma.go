package kernel

import "math"

// emulateFMA32 is FMA32 from float64 operations.
//
// The product of two float32s is exact in float64, so the float64 sum s is off
// by one rounding only. Rounding s to float32 is then a second one, which does
// harm in rare cases only: see hard.
func emulateFMA32(x, y, z float32) float32 {
	p := float64(x) * float64(y) // exact, so fusing it with the sum changes nothing
	s := p + float64(z)
	if hard(s) {
		return fma32Slow(p, float64(z), s)
	}
	return float32(s)
}

// hard reports whether rounding s to float32 may differ from rounding the sum
// that s stands for: s lies exactly half-way between two float32s (its low 29
// bits are 1 followed by zeros) but the sum perhaps does not, or the result is
// subnormal, where the half-way points lie elsewhere. A zero is exact.
func hard(s float64) bool {
	const minNormal = (1023 - 126) << 53 // 2⁻¹²⁶, its bits shifted like b
	b := math.Float64bits(s)
	return b&0x1fffffff == 0x10000000 || b<<1-1 < minNormal-1
}

// fma32Slow rounds p + z to float32, where s is the float64 sum. It makes s odd
// if it is inexact (rounding to odd): an odd s is never half-way between
// float32s and stays on the right side of every half-way point, so that the
// last rounding is the only one.
func fma32Slow(p, z, s float64) float32 {
	// Knuth's TwoSum: e is the exact error of s.
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
