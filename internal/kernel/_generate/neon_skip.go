package main

import . "github.com/mmcloughlin/avo/operand"

// packRows emits the copy of rows to a matrix whose rows have vectors + 1 vectors. vectors is an argument of the
// emitted function.
func (w *neon) packRows() {
	w.open(packRowsFunction, "")
	dst, src := w.argument("dst"), w.argument("src")
	lds, rows, vectors, last := w.argument("lds"), w.argument("rows"), w.argument("vectors"), w.loadArg("MOVHU", "last")
	from, to, left, ldd := w.reg(), w.reg(), w.reg(), w.reg()
	w.Op("ADD", ldd, vectors, 1)
	w.Op("LSL", ldd, ldd, 4)
	space := w.Block(4)
	w.loop("rows", rows, func() {
		w.Op("MOVD", from, src)
		w.Op("MOVD", to, dst)
		w.Op("MOVD", left, vectors)
		w.byVectors(left, func(vectors int) {
			w.LoadsNext(space[:vectors], from)
			w.StoresNext(space[:vectors], to)
		})
		w.Op("ldrq", space[0], src, last)
		w.Op("strq", space[0], dst, last)
		w.Op("ADD", src, src, lds)
		w.Op("ADD", dst, dst, ldd)
	})
	w.leave()
}

// nonzeroRows emits a search for nonzero elements in rows, 16 at a time. The last 16 of a row may overlap those before.
func (w *neon) nonzeroRows() {
	w.open(nonzeroRowsFunction, "")
	bits, a := w.argument("bits"), w.argument("a")
	lda, m, k := w.argument("lda"), w.argument("m"), w.argument("k")
	w.Op("ADD", k, k, -16)
	weights := w.Block(1)
	w.scope(func() {
		w.Loads(weights, w.address(0x08040201, 0x80402010, 0x08040201, 0x80402010))
	})
	w.loop("rows", m, func() {
		all, at := w.reg(), w.reg()
		w.Op("MOVD", all, 0)
		w.Op("MOVD", at, 0)
		add := func(at Op) {
			w.scope(func() {
				x, v := w.reg(), w.Block(4)
				w.Line("ADD %s<<2, %s, %s", at, a, x)
				w.Loads(v, x)
				for _, v := range v {
					w.Op("fcmeqZero", v, v)
				}
				w.Op("VUZP1.H8", v[0], v[0], v[1])
				w.Op("VUZP1.H8", v[2], v[2], v[3])
				w.Op("VUZP1.B16", v[0], v[0], v[2])
				w.Op("bic", v[0], weights[0], v[0])
				for range 3 {
					w.Op("VADDP.B16", v[0], v[0], v[0])
				}
				w.Line("VMOV V%d.H[0], %s", v[0], x) // the low 16 bits
				w.Op("LSL", x, x, at)
				w.Op("ORR", all, all, x)
			})
		}
		w.Op("B", "check")
		w.Label("vectors")
		add(at)
		w.Op("ADD", at, at, 16)
		w.Label("check")
		w.Op("CMP", at, k)
		w.Op("BLT", "vectors")
		add(k)
		w.Line("MOVD.P %s, 8(%s)", all, bits) // and advances bits
		w.Op("ADD", a, a, lda)
	})
	w.leave()
}

// nonzeroColumns emits the search for nonzero elements in 16 columns.
func (w *neon) nonzeroColumns() {
	w.open(nonzeroColumnsFunction, "")
	bits, a := w.argument("bits"), w.argument("a")
	lda, k := w.argument("lda"), w.argument("k")
	halves := []Block{w.Block(4), w.Block(4)}
	for _, half := range halves {
		for _, v := range half {
			w.Zero(v)
		}
	}
	v, bit := w.Block(4), w.V()
	one := w.address(1)
	n, most := w.reg(), w.reg()
	w.Op("MOVD", most, 32)
	for i, half := range halves {
		w.Op("CMP", k, most)
		w.Line("CSEL LT, %s, %s, %s", k, most, n) // n = min(k, most)
		w.Op("SUB", k, k, n)
		w.Broadcast(bit, one)
		w.loop([]string{"low", "high"}[i], n, func() {
			w.LoadsStep(v, a, lda)
			for s, v := range v {
				w.Op("fcmeqZero", v, v)
				w.Op("bic", v, bit, v)
				w.Op("VORR.B16", half[s], half[s], v)
			}
			w.Op("VADD.S4", bit, bit, bit)
		})
		w.ifZero(k, "store")
	}
	w.Label("store")
	for s := range 4 {
		w.Op("VZIP1.S4", v[0], halves[0][s], halves[1][s])
		w.Op("VZIP2.S4", v[1], halves[0][s], halves[1][s])
		w.StoresNext(v[:2], bits)
	}
	w.leave()
}

func (w *neon) maxIndex() {
	w.open(maxIndexFunction, "")
	idx, n := w.argument("idx"), w.argument("vectors")
	best, v := w.V(), w.Block(2)
	w.Zero(best)
	w.loop("loop", n, func() {
		w.LoadsNext(v, idx)
		w.Op("VUMAX.S4", v[0], v[0], v[1])
		w.Op("VUMAX.S4", best, best, v[0])
	})
	w.Op("umaxv", best, best)
	out := w.reg()
	w.Line("VMOV V%d.S[0], %s", best, out)
	w.Line("MOVW %s, %s", out, parameter(w.ReturnIndex(0)))
	w.leave()
}
