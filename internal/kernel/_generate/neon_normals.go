package main

import (
	"math"
	"slices"

	. "github.com/mmcloughlin/avo/operand"
)

// A generator emits Philox and Box–Muller for 16 blocks at once, with four vectors for
// each word. FMLA overwrites its addend, which is the coefficient in a Horner step, so
// that each step loads the coefficient into four vectors.
type generator struct {
	*neon
	blocks [6]Block // four registers each

	keys, nonce, first Op
	counters           Op // the address of the 64-bit numbers 0, 1, 2, 2
	coefficients       Op // the address of the polynomials' coefficients in the order of use, four vectors per coefficient

	one, two, tiny, threshold, sign, axis V
	// lanes holds factors. lanes[0] has the highest coefficient of the logarithm, −2,
	// −2 ln 2, and the highest coefficient of the sine; lanes[1] has the highest coefficient
	// of the cosine and the two multipliers of Philox.
	lanes Block
}

// generator begins fn and loads its constants. The register dst holds the argument dst of fn, and the register n the
// argument whose name is the string count.
func (w *neon) generator(fn function, count string) (g *generator, dst, n Op) {
	w.open(fn, "")
	g = &generator{neon: w}
	dst, n = w.argument("dst"), w.argument(count)
	g.keys, g.nonce, g.first = w.argument("keys"), w.argument("nonce"), w.argument("firstBlock")
	g.counters = w.address(0, 0, 1, 0, 2, 0, 2, 0)

	highest := func(coefficients []float32) uint32 { return math.Float32bits(coefficients[len(coefficients)-1]) }
	g.lanes = w.Block(2)
	w.scope(func() {
		w.Loads(g.lanes, w.address(
			highest(logCoef), math.Float32bits(-2), math.Float32bits(minus2Ln2), highest(sinCoef),
			highest(cosCoef), 0xD2511F53, 0xCD9E8D57, 0))
	})
	if fn.name == "normals" {
		g.one, g.two, g.tiny = w.constant(math.Float32bits(1)), w.constant(2), w.constant(math.Float32bits(0x1p-33))
		g.threshold, g.sign, g.axis = w.constant(threeQuarters), w.constant(signBit), w.constant(signBit>>1)
		var table []uint32
		for _, coefficients := range [][]float32{logCoef, sinCoef, append([]float32{1}, cosCoef...)} {
			for i := len(coefficients) - 2; i >= 0; i-- {
				table = append(table, slices.Repeat([]uint32{math.Float32bits(coefficients[i])}, 16)...)
			}
		}
		g.coefficients = w.address(table...)
	}
	for i := range g.blocks {
		g.blocks[i] = w.Block(4)
	}
	return g, dst, n
}

// normals emits the generators of normals and of words.
func (w *neon) normals() {
	g, dst, n := w.generator(normalsFunction, "chunks")
	slot, next := g.reg(), g.reg()
	g.loop("loop", n, func() {
		words, free := g.philox()
		// Words 1 to 3 are stored temporarily where the normals will be.
		g.Op("ADD", slot, dst, 64)
		for _, word := range words[1:] {
			g.StoresNext(word, slot)
		}
		word := words[0]
		free = append(free, words[1:]...)
		for pair := range 2 {
			g.Op("MOVD", next, g.coefficients)
			if pair == 1 {
				g.Loads(word, dst)
			}
			r, spare := g.radius(word, free, next)
			word = spare[0]
			g.Op("ADD", slot, dst, 64)
			g.Loads(word, slot)
			cos, sin, spare := g.circle(word, spare[1:], next)
			for i := range r {
				g.Op("fmul", cos[i], cos[i], r[i])
				g.Op("fmul", sin[i], sin[i], r[i])
			}
			g.StoresNext(cos, dst)
			g.StoresNext(sin, dst)
			word, free = r, append(spare, cos, sin)
		}
	})
	g.leave()

	g, dst, n = w.generator(philoxWordsFunction, "groups")
	g.loop("loop", n, func() {
		words, _ := g.philox()
		for _, word := range words {
			g.StoresNext(word, dst)
		}
	})
	g.leave()
}

// philox emits the generation of 16 blocks, and advances g.first. It returns the words and the registers that are free.
func (g *generator) philox() (words [4]Block, free []Block) {
	c := [4]Block(g.blocks[:4])
	t, k := g.blocks[4], g.blocks[5]
	g.Loads(t[:2], g.counters)
	g.Op("VDUP.D2", t[2], g.first)
	g.Op("VADD.D2", t[2], t[2], t[0])
	g.Op("VDUP.D2", k[0], g.nonce)
	for i := range 4 {
		g.Op("VADD.D2", t[3], t[2], t[1])
		g.Op("VUZP1.S4", c[0][i], t[2], t[3])
		g.Op("VUZP2.S4", c[1][i], t[2], t[3])
		g.Op("VADD.D2", t[2], t[3], t[1])
		g.Op("VUZP1.S4", c[2][i], k[0], k[0])
		g.Op("VUZP2.S4", c[3][i], k[0], k[0])
	}
	g.Op("ADD", g.first, g.first, 16)
	g.scope(func() {
		key := g.reg()
		g.Op("MOVD", key, g.keys)
		for range 10 {
			g.Line("VLD2R.P 8(%s), %s", key, k[:2]) // two numbers, each in all lanes of a vector
			for i := range 4 {
				for half := range 2 { // c0·m0, then c2·m1, with the high words in t
					x, low, high := c[2*half][i], t[2*half], t[2*half+1]
					g.Op("umullLane", low, x, g.lanes[1], 1+half)
					g.Op("umull2Lane", high, x, g.lanes[1], 1+half)
					g.Op("VUZP1.S4", x, low, high)
					g.Op("VUZP2.S4", low, low, high)
				}
				g.Op("VEOR.B16", c[1][i], c[1][i], t[2])
				g.Op("VEOR.B16", c[1][i], c[1][i], k[0])
				g.Op("VEOR.B16", c[3][i], c[3][i], t[0])
				g.Op("VEOR.B16", c[3][i], c[3][i], k[1])
			}
			c = [4]Block{c[1], c[2], c[3], c[0]}
		}
	})
	return c, []Block{t, k}
}

// radius emits kernel.radius for four vectors. The emitted code loads coefficients from the address next, which it
// advances. radius returns the registers of the result, and those that are free.
func (g *generator) radius(word Block, free []Block, next Op) (r Block, spare []Block) {
	t, e, y, f := word, free[0], free[1], free[2]
	for i := range t {
		sign := e[i]
		g.Op("sshr", sign, t[i], 31)
		g.Op("VEOR.B16", t[i], t[i], sign)
		g.Op("scvtfFixed", t[i], t[i], 32)
		g.Op("fadd", t[i], t[i], g.tiny)
		g.Op("fsub", y[i], g.one, t[i])
		g.Op("VBIF.B16", y[i], t[i], sign)
		g.Op("VSUB.S4", e[i], y[i], g.threshold)
		g.Op("sshr", e[i], e[i], 23)
		g.Op("VSHL.S4", f[i], e[i], 23)
		g.Op("VSUB.S4", f[i], y[i], f[i])
		g.Op("fsub", f[i], f[i], g.one)
		g.Op("fneg", t[i], t[i])
		g.Op("cmeqZero", y[i], e[i])
		g.Op("VBIT.B16", f[i], t[i], y[i])
	}
	p, q := g.horner(f, g.lanes[0], 0, 8, t, y, next)
	for i := range q {
		g.Op("fmulLane", q[i], f[i], g.lanes[0], 1)
		g.Op("fmul", f[i], f[i], f[i])
		g.Op("VFMLA.S4", q[i], f[i], p[i])
		g.Op("scvtf", e[i], e[i])
		g.Op("fmlaLane", q[i], e[i], g.lanes[0], 2)
		g.Op("fsqrt", q[i], q[i])
	}
	return q, append([]Block{p, e, f}, free[3:]...)
}

// horner emits a polynomial at x. The highest coefficient is in a lane of v, and the other n are
// loaded from the address next. The result is in p or q, and spare is the other one.
func (g *generator) horner(x Block, v V, lane, n int, p, q Block, next Op) (result, spare Block) {
	for k := range n {
		g.LoadsNext(q, next)
		for i := range q {
			if k == 0 {
				g.Op("fmlaLane", q[i], x[i], v, lane)
			} else {
				g.Op("VFMLA.S4", q[i], x[i], p[i])
			}
		}
		p, q = q, p
	}
	return p, q
}

// circle emits kernel.circle for four vectors. As radius does, it advances next, and returns the free registers.
func (g *generator) circle(word Block, free []Block, next Op) (cos, sin Block, spare []Block) {
	z, y, s, c := free[0], free[1], free[2], free[3]
	for i := range z {
		g.Op("VSHL.S4", z[i], word[i], 2)
		g.Op("VORR.B16", z[i], z[i], g.two)
		g.Op("scvtfFixed", z[i], z[i], 32)
		g.Op("fmul", y[i], z[i], z[i])
	}
	sin, c = g.horner(y, g.lanes[0], 3, 3, s, c, next)
	for i := range sin {
		g.Op("fmul", sin[i], sin[i], z[i])
	}
	cos, z = g.horner(y, g.lanes[1], 0, 4, c, z, next)
	for i := range cos {
		g.Op("VAND.B16", y[i], word[i], g.sign)
		g.Op("VEOR.B16", cos[i], cos[i], y[i])
		swap := y[i]
		g.Op("VCMTST.S4", swap, word[i], g.axis)
		g.Op("VMOV.B16", z[i], cos[i])
		g.Op("VBIT.B16", cos[i], sin[i], swap)
		g.Op("VBIT.B16", sin[i], z[i], swap)
	}
	return cos, sin, append([]Block{word, z, y}, free[4:]...)
}
