package main

import "banditsim/internal/kernel/generate/arm64"

// A neon writes the kernel for arm64. NEON has 32 registers of four lanes and, unlike
// amd64, no memory operands and no masks. If the number of columns is not a multiple of
// four, the last vector of a panel, which ends with the last column, overlaps the one
// before it, and both compute the same values. Hence a panel has at least four columns.
type neon struct{ *arm64.File }

// generateNEON writes the assembly and its declarations.
func generateNEON(constraint, assembly, stubs string) error {
	w := &neon{arm64.NewFile(constraint)}
	panel := func(vectors, columns int) *neonPanel {
		return &neonPanel{code: code{File: w.File}, vectors: vectors, columns: columns}
	}
	// Up to 24 registers are accumulators of products.
	for vectors := 1; vectors <= 6; vectors++ {
		if vectors <= 3 {
			product(panel(vectors, 0), 8, 4, 2, 1)
		} else {
			product(panel(vectors, 0), 4, 2, 1)
		}
	}
	for columns := 1; columns <= 3; columns++ {
		product(panel(1, columns), 8, 4, 2, 1)
	}
	for vectors := 1; vectors <= widest; vectors++ {
		skip(panel(vectors, 0))
		lists(panel(vectors, 0))
	}
	w.packRows()
	w.nonzeroRows()
	w.nonzeroColumns()
	w.maxIndex()
	elementwise(panel(4, 0))
	w.transpose()
	w.normals()
	peak(panel(24, 0))
	return w.Write(assembly, stubs)
}

// widest is the largest number of vectors in a panel of skip and lists. Six registers
// remain: four for vectors from memory, one for an element of A, and one spare.
const widest = 26

// open begins the version of fn for a panel; panel is "" if fn has no panels.
func (w *neon) open(fn function, panel string) *arm64.Func {
	return w.Func(fn.version(panel, "NEON"), fn.doc, fn.parsed())
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
func byVectors(f *arm64.Func, n any, body func(vectors int)) {
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
