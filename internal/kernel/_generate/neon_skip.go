package main

import "banditsim/internal/kernel/generate/arm64"

// leadingBit emits the head of a loop over the bits of left, from the highest to the lowest.
// It sets number to the number of zeros before the highest bit, clears that bit, and sets the
// flags by the rest. Only the highest bit of top is set.
func leadingBit(f *arm64.Func, number, left, top, scratch arm64.R) {
	f.Op("CLZ", number, left)
	f.Op("LSR", scratch, top, number)
	f.Op("BICS", left, left, scratch)
}

// highest returns a register with the highest bit set.
func highest(f *arm64.Func) arm64.R {
	r := f.R()
	f.Op("MOVD", r, -1<<63)
	return r
}

// skip emits the product without the zeros of A for a panel, like skipPanel for amd64.
func (w *neon) skip(vectors int) {
	p := band{vectors: vectors}
	f := w.open(skipFunction, p.name())
	p.Func = f
	t := f.Arg("t")
	field := fields(f, t)
	c, a, b, h := field(prodC), field(prodA), field(prodB), field(prodH)
	init, bits, m := field(prodInit), field(prodBits), field(prodM)
	ldc, ars, acs, ldb, ldh := field(prodLdc), field(prodArs), field(prodAcs), field(prodLdb), field(prodLdh)
	p.last = field(prodLast)
	floor, top := f.R(), highest(f)
	f.LoadWord(floor, t, prodFloor)
	acc, space, av := f.Block(vectors), f.Block(4), f.V()
	counted(f, "rows", m, func() {
		ptr := f.R()
		f.Scope(func() {
			f.Op("CMP", init, 0)
			f.Select("EQ", ptr, c, init)
			p.load(acc, ptr)
			left := f.R()
			f.LoadNext(left, bits)
			f.Op("RBIT", left, left)
			f.IfZero(left, "end")
			f.Label("bit")
			number, row := f.R(), ptr
			leadingBit(f, number, left, top, row)
			f.Madd(row, number, ldb, b)
			f.Op("MUL", number, number, acs)
			f.LoadScalar(av, a, number)
			p.each(row, space, func(s int, v arm64.V) { f.Op("fmlaLane", acc[s], v, av, 0) })
			f.Op("BNE", "bit")
		})
		f.Label("end")
		f.IfNot(floor, "gradient")
		relu(f, acc, av)
		f.Label("gradient")
		f.IfZero(h, "store")
		f.Op("MOVD", ptr, h)
		p.each(ptr, space, func(s int, v arm64.V) {
			f.Op("fcmleZero", v, v)
			f.Op("bic", acc[s], acc[s], v)
		})
		f.Op("ADD", h, h, ldh)
		f.Label("store")
		f.Op("MOVD", ptr, c)
		p.store(acc, ptr, c)
		f.Op("ADD", c, c, ldc)
		f.Op("ADD", a, a, ars)
	})
	f.Op("RET")
}

// packRows emits a copy of rows to a matrix whose stride is vectors + 1 vectors.
func (w *neon) packRows() {
	f := w.open(packRowsFunction, "")
	dst, src := f.Arg("dst"), f.Arg("src")
	lds, rows, vectors, last := f.Arg("lds"), f.Arg("rows"), f.Arg("vectors"), f.ArgHalf("last")
	from, to, left, ldd := f.R(), f.R(), f.R(), f.R()
	f.Op("ADD", ldd, vectors, 1)
	f.Op("LSL", ldd, ldd, 4)
	space := f.Block(4)
	counted(f, "rows", rows, func() {
		f.Op("MOVD", from, src)
		f.Op("MOVD", to, dst)
		f.Op("MOVD", left, vectors)
		byVectors(f, left, func(vectors int) {
			f.LoadsNext(space[:vectors], from)
			f.StoresNext(space[:vectors], to)
		})
		f.Op("ldrq", space[0], src, last)
		f.Op("strq", space[0], dst, last)
		f.Op("ADD", src, src, lds)
		f.Op("ADD", dst, dst, ldd)
	})
	f.Op("RET")
}

// nonzeroRows emits the search for nonzero elements in rows, 16 at a time. The last 16 of a
// row may overlap those before.
func (w *neon) nonzeroRows() {
	f := w.open(nonzeroRowsFunction, "")
	bits, a := f.Arg("bits"), f.Arg("a")
	lda, m, k := f.Arg("lda"), f.Arg("m"), f.Arg("k")
	f.Op("ADD", k, k, -16)
	weights := f.Block(1)
	f.Scope(func() {
		f.Loads(weights, f.Address(w.Constants(0x08040201, 0x80402010, 0x08040201, 0x80402010)))
	})
	counted(f, "rows", m, func() {
		all, at := f.R(), f.R()
		f.Op("MOVD", all, 0)
		f.Op("MOVD", at, 0)
		add := func(at arm64.R) {
			f.Scope(func() {
				x, v := f.R(), f.Block(4)
				f.AddShift(x, a, at, 2)
				f.Loads(v, x)
				for _, v := range v {
					f.Op("fcmeqZero", v, v)
				}
				f.Op("VUZP1.H8", v[0], v[0], v[1])
				f.Op("VUZP1.H8", v[2], v[2], v[3])
				f.Op("VUZP1.B16", v[0], v[0], v[2])
				f.Op("bic", v[0], weights[0], v[0])
				for range 3 {
					f.Op("VADDP.B16", v[0], v[0], v[0])
				}
				f.Line("VMOV V%d.H[0], %s", v[0], x) // the low 16 bits
				f.Op("LSL", x, x, at)
				f.Op("ORR", all, all, x)
			})
		}
		f.Op("B", "check")
		f.Label("vectors")
		add(at)
		f.Op("ADD", at, at, 16)
		f.Label("check")
		f.Op("CMP", at, k)
		f.Op("BLT", "vectors")
		add(k)
		f.Line("MOVD.P %s, 8(%s)", all, bits) // and advances bits
		f.Op("ADD", a, a, lda)
	})
	f.Op("RET")
}

// nonzeroColumns emits the search for nonzero elements in 16 columns.
func (w *neon) nonzeroColumns() {
	f := w.open(nonzeroColumnsFunction, "")
	bits, a := f.Arg("bits"), f.Arg("a")
	lda, k := f.Arg("lda"), f.Arg("k")
	halves := []arm64.Block{f.Block(4), f.Block(4)}
	for _, half := range halves {
		for _, v := range half {
			f.Zero(v)
		}
	}
	v, bit := f.Block(4), f.V()
	one := f.Address(w.Constants(1))
	n, most := f.R(), f.R()
	f.Op("MOVD", most, 32)
	for i, half := range halves {
		f.Op("CMP", k, most)
		f.Select("LT", n, k, most)
		f.Op("SUB", k, k, n)
		f.Broadcast(bit, one)
		counted(f, []string{"low", "high"}[i], n, func() {
			f.LoadsStep(v, a, lda)
			for s, v := range v {
				f.Op("fcmeqZero", v, v)
				f.Op("bic", v, bit, v)
				f.Op("VORR.B16", half[s], half[s], v)
			}
			f.Op("VADD.S4", bit, bit, bit)
		})
		f.IfZero(k, "store")
	}
	f.Label("store")
	for s := range 4 {
		f.Op("VZIP1.S4", v[0], halves[0][s], halves[1][s])
		f.Op("VZIP2.S4", v[1], halves[0][s], halves[1][s])
		f.StoresNext(v[:2], bits)
	}
	f.Op("RET")
}
