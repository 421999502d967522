package main

import (
	"errors"
	"math"
	"strconv"

	"banditsim/internal/kernel/generate/arm64"
)

// A neon writes the kernel for arm64. NEON has 32 registers of four lanes and, unlike
// amd64, no memory operands and no masks. If the number of columns is not a multiple of
// four, the last vector of a panel, which ends with the last column, overlaps the one
// before it, and both compute the same values. Hence a panel has at least four columns.
type neon struct {
	*arm64.File
	versions
}

// generateNEON writes the assembly, its declarations and the Go functions that call it.
func generateNEON(assembly, stubs, calls string) error {
	const constraint = "arm64 && !noasm"
	w := &neon{arm64.NewFile(constraint), versions{names: map[[2]string][]string{}}}
	w.products()
	for vectors := 1; vectors <= widest; vectors++ {
		w.skip(vectors)
		w.lists(vectors)
	}
	w.packRows()
	w.nonzeroRows()
	w.nonzeroColumns()
	w.maxIndex()
	w.elementwise()
	w.transpose()
	langevins(w.langevin)
	w.normals()
	w.peak()
	return errors.Join(w.Write(assembly, stubs), w.writeCalls(calls, constraint, "NEON"))
}

// widest is the largest number of vectors in a panel of skip and lists. Six registers
// remain: four for vectors from memory, one for an element of A, and one spare.
const widest = 26

// open begins the version of fn for a panel; panel is "" if fn has no panels.
func (w *neon) open(fn function, panel string) *arm64.Func {
	return w.Func(w.add(fn, panel, "NEON"), fn.doc, fn.parsed())
}

// fields returns a function that loads the field at an offset of the struct at t into a
// new register.
func fields(f *arm64.Func, t arm64.R) func(offset int) arm64.R {
	return func(offset int) arm64.R {
		r := f.R()
		f.Load(r, t, offset)
		return r
	}
}

// counted emits a loop in which body runs n times, n ≥ 1.
func counted(f *arm64.Func, label string, n arm64.R, body func()) {
	f.Label(label)
	body()
	f.Op("SUBS", n, n, 1)
	f.Op("BNE", label)
}

// byVectors emits a loop over n vectors, four at a time and then one at a time. body emits
// the code for a number of vectors.
func byVectors(f *arm64.Func, n arm64.R, body func(vectors int)) {
	f.Op("SUBS", n, n, 4)
	f.Op("BLT", "rest")
	f.Label("four")
	f.Scope(func() { body(4) })
	f.Op("SUBS", n, n, 4)
	f.Op("BGE", "four")
	f.Label("rest")
	f.Op("ADDS", n, n, 4)
	f.Op("BEQ", "done")
	f.Label("one")
	f.Scope(func() { body(1) })
	f.Op("SUBS", n, n, 1)
	f.Op("BNE", "one")
	f.Label("done")
}

// A band is one row of a panel.
type band struct {
	*arm64.Func
	vectors int
	last    arm64.R // the distance from the first to the last vector in bytes
}

func (b *band) name() string { return strconv.Itoa(b.vectors) }

// load loads the row at base. It may change base.
func (b *band) load(row arm64.Block, base arm64.R) {
	b.Op("ldrq", row[len(row)-1], base, b.last)
	b.groups(func(first, n int, more bool) {
		if more {
			b.LoadsNext(row[first:first+n], base)
		} else {
			b.Loads(row[first:first+n], base)
		}
	})
}

// store stores the row at base, which is also in at. It may change base.
func (b *band) store(row arm64.Block, base, at arm64.R) {
	b.groups(func(first, n int, more bool) {
		if more {
			b.StoresNext(row[first:first+n], base)
		} else {
			b.Stores(row[first:first+n], base)
		}
	})
	b.Op("strq", row[len(row)-1], at, b.last)
}

// each loads the vectors of the row at base into the registers of space, in groups of at
// most four, and calls use for each. It may change base.
func (b *band) each(base arm64.R, space arm64.Block, use func(s int, v arm64.V)) {
	b.Op("ldrq", space[0], base, b.last)
	use(b.vectors-1, space[0])
	b.groups(func(first, n int, more bool) {
		if more {
			b.LoadsNext(space[:n], base)
		} else {
			b.Loads(space[:n], base)
		}
		for i := range n {
			use(first+i, space[i])
		}
	})
}

// groups divides all vectors but the last into groups of up to four. It calls use with the
// first vector of a group, the group's size, and whether more groups follow.
func (b *band) groups(use func(first, n int, more bool)) {
	for first := 0; first < b.vectors-1; first += 4 {
		n := min(4, b.vectors-1-first)
		use(first, n, first+n < b.vectors-1)
	}
}

// elementwise emits ReLU, ReLUGrad and Axpy for whole vectors.
func (w *neon) elementwise() {
	f := w.open(reluFunction, "")
	x := f.Arg("x")
	byVectors(f, f.Arg("vectors"), func(vectors int) {
		v, negative := f.Block(vectors), f.V()
		f.Loads(v, x)
		relu(f, v, negative)
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

// relu emits v = max(0, v), which keeps NaN and −0, for each vector. It changes scratch.
func relu(f *arm64.Func, vectors arm64.Block, scratch arm64.V) {
	for _, v := range vectors {
		f.Op("fcmltZero", scratch, v)
		f.Op("bic", v, v, scratch)
	}
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

// neonPeakChains is the number of independent chains of multiply-adds. Processors with
// four units and a latency of four cycles need 16.
const neonPeakChains = 24

// peak emits multiply-adds on registers, like the function peak for amd64.
func (w *neon) peak() {
	f := w.open(peakFunction, "")
	n := f.Arg("rounds")
	acc, half := f.Block(neonPeakChains), f.V()
	f.Scope(func() { f.Broadcast(half, f.Address(w.Constants(math.Float32bits(0.5)))) })
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

// langevin emits the Langevin update.
func (w *neon) langevin(precondition, noise bool) {
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
	f.Line("VDUP V%d.S[%d], %s", constants[constRho/16], constRho/4%4, rho)
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
