package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

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

// langevin emits the update with and without preconditioner and noise.
func langevin(w width) {
	for _, precondition := range []bool{true, false} {
		for _, noise := range []bool{true, false} {
			langevinLoop(w, precondition, noise)
		}
	}
}

func langevinLoop(w width, precondition, noise bool) {
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
