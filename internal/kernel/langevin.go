package kernel

import (
	"math"
	"unsafe"
)

// Langevin holds the parameters of one Langevin step in the precision of the
// computation. The symbols are those of [LangevinUpdate].
type Langevin[F float32 | float64] struct {
	Step        F // ε, the learning rate
	Multiplier  F // M, the contour multiplier; 1 for none
	NoiseScale2 F // 2τε, the variance of the noise before the preconditioner

	Precondition bool // if false, G is 1 and V is not changed
	Alpha        F    // α, the weight of the new squared gradient in V
	Rho          F    // ρ, which bounds G
	InvScale     F    // 1/s, the scale of the gradients in V
	MultipliedV  bool // compute V from M·g instead of g
}

// LangevinUpdate computes one step for the parameters x with gradient g,
// preconditioner state v and standard normals w,
//
//	V ← (1−α)V + α(g/s)²
//	G = 1/(ρ + √V)
//	x ← x − ε·M·G·g + √(2τε·G)·w
//
// with the bits of [LangevinPlain]. x and v change in place. v may be nil if
// Precondition is false, w is nil for no noise. The slices must not overlap.
func LangevinUpdate(x, g, v, w []float32, p *Langevin[float32]) {
	checkLangevin(len(x), len(g), len(v), len(w), w == nil, p.Precondition)
	langevin(x, g, v, w, p)
}

// checkLangevin panics unless the lengths of the slices fit. silent is true if w is nil.
func checkLangevin(x, g, v, w int, silent, precondition bool) {
	checkLen("g", g, x)
	if precondition {
		checkLen("v", v, x)
	}
	if !silent {
		checkLen("w", w, x)
	}
}

// LangevinPlain is [LangevinUpdate] in plain Go, with the order of operations of
// all kernels. Tests use it in float64 as a reference with nine more digits.
func LangevinPlain[F float32 | float64](x, g, v, w []F, p *Langevin[F]) {
	checkLangevin(len(x), len(g), len(v), len(w), w == nil, p.Precondition)
	rest := 1 - p.Alpha
	G := F(1)
	for i := range x {
		mg := p.Multiplier * g[i]
		if p.Precondition {
			q := g[i]
			if p.MultipliedV {
				q = mg
			}
			q *= p.InvScale
			v[i] = fma(p.Alpha, F(q*q), F(rest*v[i]))
			G = 1 / (p.Rho + sqrt(v[i]))
		}
		x[i] = fma(-(p.Step * G), mg, x[i])
		if w != nil {
			x[i] = fma(sqrt(p.NoiseScale2*G), w[i], x[i])
		}
	}
}

// fma returns x*y + z with one rounding, in either precision.
func fma[F float32 | float64](x, y, z F) F {
	if unsafe.Sizeof(x) == 4 {
		return F(FMA32(float32(x), float32(y), float32(z)))
	}
	return F(math.FMA(float64(x), float64(y), float64(z)))
}

// sqrt returns the correctly rounded square root in either precision. For a float32,
// rounding the float64 root again cannot change the result.
func sqrt[F float32 | float64](x F) F { return F(math.Sqrt(float64(x))) }
