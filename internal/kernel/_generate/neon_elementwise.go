package main

import "banditsim/internal/kernel/generate/arm64"

// elementwise emits the short loops over whole vectors.
func (w *neon) elementwise() {
	f := w.open(reluFunction, "")
	x := f.Arg("x")
	byVectors(f, f.Arg("vectors"), func(vectors int) {
		v, negative := f.Block(vectors), f.V()
		f.Loads(v, x)
		for _, v := range v {
			f.Op("fcmltZero", negative, v)
			f.Op("bic", v, v, negative)
		}
		f.StoresNext(v, x)
	})
	f.Op("RET")

	f = w.open(reluGradFunction, "")
	d, h := f.Arg("d"), f.Arg("h")
	byVectors(f, f.Arg("vectors"), func(vectors int) {
		dv, hv := f.Block(vectors), f.Block(vectors)
		f.Loads(dv, d)
		f.LoadsNext(hv, h)
		for s, v := range hv {
			f.Op("fcmleZero", v, v)
			f.Op("bic", dv[s], dv[s], v)
		}
		f.StoresNext(dv, d)
	})
	f.Op("RET")

	f = w.open(axpyFunction, "")
	y, x := f.Arg("y"), f.Arg("x")
	a := f.V()
	f.ArgFloat(a, "a")
	byVectors(f, f.Arg("vectors"), func(vectors int) {
		yv, xv := f.Block(vectors), f.Block(vectors)
		f.Loads(yv, y)
		f.LoadsNext(xv, x)
		for s, v := range yv {
			f.Op("fmlaLane", v, xv[s], a, 0)
		}
		f.StoresNext(yv, y)
	})
	f.Op("RET")
}

// transpose emits the transposition of a row of 4×4 blocks.
func (w *neon) transpose() {
	f := w.open(transpose4Function, "")
	dst, src := f.Arg("dst"), f.Arg("src")
	ldd, lds, n := f.Arg("ldd"), f.Arg("lds"), f.Arg("blocks")
	v, u := f.Block(4), f.Block(4)
	counted(f, "loop", n, func() {
		f.Scope(func() {
			ptr := f.R()
			f.Op("MOVD", ptr, src)
			for i := range v {
				f.LoadsStep(v[i:i+1], ptr, lds)
			}
		})
		f.Op("VTRN1.S4", u[0], v[0], v[1]) // a0 b0 a2 b2
		f.Op("VTRN2.S4", u[1], v[0], v[1]) // a1 b1 a3 b3
		f.Op("VTRN1.S4", u[2], v[2], v[3]) // c0 d0 c2 d2
		f.Op("VTRN2.S4", u[3], v[2], v[3])
		f.Op("VTRN1.D2", v[0], u[0], u[2]) // a0 b0 c0 d0
		f.Op("VTRN1.D2", v[1], u[1], u[3])
		f.Op("VTRN2.D2", v[2], u[0], u[2]) // a2 b2 c2 d2
		f.Op("VTRN2.D2", v[3], u[1], u[3])
		for i := range v {
			f.StoresStep(v[i:i+1], dst, ldd)
		}
		f.Op("ADD", src, src, 16)
	})
	f.Op("RET")
}

// neonPeakChains is the number of chains of peak: four units with a latency of four
// cycles need 16.
const neonPeakChains = 24

func (w *neon) peak() {
	f := w.open(peakFunction, "")
	n := f.Arg("rounds")
	acc, half := f.Block(neonPeakChains), f.V()
	f.Scope(func() { f.Broadcast(half, f.Address(w.Constants(floatBits(0.5)))) })
	for _, v := range acc {
		f.Zero(v)
	}
	counted(f, "loop", n, func() {
		for _, v := range acc {
			f.Op("VFMLA.S4", v, half, half)
		}
	})
	f.Op("RET")
}

// langevin emits the update with and without preconditioner and noise.
func (w *neon) langevin() {
	for _, precondition := range []bool{true, false} {
		for _, noise := range []bool{true, false} {
			w.langevinLoop(precondition, noise)
		}
	}
}

func (w *neon) langevinLoop(precondition, noise bool) {
	f := w.open(langevinFunction(precondition, noise), "")
	x, g := f.Arg("x"), f.Arg("grad")
	var v, wn arm64.R
	if precondition {
		v = f.Arg("v")
	}
	if noise {
		wn = f.Arg("w")
	}
	c, n := f.Arg("c"), f.Arg("vectors")

	// Most constants are used as lanes of two vectors.
	constants, rho, one := f.Block(2), f.V(), f.V()
	f.Loads(constants, c)
	f.DupLane(rho, constants[constRho/16], constRho/4%4)
	f.Op("ADD", c, c, constOne)
	f.Broadcast(one, c)
	times := func(d, n arm64.V, constant int) { f.Op("fmulLane", d, n, constants[constant/16], constant/4%4) }

	byVectors(f, n, func(vectors int) {
		xv, gv := f.Block(vectors), f.Block(vectors)
		f.LoadsNext(gv, g)
		f.Loads(xv, x)
		var vv, wv arm64.Block
		if precondition {
			vv = f.Block(vectors)
			f.Loads(vv, v)
		}
		if noise {
			wv = f.Block(vectors)
			f.LoadsNext(wv, wn)
		}
		mg, G, spread := f.Block(vectors), f.Block(vectors), f.Block(vectors)
		for s := range vectors {
			times(mg[s], gv[s], constMult)
			if precondition {
				q := gv[s]
				times(q, q, constMultV)
				times(q, q, constInv)
				f.Op("fmul", q, q, q)
				times(vv[s], vv[s], constRest)
				f.Op("fmlaLane", vv[s], q, constants[constAlpha/16], constAlpha/4%4)
				f.Op("fsqrt", G[s], vv[s])
				f.Op("fadd", G[s], rho, G[s])
				f.Op("fdiv", G[s], one, G[s])
				if noise {
					times(spread[s], G[s], constNoise)
					f.Op("fsqrt", spread[s], spread[s])
				}
				times(G[s], G[s], constStep) // the drift
				f.Op("VFMLS.S4", xv[s], mg[s], G[s])
				if noise {
					f.Op("VFMLA.S4", xv[s], wv[s], spread[s])
				}
				continue
			}
			f.Op("fmlsLane", xv[s], mg[s], constants[constStep/16], constStep/4%4)
			if noise {
				f.Op("fmlaLane", xv[s], wv[s], constants[constNoise/16], constNoise/4%4)
			}
		}
		if precondition {
			f.StoresNext(vv, v)
		}
		f.StoresNext(xv, x)
	})
	f.Op("RET")
}
