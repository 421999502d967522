package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// elementwise emits ReLU, ReLUGrad and Axpy for whole vectors. Plain Go processes the
// remaining elements.
func elementwise(w width) {
	at := func(name string) Mem { return Mem{Base: argument(name)} }
	next := func(m Mem) { ADDQ(Imm(uint64(w)), m.Base) }

	w.open(reluFunction, "")
	x, n := at("x"), argument("vectors")
	zero := w.zero()
	loop("loop", n, func() {
		v := w.vec()
		// max(0, x) is x unless 0 > x, so that NaN and −0 are kept.
		VMAXPS(x, zero, v)
		VMOVUPS(v, x)
		next(x)
	})
	leave()

	w.open(reluGradFunction, "")
	d, h := at("d"), at("h")
	n = argument("vectors")
	zero = w.zero()
	loop("loop", n, func() {
		v := w.vec()
		if w == avx512 {
			const notGreaterEqual = 25 // 0 ≥ h fails: h > 0 or NaN
			k := K()
			VCMPPS(Imm(notGreaterEqual), h, zero, k)
			VMOVUPS_Z(d, k, v)
		} else {
			const greaterEqual = 29 // 0 ≥ h, quiet
			VCMPPS(Imm(greaterEqual), h, zero, v)
			VANDNPS(d, v, v)
		}
		VMOVUPS(v, d)
		next(d)
		next(h)
	})
	leave()

	w.open(axpyFunction, "")
	y, x := at("y"), at("x")
	n = argument("vectors")
	a := w.vec()
	ax := Load(Param("a"), XMM())
	VBROADCASTSS(ax, a)
	loop("loop", n, func() {
		v := w.vec()
		VMOVUPS(y, v)
		VFMADD231PS(x, a, v)
		VMOVUPS(v, y)
		next(y)
		next(x)
	})
	leave()
}

// transpose emits the transposition of a row of 4×4 blocks, from left to right. Both
// kernels use the version with 128 bits.
func transpose() {
	avx2.open(transpose4Function, "")
	dst, src := argument("dst"), argument("src")
	ldd, lds, n := argument("ldd"), argument("lds"), argument("blocks")
	ldd3, lds3 := GP64(), GP64()
	LEAQ(Mem{Base: ldd, Index: ldd, Scale: 2}, ldd3)
	LEAQ(Mem{Base: lds, Index: lds, Scale: 2}, lds3)
	loop("loop", n, func() {
		a, b, c, d := XMM(), XMM(), XMM(), XMM()
		VMOVUPS(Mem{Base: src}, a)
		VMOVUPS(Mem{Base: src, Index: lds, Scale: 1}, b)
		VMOVUPS(Mem{Base: src, Index: lds, Scale: 2}, c)
		VMOVUPS(Mem{Base: src, Index: lds3, Scale: 1}, d)
		ab, AB, cd, CD := XMM(), XMM(), XMM(), XMM()
		VUNPCKLPS(b, a, ab) // a0 b0 a1 b1
		VUNPCKHPS(b, a, AB) // a2 b2 a3 b3
		VUNPCKLPS(d, c, cd)
		VUNPCKHPS(d, c, CD)
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
	leave()
}

// Offsets of the fields of kernel.langevinConst.
const (
	constStep  = 0  // ε, or ε·G where G is 1
	constMult  = 4  // M
	constNoise = 8  // 2τε, or its root where G is 1
	constAlpha = 12 // α
	constRest  = 16 // 1−α
	constRho   = 20 // ρ
	constInv   = 24 // 1/s
	constMultV = 28 // M or 1, the factor of g in V
	constOne   = 32
)

// langevin emits the Langevin update.
func langevin(w width, precondition, noise bool) {
	w.open(langevinFunction(precondition, noise), "")
	var pointers []reg.Register
	at := func(name string) Mem {
		p := argument(name)
		pointers = append(pointers, p)
		return Mem{Base: p}
	}
	x, g := at("x"), at("grad")
	var v, wn Mem
	if precondition {
		v = at("v")
	}
	if noise {
		wn = at("w")
	}
	c, n := argument("c"), argument("vectors")
	constant := func(off int) reg.VecVirtual { return w.broadcast(Mem{Base: c, Disp: off}) }

	step, mult := constant(constStep), constant(constMult)
	var ns, alpha, rest, rho, inv, multV, one reg.VecVirtual
	if noise {
		ns = constant(constNoise)
	}
	if precondition {
		alpha, rest, rho = constant(constAlpha), constant(constRest), constant(constRho)
		inv, multV, one = constant(constInv), constant(constMultV), constant(constOne)
	}
	loop("loop", n, func() {
		gv, mg := w.vec(), w.vec()
		VMOVUPS(g, gv)
		VMULPS(gv, mult, mg)
		drift, spread := step, ns
		if precondition {
			q, V, G := w.vec(), w.vec(), w.vec()
			VMULPS(gv, multV, q)
			VMULPS(q, inv, q)
			VMULPS(q, q, q)
			VMULPS(v, rest, V)
			VFMADD231PS(q, alpha, V)
			VMOVUPS(V, v)
			VSQRTPS(V, G)
			VADDPS(rho, G, G)
			VDIVPS(G, one, G)
			drift = w.vec()
			VMULPS(step, G, drift)
			if noise {
				spread = w.vec()
				VMULPS(ns, G, spread)
				VSQRTPS(spread, spread)
			}
		}
		xv := w.vec()
		VMOVUPS(x, xv)
		VFNMADD231PS(mg, drift, xv)
		if noise {
			VFMADD231PS(wn, spread, xv)
		}
		VMOVUPS(xv, x)
		for _, p := range pointers {
			ADDQ(Imm(uint64(w)), p)
		}
	})
	leave()
}
