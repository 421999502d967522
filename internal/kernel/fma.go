package kernel

import "math"

// FMA32 returns x*y + z with a single rounding, as the processor's float32
// fused multiply-add does.
//
// The product of two float32s is exact in float64, so the float64 sum s is off
// by one rounding only. Rounding s to float32 is then a second one, and two
// roundings differ from one in two cases: s lies exactly half-way between two
// float32s (its low 29 bits are 1 followed by zeros) but the true sum does not,
// or the result is subnormal, where the half-way points lie elsewhere. Both are
// rare and left to fma32Slow.
func FMA32(x, y, z float32) float32 {
	p := float64(x) * float64(y) // exact, so fusing it with the sum changes nothing
	s := p + float64(z)
	b := math.Float64bits(s)
	if b&0x1fffffff == 0x10000000 || b<<1 < minNormal32 {
		return fma32Slow(p, float64(z), s)
	}
	return float32(s)
}

// minNormal32 is the smallest normal float32, 2⁻¹²⁶, as float64 bits without
// the sign.
const minNormal32 = (1023 - 126) << 53

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
