package kernel

import "math"

// Langevin holds the parameters of one Langevin step. The symbols are those of [LangevinUpdate].
type Langevin struct {
	Step        float32 // ε, the learning rate
	Multiplier  float32 // M, the contour multiplier; 1 for none
	NoiseScale2 float32 // 2τε, the variance of the noise where G is 1; τ is the temperature

	Precondition bool    // if false, G is 1 and V is not changed
	Alpha        float32 // α, the weight of the new squared gradient in V
	Rho          float32 // ρ, which keeps G at 1/ρ or below
	InvScale     float32 // 1/s; the gradient is divided by s before it enters V
	MultipliedV  bool    // V is computed from M·g instead of g
}

// LangevinUpdate computes one step for the parameters x with gradient g,
// preconditioner state v and standard normals w,
//
//	V ← (1−α)V + α(g/s)²
//	G = 1/(ρ + √V)
//	x ← x − ε·M·G·g + √(2τε·G)·w
//
// bit for bit as [LangevinPlain] does. x and v change in place. v may be nil if
// Precondition is false; if w is nil, there is no noise. The slices must not overlap.
func LangevinUpdate(x, g, v, w []float32, p *Langevin) {
	checkLen("g", len(g), len(x))
	if p.Precondition {
		checkLen("v", len(v), len(x))
	}
	if w != nil {
		checkLen("w", len(w), len(x))
	}
	c := langevinConst{
		step: p.Step, mult: p.Multiplier, noise: p.NoiseScale2,
		alpha: p.Alpha, rest: 1 - p.Alpha, rho: p.Rho, inv: p.InvScale,
		multV: 1,
	}
	if p.MultipliedV {
		c.multV = p.Multiplier
	}
	if !p.Precondition {
		c.noise = sqrt(c.noise)
	}
	rest := bulk(len(x), func(i, vectors int) {
		switch {
		case p.Precondition && w != nil:
			langevinVWAsm(&x[i], &g[i], &v[i], &w[i], &c.step, vectors)
		case p.Precondition:
			langevinVAsm(&x[i], &g[i], &v[i], &c.step, vectors)
		case w != nil:
			langevinWAsm(&x[i], &g[i], &w[i], &c.step, vectors)
		default:
			langevinAsm(&x[i], &g[i], &c.step, vectors)
		}
	})
	x, g = x[rest:], g[rest:]
	if p.Precondition {
		v = v[rest:]
	}
	if w != nil {
		w = w[rest:]
	}
	LangevinPlain(x, g, v, w, p)
}

// langevinConst is Langevin as the assembly reads it: rest is 1 − α, and multV is the factor of g in V.
type langevinConst struct {
	step, mult, noise, alpha, rest, rho, inv, multV float32
}

// LangevinPlain is [LangevinUpdate] in plain Go with the same order of operations. Slices must be nil or as long as x.
func LangevinPlain(x, g, v, w []float32, p *Langevin) {
	rest := 1 - p.Alpha
	G := float32(1)
	for i := range x {
		mg := p.Multiplier * g[i]
		if p.Precondition {
			q := g[i]
			if p.MultipliedV {
				q = mg
			}
			q *= p.InvScale
			v[i] = FMA32(p.Alpha, float32(q*q), float32(rest*v[i]))
			G = 1 / (p.Rho + sqrt(v[i]))
		}
		x[i] = FMA32(-(p.Step * G), mg, x[i])
		if w != nil {
			x[i] = FMA32(sqrt(p.NoiseScale2*G), w[i], x[i])
		}
	}
}

// sqrt returns the correctly rounded square root: rounding to float64 and then to float32 is the same as rounding once.
func sqrt(x float32) float32 { return float32(math.Sqrt(float64(x))) }
