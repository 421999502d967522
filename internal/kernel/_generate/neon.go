package main

import (
	"strconv"

	"banditsim/internal/kernel/generate/arm64"
)

// A neon writes the kernel for arm64. What differs from the kernels for amd64:
// there are 32 registers of four lanes, no memory operands and no masks. A
// panel's last vector instead ends with its last column and overlaps the one
// before it; the columns in both are computed twice, alike. So a panel has at
// least four columns.
type neon struct {
	*arm64.File
	versions
}

// generateNEON writes the assembly, its declarations and the calls.
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

// widest is the number of vectors in the widest panel of products that leave out
// zeros and of sums: with four vectors on their way from memory and an element
// of A they fill the registers.
const widest = 26

// open begins the version of fn for a panel, "" if it has none.
func (w *neon) open(fn function, panel string) *arm64.Func {
	list, result := fn.parameters()
	var parameters []arm64.Parameter
	for _, p := range list {
		parameters = append(parameters, arm64.Parameter{Name: p.name, Type: p.kind})
	}
	return w.Func(w.add(fn, panel, "NEON"), fn.doc, parameters, result)
}

// fields returns a function that loads fields of the struct that t points to.
func fields(f *arm64.Func, t arm64.R) func(offset int) arm64.R {
	return func(offset int) arm64.R {
		r := f.R()
		f.Load(r, t, offset)
		return r
	}
}

// counted emits a loop: body runs n times, n ≥ 1.
func counted(f *arm64.Func, label string, n arm64.R, body func()) {
	f.Label(label)
	body()
	f.Subs(n, n, 1)
	f.Branch("NE", label)
}

// byVectors emits a loop over n vectors, four at a time and then singly. body
// works on the number of vectors that it is given.
func byVectors(f *arm64.Func, n arm64.R, body func(vectors int)) {
	f.Subs(n, n, 4)
	f.Branch("LT", "rest")
	f.Label("four")
	f.Scope(func() { body(4) })
	f.Subs(n, n, 4)
	f.Branch("GE", "four")
	f.Label("rest")
	f.Adds(n, n, 4)
	f.Branch("EQ", "done")
	f.Label("one")
	f.Scope(func() { body(1) })
	f.Subs(n, n, 1)
	f.Branch("NE", "one")
	f.Label("done")
	f.Ret()
}

// A band is the columns of a panel in one row, of at least one vector.
type band struct {
	*arm64.Func
	vectors int
	last    arm64.R // how far the last vector is from the first, in bytes
}

func (b *band) name() string { return strconv.Itoa(b.vectors) }

// load loads the row at base, which may move.
func (b *band) load(row arm64.Block, base arm64.R) {
	b.LoadAt(row[len(row)-1], base, b.last)
	b.groups(base, func(first, n int, more bool) {
		if more {
			b.LoadsNext(row[first:first+n], base)
		} else {
			b.Loads(row[first:first+n], base)
		}
	})
}

// store stores the row at base, which may move. at is where base was.
func (b *band) store(row arm64.Block, base, at arm64.R) {
	b.groups(base, func(first, n int, more bool) {
		if more {
			b.StoresNext(row[first:first+n], base)
		} else {
			b.Stores(row[first:first+n], base)
		}
	})
	b.StoreAt(row[len(row)-1], at, b.last)
}

// each hands the vectors of the row at base, which may move, to use one by one.
// They come in the registers of space.
func (b *band) each(base arm64.R, space arm64.Block, use func(s int, v arm64.V)) {
	b.LoadAt(space[0], base, b.last)
	use(b.vectors-1, space[0])
	b.groups(base, func(first, n int, more bool) {
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

// groups cuts all vectors but the last into groups of up to four.
func (b *band) groups(base arm64.R, use func(first, n int, more bool)) {
	for first := 0; first < b.vectors-1; first += 4 {
		n := min(4, b.vectors-1-first)
		use(first, n, first+n < b.vectors-1)
	}
}
