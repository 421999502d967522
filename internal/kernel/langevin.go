package kernel

import (
	"math"
	"unsafe"
)

// Langevin holds the numbers of one Langevin step, already in the precision
// that it works in. In the letters of the papers:
type Langevin[F float32 | float64] struct {
	Step        F // ε, the learning rate
	Multiplier  F // M, the contour multiplier; 1 if there is none
	NoiseScale2 F // 2τε, the variance of the noise before the preconditioner

	Precondition bool // whether V and G are on; if not, G is 1 and V is left alone
	Alpha        F    // α, the share of the new squared gradient in V
	Rho          F    // ρ, what keeps G finite
	InvScale     F    // 1/s, by which gradients are scaled on their way into V
	MultipliedV  bool // V from M·g instead of g
}

// LangevinUpdate moves the parameters x one step, with gradient g,
// preconditioner state v and standard normals w:
//
//	V ← (1−α)V + α(g/s)²
//	G = 1/(ρ + √V)
//	x ← x − ε·M·G·g + √(2τε·G)·w
//
// in one pass, with the bits of [LangevinPlain]. x and v change in place; v may
// be nil if Precondition is off, w nil for no noise. The four must not overlap.
func LangevinUpdate(x, g, v, w []float32, p *Langevin[float32]) {
	checkLangevin(len(x), len(g), len(v), len(w), w == nil, p.Precondition)
	langevin(x, g, v, w, p)
}

func checkLangevin(x, g, v, w int, silent, precondition bool) {
	checkLen("g", g, x)
	if precondition {
		checkLen("v", v, x)
	}
	if !silent {
		checkLen("w", w, x)
	}
}

// LangevinPlain is the step of [LangevinUpdate] in plain Go, in the order of
// operations that all kernels keep. In float64 it is an oracle of about twelve
// digits more.
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

// fma is x*y + z with one rounding, in either precision.
func fma[F float32 | float64](x, y, z F) F {
	if unsafe.Sizeof(x) == 4 {
		return F(FMA32(float32(x), float32(y), float32(z)))
	}
	return F(math.FMA(float64(x), float64(y), float64(z)))
}

// sqrt is correctly rounded in either precision: the float64 root of a float32
// has digits to spare, so that rounding it again does no harm.
func sqrt[F float32 | float64](x F) F { return F(math.Sqrt(float64(x))) }
