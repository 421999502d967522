package main

import "banditsim/internal/kernel/generate/arm64"

// lists emits SumRows, AddRows and ColumnSums for a panel, like the function lists for
// amd64.
func (w *neon) lists(vectors int) {
	w.sumRows(vectors)
	w.addRows(vectors)
	w.gatherRows(vectors)
	w.columnSums(vectors)
}

// list begins the version of fn for a panel, and returns fields of its argument.
func (w *neon) list(fn function, vectors int) (p band, field func(int) arm64.R) {
	p = band{vectors: vectors}
	p.Func = w.open(fn, p.name())
	field = fields(p.Func, p.Arg("t"))
	p.last = field(listLast)
	return p, field
}

// eachListed emits loops like the function eachListed for amd64. use may change the register
// with the address of a row.
func (p *band) eachListed(field func(int) arm64.R, body func(dense arm64.R, each func(func(row arm64.R)))) {
	dense, table := field(listDense), field(listTable)
	off, idx := field(listOff), field(listIdx)
	ld, ldt, m := field(listLd), field(listLdt), field(listM)
	at, end := p.R(), p.R()
	p.LoadIntNext(at, off)
	p.AddShift(at, idx, at, 2)
	counted(p.Func, "rows", m, func() {
		body(dense, func(use func(row arm64.R)) {
			p.LoadIntNext(end, off)
			p.AddShift(end, idx, end, 2)
			p.Op("B", "check")
			p.Label("list")
			p.Scope(func() {
				row := p.R()
				p.LoadIntNext(row, at)
				p.Madd(row, row, ldt, table)
				use(row)
			})
			p.Label("check")
			p.Op("CMP", at, end)
			p.Op("BLO", "list")
		})
		p.Op("ADD", dense, dense, ld)
	})
	p.Op("RET")
}

func (w *neon) sumRows(vectors int) {
	p, field := w.list(sumRowsFunction, vectors)
	bias, ptr := field(listInit), p.R()
	acc, space := p.Block(vectors), p.Block(4)
	p.eachListed(field, func(dense arm64.R, each func(func(arm64.R))) {
		p.Op("MOVD", ptr, bias)
		p.load(acc, ptr)
		each(func(row arm64.R) {
			p.each(row, space, func(s int, v arm64.V) { p.Op("fadd", acc[s], acc[s], v) })
		})
		p.Op("MOVD", ptr, dense)
		p.store(acc, ptr, dense)
	})
}

func (w *neon) addRows(vectors int) {
	p, field := w.list(addRowsFunction, vectors)
	d, space, last := p.Block(vectors), p.Block(4), p.V()
	p.eachListed(field, func(dense arm64.R, each func(func(arm64.R))) {
		ptr := p.R()
		p.Op("MOVD", ptr, dense)
		p.load(d, ptr)
		each(func(row arm64.R) {
			// The last vector is loaded before the one that it overlaps is stored.
			p.Op("ldrq", last, row, p.last)
			p.Op("fadd", last, last, d[vectors-1])
			p.Op("MOVD", ptr, row)
			p.groups(func(first, n int, more bool) {
				p.Loads(space[:n], ptr)
				for i, v := range space[:n] {
					p.Op("fadd", v, v, d[first+i])
				}
				p.StoresNext(space[:n], ptr)
			})
			p.Op("strq", last, row, p.last)
		})
	})
}

func (w *neon) gatherRows(vectors int) {
	p, field := w.list(gatherRowsFunction, vectors)
	d, g := field(listDense), field(listTable)
	ld, ldt, m := field(listLd), field(listLdt), field(listM)
	bits, top := field(listBits), highest(p.Func)
	left, number, row := p.R(), p.R(), p.R()
	acc, space := p.Block(vectors), p.Block(4)
	counted(p.Func, "rows", m, func() {
		p.LoadNext(left, bits)
		p.Op("RBIT", left, left)
		p.IfZero(left, "next")
		p.Op("MOVD", row, g)
		p.load(acc, row)
		p.Label("bit")
		leadingBit(p.Func, number, left, top, row)
		p.Madd(row, number, ld, d)
		p.each(row, space, func(s int, v arm64.V) { p.Op("fadd", acc[s], acc[s], v) })
		p.Op("BNE", "bit")
		p.Op("MOVD", row, g)
		p.store(acc, row, g)
		p.Label("next")
		p.Op("ADD", g, g, ldt)
	})
	p.Op("RET")
}

func (w *neon) columnSums(vectors int) {
	p, field := w.list(columnSumsFunction, vectors)
	d, dst := field(listDense), field(listTable)
	ld, m, ptr := field(listLd), field(listM), p.R()
	acc, space := p.Block(vectors), p.Block(4)
	p.Op("MOVD", ptr, dst)
	p.load(acc, ptr)
	counted(p.Func, "rows", m, func() {
		p.Op("MOVD", ptr, d)
		p.each(ptr, space, func(s int, v arm64.V) { p.Op("fadd", acc[s], acc[s], v) })
		p.Op("ADD", d, d, ld)
	})
	p.Op("MOVD", ptr, dst)
	p.store(acc, ptr, dst)
	p.Op("RET")
}

func (w *neon) maxIndex() {
	f := w.open(maxIndexFunction, "")
	idx, n := f.Arg("idx"), f.Arg("vectors")
	best, v := f.V(), f.Block(2)
	f.Zero(best)
	counted(f, "loop", n, func() {
		f.LoadsNext(v, idx)
		f.Op("VUMAX.S4", v[0], v[0], v[1])
		f.Op("VUMAX.S4", best, best, v[0])
	})
	f.Op("umaxv", best, best)
	out := f.R()
	f.Line("VMOV V%d.S[0], %s", best, out)
	f.Return(out)
}
