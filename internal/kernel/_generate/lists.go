package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

var listFields = layout("../lists.go", "lists")

// lists emits SumRows, AddRows and ColumnSums for a panel.
func lists(p panel) {
	sumRows(p)
	addRows(p)
	gatherRows(p)
	columnSums(p)
}

// eachListed emits a loop over the rows of the matrix dense; body emits the code for one row. In body, each(use) emits
// an inner loop over those rows of the matrix table that are in the list of the dense row. use emits the code for one
// row of table, whose address is in the register row.
func eachListed(p panel, body func(dense Op, each func(func(row Op)))) {
	dense, table, off, idx := p.field("dense"), p.field("table"), p.field("off"), p.field("idx")
	ld, ldt, m := p.field("ld"), p.field("ldt"), p.field("m")
	at := p.reg()
	p.nextInt(at, off)
	p.element(at, idx)
	p.loop("rows", m, func() {
		body(dense, func(use func(row Op)) {
			end, row := p.reg(), p.reg()
			p.nextInt(end, off)
			p.element(end, idx)
			p.jump("check")
			p.top("list")
			p.nextInt(row, at)
			p.madd(row, row, ldt, table)
			use(row)
			p.Label("check")
			p.ifLess(at, end, "list")
		})
		p.add(dense, ld)
	})
	p.leave()
}

func sumRows(p panel) {
	p.begin("sumRows", "is SumRows over one panel of columns.", listFields)
	bias, acc := p.field("init"), p.row()
	eachListed(p, func(dense Op, each func(func(Op))) {
		p.load(acc, bias)
		each(func(row Op) { p.op("add", acc, acc, from{base: row}) })
		p.store(acc, dense)
	})
}

func addRows(p panel) {
	p.begin("addRows", "is AddRows over one panel of columns.", listFields)
	d := p.row()
	eachListed(p, func(dense Op, each func(func(Op))) {
		p.load(d, dense)
		each(func(row Op) { p.addTo(row, d) })
	})
}

// gatherRows emits AddRows for transposed lists: it loads one row of G, adds the
// rows of D whose bits are set, and stores it.
func gatherRows(p panel) {
	p.begin("gatherRows",
		"is AddRows over one panel of columns with transposed lists: m rows of table, up to 64 rows of dense.", listFields)
	d, g, bits := p.field("dense"), p.field("table"), p.field("bits")
	ld, ldt, m := p.field("ld"), p.field("ldt"), p.field("m")
	acc, each := p.row(), p.eachBit()
	p.loop("rows", m, func() {
		each(bits, "next", func() { p.load(acc, g) }, func(number Op) {
			p.madd(number, number, ld, d)
			p.op("add", acc, acc, from{base: number})
		})
		p.store(acc, g)
		p.Label("next")
		p.add(g, ldt)
	})
	p.leave()
}

func columnSums(p panel) {
	p.begin("columnSums", "is ColumnSums over one panel of columns.", listFields)
	d, dst, ld, m := p.field("dense"), p.field("table"), p.field("ld"), p.field("m")
	acc := p.row()
	p.load(acc, dst)
	p.loop("rows", m, func() {
		p.op("add", acc, acc, from{base: d, kept: true})
		p.add(d, ld)
	})
	p.store(acc, dst)
	p.leave()
}

// maxIndex emits the search for the largest index. Both kernels for amd64 use the version for AVX2.
func maxIndex() {
	avx2.open(maxIndexFunction, "")
	idx, n := argument("idx"), argument("vectors")
	best := YMM()
	VPXOR(best, best, best)
	avx2.loop("loop", n, func() {
		VPMAXUD(Mem{Base: idx}, best, best)
		ADDQ(Imm(32), idx)
	})
	half := XMM()
	VEXTRACTI128(Imm(1), best, half)
	x := best.AsX()
	VPMAXUD(half, x, x)
	VPSHUFD(Imm(0x4e), x, half)
	VPMAXUD(half, x, x)
	VPSHUFD(Imm(0xb1), x, half)
	VPMAXUD(half, x, x)
	out := GP32()
	VMOVD(x, out)
	Store(out, ReturnIndex(0))
	avx2.leave()
}
