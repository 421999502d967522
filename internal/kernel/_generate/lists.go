package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Offsets of the fields of kernel.lists.
const (
	listDense = 0  // C of SumRows, D of AddRows and ColumnSums
	listTable = 8  // W of SumRows, G of AddRows, dst of ColumnSums
	listInit  = 16 // bias of SumRows
	listOff   = 24
	listIdx   = 32
	listLd    = 40 // leading dimension of the dense matrix in bytes
	listLdt   = 48 // leading dimension of the table in bytes
	listM     = 56 // rows of the dense matrix; for gatherRows those of the table
	listLast  = 64
	listLanes = 72
	listBits  = 80 // for gatherRows alone
)

// lists emits SumRows, AddRows and ColumnSums, one version for each panel.
func lists(w width) {
	// A panel of four columns has no mask, because AddRows stores often, and masked
	// stores of AVX2 are slow on some processors.
	panels := []panel{{width: w, full: 12}, {width: w, full: 4}, {width: w, full: 1}, {width: avx2q, full: 1}, {width: w, masked: true}}
	if w == avx512 {
		panels = panels512()
	}
	for _, p := range panels {
		sumRows(p)
		addRows(p)
		gatherRows(p)
		columnSums(p)
	}
}

// fetch loads 64 bits into a new register.
func fetch(m Mem) reg.GPVirtual {
	r := GP64()
	MOVQ(m, r)
	return r
}

// eachListed emits a loop over the rows of the dense matrix, with body as the loop's body.
// In the body, each emits a loop over the rows of the table that are in the row's list, and
// passes a register with the address of such a row.
func eachListed(field func(int) Mem, body func(dense reg.Register, each func(func(row reg.Register)))) {
	dense, table := fetch(field(listDense)), fetch(field(listTable))
	off, idx := fetch(field(listOff)), fetch(field(listIdx))
	ld, ldt, m := fetch(field(listLd)), fetch(field(listLdt)), fetch(field(listM))
	at := GP64()
	MOVLQSX(Mem{Base: off}, at)
	loop("rows", m, func() {
		body(dense, func(use func(row reg.Register)) {
			end := GP64()
			MOVLQSX(Mem{Base: off, Disp: 4}, end)
			JMP(LabelRef("check"))
			Label("list")
			row := GP64()
			MOVLQSX(Mem{Base: idx, Index: at, Scale: 4}, row)
			IMULQ(ldt, row)
			ADDQ(table, row)
			use(row)
			INCQ(at)
			Label("check")
			CMPQ(at, end)
			JLT(LabelRef("list"))
		})
		ADDQ(Imm(4), off)
		ADDQ(ld, dense)
	})
	leave()
}

func sumRows(p panel) {
	field := p.begin(sumRowsFunction, listLast, listLanes)
	bias := fetch(field(listInit))
	eachListed(field, func(dense reg.Register, each func(func(reg.Register))) {
		acc := p.accumulators()
		p.row(p.load, acc, bias)
		each(func(row reg.Register) {
			p.row(p.add, acc, row)
		})
		p.row(p.store, acc, dense)
	})
}

func addRows(p panel) {
	field := p.begin(addRowsFunction, listLast, listLanes)
	eachListed(field, func(dense reg.Register, each func(func(reg.Register))) {
		d := p.accumulators()
		p.row(p.load, d, dense)
		each(func(row reg.Register) {
			for s := range d {
				sum := p.vec()
				if p.partial(s) {
					p.load(p.at(row, s), s, sum)
					VADDPS(p.view(s, d[s]), p.view(s, sum), p.view(s, sum))
				} else {
					VADDPS(p.at(row, s), d[s], sum)
				}
				p.store(p.at(row, s), s, sum)
			}
		})
	})
}

// gatherRows emits AddRows for transposed lists: it loads one row of G, adds the
// rows of D whose bits are set, and stores it.
func gatherRows(p panel) {
	field := p.begin(gatherRowsFunction, listLast, listLanes)
	d, g := fetch(field(listDense)), fetch(field(listTable))
	ld, ldt, m := fetch(field(listLd)), fetch(field(listLdt)), fetch(field(listM))
	bits := fetch(field(listBits))
	loop("rows", m, func() {
		left := fetch(Mem{Base: bits})
		TESTQ(left, left)
		JZ(LabelRef("next"))
		acc := p.accumulators()
		p.row(p.load, acc, g)
		Label("bit")
		row := GP64()
		TZCNTQ(left, row)
		IMULQ(ld, row)
		ADDQ(d, row)
		p.row(p.add, acc, row)
		BLSRQ(left, left) // clear the lowest bit
		JNZ(LabelRef("bit"))
		p.row(p.store, acc, g)
		Label("next")
		ADDQ(Imm(8), bits)
		ADDQ(ldt, g)
	})
	leave()
}

func columnSums(p panel) {
	field := p.begin(columnSumsFunction, listLast, listLanes)
	d, dst := fetch(field(listDense)), fetch(field(listTable))
	ld, m := fetch(field(listLd)), fetch(field(listM))
	acc := p.accumulators()
	p.row(p.load, acc, dst)
	loop("rows", m, func() {
		p.row(p.add, acc, d)
		ADDQ(ld, d)
	})
	p.row(p.store, acc, dst)
	leave()
}

// maxIndex emits the largest of some indices. Both kernels use the version for AVX2.
func maxIndex() {
	avx2.open(maxIndexFunction, "")
	idx, n := argument("idx"), argument("vectors")
	best := YMM()
	VPXOR(best, best, best)
	loop("loop", n, func() {
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
	leave()
}
