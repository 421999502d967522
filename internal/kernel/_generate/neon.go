package main

import (
	"strconv"

	"banditsim/internal/kernel/generate/arm64"
)

// A neon writes the kernel for arm64. Unlike amd64, NEON has 32 registers of four
// lanes, no memory operands and no masks. The last vector of a panel ends with the
// last column and overlaps the vector before it if the columns are not a multiple of
// four: both compute the same values. Hence a panel has at least four columns.
type neon struct {
	*arm64.File
	versions
}

// generateNEON writes the assembly, its declarations and the Go functions that call it.
func generateNEON(assembly, stubs, calls string) error {
	const constraint = "arm64 && !noasm"
	w := &neon{File: arm64.NewFile(constraint)}
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
	w.langevin()
	w.normals()
	w.peak()
	if err := w.Write(assembly, stubs); err != nil {
		return err
	}
	return w.writeCalls(calls, constraint, "NEON")
}

// widest is the largest number of vectors in a panel of the functions skip and
// lists: one register is left beside four vectors from memory and an element of A.
const widest = 26

// open begins the version of fn for a panel, or "" if fn has no panels.
func (w *neon) open(fn function, panel string) *arm64.Func {
	parameters, result := fn.parameters()
	return w.Func(w.add(fn, panel, "NEON"), fn.doc, parameters, result)
}

// fields returns a function that loads a field of the struct at t.
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

// byVectors emits a loop over n vectors. body emits the code for four vectors and
// for one.
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

// each loads the vectors of the row at base, one after the other, into registers
// of space, for use. It may change base.
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

// groups divides all vectors but the last into groups of up to four.
func (b *band) groups(use func(first, n int, more bool)) {
	for first := 0; first < b.vectors-1; first += 4 {
		n := min(4, b.vectors-1-first)
		use(first, n, first+n < b.vectors-1)
	}
}
