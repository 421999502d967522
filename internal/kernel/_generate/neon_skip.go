package main

import "banditsim/internal/kernel/generate/arm64"

// leadingBit emits the head of a loop over the bits of left, from the highest to the
// lowest: it sets number to the number of leading zeros, clears that bit and sets the
// flags by the result. top has the highest bit set.
func leadingBit(f *arm64.Func, number, left, top, scratch arm64.R) {
	f.Clz(number, left)
	f.Lsr(scratch, top, number)
	f.Bics(left, left, scratch)
}

// highest returns a register with the highest bit set.
func highest(f *arm64.Func) arm64.R {
	r := f.R()
	f.MovImm(r, -1<<63)
	return r
}

// skip emits the product without the zeros of A, like skipPanel for amd64.
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
			f.CmpImm(init, 0)
			f.Select("EQ", ptr, c, init)
			p.load(acc, ptr)
			left := f.R()
			f.LoadNext(left, bits)
			f.Rbit(left, left)
			f.IfZero(left, "end")
			f.Label("bit")
			number, row := f.R(), ptr
			leadingBit(f, number, left, top, row)
			f.Madd(row, number, ldb, b)
			f.Mul(number, number, acs)
			f.LoadScalar(av, a, number)
			p.each(row, space, func(s int, v arm64.V) { f.FmlaLane(acc[s], v, av, 0) })
			f.Branch("NE", "bit")
		})
		f.Label("end")
		f.IfNot(floor, "gradient")
		for _, v := range acc {
			f.FcmltZero(av, v)
			f.Bic(v, v, av)
		}
		f.Label("gradient")
		f.IfZero(h, "store")
		f.Mov(ptr, h)
		p.each(ptr, space, func(s int, v arm64.V) {
			f.FcmleZero(v, v)
			f.Bic(acc[s], acc[s], v)
		})
		f.Add(h, h, ldh)
		f.Label("store")
		f.Mov(ptr, c)
		p.store(acc, ptr, c)
		f.Add(c, c, ldc)
		f.Add(a, a, ars)
	})
	f.Ret()
}

// packRows emits a copy of rows to a matrix whose stride is vectors + 1 vectors.
func (w *neon) packRows() {
	f := w.open(packRowsFunction, "")
	dst, src := f.Arg("dst"), f.Arg("src")
	lds, rows, vectors, last := f.Arg("lds"), f.Arg("rows"), f.Arg("vectors"), f.ArgHalf("last")
	from, to, left, ldd := f.R(), f.R(), f.R(), f.R()
	f.AddImm(ldd, vectors, 1)
	f.LslImm(ldd, ldd, 4)
	space := f.Block(4)
	counted(f, "rows", rows, func() {
		f.Mov(from, src)
		f.Mov(to, dst)
		f.Mov(left, vectors)
		byVectors(f, left, func(vectors int) {
			f.LoadsNext(space[:vectors], from)
			f.StoresNext(space[:vectors], to)
		})
		f.LoadAt(space[0], src, last)
		f.StoreAt(space[0], dst, last)
		f.Add(src, src, lds)
		f.Add(dst, dst, ldd)
	})
	f.Ret()
}

// nonzeroRows processes 16 elements at a time. The last 16 of a row may overlap those
// before them.
func (w *neon) nonzeroRows() {
	f := w.open(nonzeroRowsFunction, "")
	bits, a := f.Arg("bits"), f.Arg("a")
	lda, m, k := f.Arg("lda"), f.Arg("m"), f.Arg("k")
	f.AddImm(k, k, -16)
	weights := f.Block(1)
	f.Scope(func() {
		f.Loads(weights, f.Address(w.Constants(0x08040201, 0x80402010, 0x08040201, 0x80402010)))
	})
	counted(f, "rows", m, func() {
		all, at := f.R(), f.R()
		f.MovImm(all, 0)
		f.MovImm(at, 0)
		add := func(at arm64.R) {
			f.Scope(func() {
				x, v := f.R(), f.Block(4)
				f.AddShift(x, a, at, 2)
				f.Loads(v, x)
				for _, v := range v {
					f.FcmeqZero(v, v)
				}
				f.Even16(v[0], v[0], v[1])
				f.Even16(v[2], v[2], v[3])
				f.Even8(v[0], v[0], v[2])
				f.Bic(v[0], weights[0], v[0])
				for range 3 {
					f.AddPairs(v[0], v[0], v[0])
				}
				f.Half(x, v[0])
				f.Lsl(x, x, at)
				f.Orr(all, all, x)
			})
		}
		f.Branch("", "check")
		f.Label("vectors")
		add(at)
		f.AddImm(at, at, 16)
		f.Label("check")
		f.Cmp(at, k)
		f.Branch("LT", "vectors")
		add(k)
		f.StoreNext(all, bits)
		f.Add(a, a, lda)
	})
	f.Ret()
}

// nonzeroColumns processes 16 columns.
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
	f.MovImm(most, 32)
	for i, half := range halves {
		f.Cmp(k, most)
		f.Select("LT", n, k, most)
		f.Sub(k, k, n)
		f.Broadcast(bit, one)
		counted(f, []string{"low", "high"}[i], n, func() {
			f.LoadsStep(v, a, lda)
			for s, v := range v {
				f.FcmeqZero(v, v)
				f.Bic(v, bit, v)
				f.VOrr(half[s], half[s], v)
			}
			f.VAdd(bit, bit, bit)
		})
		f.IfZero(k, "store")
	}
	f.Label("store")
	for s := range 4 {
		f.ZipLow(v[0], halves[0][s], halves[1][s])
		f.ZipHigh(v[1], halves[0][s], halves[1][s])
		f.StoresNext(v[:2], bits)
	}
	f.Ret()
}
