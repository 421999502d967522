package main

import (
	"strings"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// elementwise emits the functions that process whole vectors of arrays: ReLU, ReLUGrad, Axpy and the Langevin update.
// Plain Go processes the remaining elements.
func elementwise(p panel) {
	p.open(function{"relu", "func(x *float32, vectors int)", "is ReLU; vectors ≥ 1."}, "")
	x, n := p.argument("x"), p.argument("vectors")
	relu := p.relu()
	p.each(n, []Op{x}, func() {
		v := p.row()
		relu(v, from{base: x, kept: true})
		p.store(v, x)
	})
	p.leave()

	p.open(function{"reluGrad", "func(d, h *float32, vectors int)", "is ReLUGrad; vectors ≥ 1."}, "")
	d, h, n := p.argument("d"), p.argument("h"), p.argument("vectors")
	gradient := p.gradient()
	p.each(n, []Op{d, h}, func() {
		v := p.row()
		p.load(v, d)
		gradient(v, h)
		p.store(v, d)
	})
	p.leave()

	p.open(function{"axpy", "func(y *float32, a float32, x *float32, vectors int)", "is Axpy; vectors ≥ 1."}, "")
	y, x, n := p.argument("y"), p.argument("x"), p.argument("vectors")
	a := p.factor("a")
	p.each(n, []Op{y, x}, func() {
		v := p.row()
		p.load(v, y)
		p.op("fma", v, a, from{base: x, kept: true})
		p.store(v, y)
	})
	p.leave()

	for _, precondition := range []bool{true, false} {
		for _, noise := range []bool{true, false} {
			langevin(p, precondition, noise)
		}
	}
}

var langevinFields = layout("../langevin.go", "langevinConst")

// langevin emits the Langevin update.
func langevin(p panel, precondition, noise bool) {
	f, names := function{name: "langevin", doc: "is LangevinPlain; vectors ≥ 1."}, []string{"x", "grad"}
	if precondition {
		f.name += "V"
		names = append(names, "v")
	}
	if noise {
		f.name += "W"
		names = append(names, "w")
	}
	f.signature = "func(" + strings.Join(names, ", ") + " *float32, c *float32, vectors int)"
	p.open(f, "")
	var arrays []Op
	for _, name := range names {
		arrays = append(arrays, p.argument(name))
	}
	x, g, w := arrays[0], arrays[1], arrays[len(arrays)-1]
	c, n := p.argument("c"), p.argument("vectors")
	factor, vector := p.constants(c, langevinFields)
	step, mult, scale, alpha, rest := factor("step"), factor("mult"), factor("noise"), factor("alpha"), factor("rest")
	inv, multV, rho, one := factor("inv"), factor("multV"), vector("rho"), p.constant(1)

	p.each(n, arrays, func() {
		gv, mg := p.row(), p.row()
		p.load(gv, g)
		p.op("mul", mg, gv, mult)
		drift, spread := step, scale
		if precondition {
			v, q, V, G := arrays[2], gv, p.row(), p.row()
			p.op("mul", q, q, multV)
			p.op("mul", q, q, inv)
			p.op("mul", q, q, q)
			p.load(V, v)
			p.op("mul", V, V, rest)
			p.op("fma", V, q, alpha)
			p.store(V, v)
			p.op("sqrt", G, V)
			p.op("add", G, G, rho)
			p.op("div", G, one, G)
			if noise {
				spread = p.row()
				p.op("mul", spread, G, scale)
				p.op("sqrt", spread, spread)
			}
			p.op("mul", G, G, step)
			drift = G
		}
		xv := gv
		p.load(xv, x)
		p.op("fms", xv, mg, drift)
		if noise {
			p.op("fma", xv, spread, from{base: w, kept: true})
		}
		p.store(xv, x)
	})
	p.leave()
}

// peak emits multiply-adds on registers, with which benchmarks measure the limit of the processor. So that none waits
// for another, the panel needs as many vectors as the processor can have multiply-adds under way: up to 16 with NEON.
func peak(p panel) {
	p.open(function{"peak", "func(rounds int)",
		"performs machine.peakChains fused multiply-adds of vectors per round."}, "")
	n, half, v := p.argument("rounds"), p.constant(0.5), p.row()
	p.op("mul", v, half, half)
	p.loop("loop", n, func() { p.op("fma", v, half, half) })
	p.leave()
}

// transpose emits the transposition of a row of 4×4 blocks, from left to right. Both
// kernels for amd64 use this version, whose vectors have 128 bits.
func transpose() {
	avx2.open(transpose4Function, "")
	dst, src := argument("dst"), argument("src")
	ldd, lds, n := argument("ldd"), argument("lds"), argument("blocks")
	ldd3, lds3 := GP64(), GP64()
	LEAQ(Mem{Base: ldd, Index: ldd, Scale: 2}, ldd3)
	LEAQ(Mem{Base: lds, Index: lds, Scale: 2}, lds3)
	avx2.loop("loop", n, func() {
		a := avx2q.result(VMOVUPS, Mem{Base: src})
		b := avx2q.result(VMOVUPS, Mem{Base: src, Index: lds, Scale: 1})
		c := avx2q.result(VMOVUPS, Mem{Base: src, Index: lds, Scale: 2})
		d := avx2q.result(VMOVUPS, Mem{Base: src, Index: lds3, Scale: 1})
		ab := avx2q.result(VUNPCKLPS, b, a) // a0 b0 a1 b1
		AB := avx2q.result(VUNPCKHPS, b, a) // a2 b2 a3 b3
		cd, CD := avx2q.result(VUNPCKLPS, d, c), avx2q.result(VUNPCKHPS, d, c)
		VMOVLHPS(cd, ab, a) // a0 b0 c0 d0
		VMOVHLPS(ab, cd, b) // a1 b1 c1 d1
		VMOVLHPS(CD, AB, c)
		VMOVHLPS(AB, CD, d)
		VMOVUPS(a, Mem{Base: dst})
		VMOVUPS(b, Mem{Base: dst, Index: ldd, Scale: 1})
		VMOVUPS(c, Mem{Base: dst, Index: ldd, Scale: 2})
		VMOVUPS(d, Mem{Base: dst, Index: ldd3, Scale: 1})
		ADDQ(Imm(16), src)
		LEAQ(Mem{Base: dst, Index: ldd, Scale: 4}, dst)
	})
	avx2.leave()
}
