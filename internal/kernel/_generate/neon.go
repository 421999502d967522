package main

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// A neon writes the kernel for arm64. NEON has 32 registers of four lanes and, unlike amd64, no memory operands and no
// masks. The last vector of a panel ends with the last column. If the number of columns is not a multiple of four, this
// vector overlaps the one before it: both compute the same values in the common columns. Panels of fewer than four
// columns need code of their own, which only products have.
//
// Operands are in the architecture manual's order, destination first. A register is allocated until its scope ends.
type neon struct {
	*build.Context
	table        table  // of constants
	usedR, usedV uint32 // registers in use, as bits
}

// generateNEON writes the assembly and its declarations.
func generateNEON(constraint, assembly, stubs string) error {
	w := &neon{Context: build.NewContext()}
	w.ConstraintExpr(constraint)
	w.StaticGlobal("constants")
	w.DataAttributes(attr.RODATA | attr.NOPTR)
	w.table = table{add: w.AddDatum, where: map[string]int{}}
	panel := func(vectors, columns int) *neonPanel {
		return &neonPanel{neon: w, vectors: vectors, columns: columns}
	}
	for vectors := 1; vectors <= 6; vectors++ {
		product(panel(vectors, 0), heights(vectors)...)
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

// widest is the largest number of vectors in the panels that generateNEON passes to the functions skip and lists. Of 32
// registers six remain: four for vectors from memory, one for an element of A, and one spare.
const widest = 26

// Operations on general registers: see panel.

func (w *neon) leave()                    { w.Op("RET") }
func (w *neon) move(d, s Op)              { w.Op("MOVD", d, s) }
func (w *neon) add(d Op, s any)           { w.Op("ADD", d, d, s) }
func (w *neon) mul(d, n Op)               { w.Op("MUL", d, d, n) }
func (w *neon) madd(d, n, m, a Op)        { w.Line("MADD %s, %s, %s, %s", m, a, n, d) }
func (w *neon) nextInt(d, base Op)        { w.Line("MOVW.P 4(%s), %s", base, d) }
func (w *neon) element(d, base Op)        { w.Line("ADD %s<<2, %s, %s", d, base, d) }
func (w *neon) top(name string)           { w.Label(name) }
func (w *neon) jump(label string)         { w.Op("B", label) }
func (w *neon) ifZero(n Op, label string) { w.Line("CBZ %s, %s", n, label) }

func (w *neon) loop(label string, n Op, body func()) {
	w.Label(label)
	w.scope(body)
	w.Op("SUBS", n, n, 1)
	w.Op("BNE", label)
}

func (w *neon) ifLess(n Op, m any, label string) {
	w.Op("CMP", n, m)
	w.Op("BLT", label)
}

func (w *neon) eachBit() func(bits Op, end string, before func(), body func(number Op)) {
	top := w.reg() // only the highest bit is set
	w.Op("MOVD", top, -1<<63)
	return func(bits Op, end string, before func(), body func(number Op)) {
		w.scope(func() {
			left, number, highest := w.reg(), w.reg(), w.reg()
			w.Line("MOVD.P 8(%s), %s", bits, left)
			w.Op("RBIT", left, left)
			w.ifZero(left, end)
			before()
			w.Label("bit")
			w.Op("CLZ", number, left)
			w.Op("LSR", highest, top, number)
			w.Op("BICS", left, left, highest) // sets the flags
			body(number)
			w.Op("BNE", "bit")
		})
	}
}

// byVectors emits a loop over n vectors, four and then one at a time. body(k) emits the code for k vectors, 4 or 1.
func (w *neon) byVectors(n Op, body func(vectors int)) {
	w.Op("SUBS", n, n, 4)
	w.Op("BLT", "rest")
	w.Label("four")
	w.scope(func() { body(4) })
	w.Op("SUBS", n, n, 4)
	w.Op("BGE", "four")
	w.Label("rest")
	w.Op("ADDS", n, n, 4)
	w.Op("BEQ", "done")
	w.Label("one")
	w.scope(func() { body(1) })
	w.Op("SUBS", n, n, 1)
	w.Op("BNE", "one")
	w.Label("done")
}

// transpose emits the transposition of a row of 4×4 blocks.
func (w *neon) transpose() {
	w.open(transpose4Function, "")
	dst, src := w.argument("dst"), w.argument("src")
	ldd, lds, n := w.argument("ldd"), w.argument("lds"), w.argument("blocks")
	v, u := w.Block(4), w.Block(4)
	w.loop("loop", n, func() {
		w.scope(func() {
			ptr := w.reg()
			w.Op("MOVD", ptr, src)
			for i := range v {
				w.LoadsStep(v[i:i+1], ptr, lds)
			}
		})
		w.Op("VTRN1.S4", u[0], v[0], v[1]) // a0 b0 a2 b2
		w.Op("VTRN2.S4", u[1], v[0], v[1]) // a1 b1 a3 b3
		w.Op("VTRN1.S4", u[2], v[2], v[3]) // c0 d0 c2 d2
		w.Op("VTRN2.S4", u[3], v[2], v[3])
		w.Op("VTRN1.D2", v[0], u[0], u[2]) // a0 b0 c0 d0
		w.Op("VTRN1.D2", v[1], u[1], u[3])
		w.Op("VTRN2.D2", v[2], u[0], u[2]) // a2 b2 c2 d2
		w.Op("VTRN2.D2", v[3], u[1], u[3])
		for i := range v {
			w.StoresStep(v[i:i+1], dst, ldd)
		}
		w.Op("ADD", src, src, 16)
	})
	w.leave()
}
