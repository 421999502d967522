package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// packRows emits the function that copies rows to a matrix whose stride is a whole number of vectors.
func packRows(w width) {
	w.open(packRowsFunction, "")
	dst, src := argument("dst"), argument("src")
	lds, rows, vectors := argument("lds"), argument("rows"), argument("vectors")
	p := avxPanel{width: w, masked: true}
	p.loadMask(NewParamAddr("last", 40), NewParamAddr("lanes", 48))
	w.loop("rows", rows, func() {
		from, left := GP64(), GP64()
		MOVQ(src, from)
		MOVQ(vectors, left)
		v := w.vec()
		JMP(LabelRef("check"))
		Label("whole")
		VMOVUPS(Mem{Base: from}, v)
		VMOVUPS(v, Mem{Base: dst})
		ADDQ(Imm(uint64(w)), from)
		ADDQ(Imm(uint64(w)), dst)
		Label("check")
		DECQ(left)
		JGE(LabelRef("whole"))
		p.get(Mem{Base: from}, 0, v)
		VMOVUPS(v, Mem{Base: dst})
		ADDQ(Imm(uint64(w)), dst)
		ADDQ(lds, src)
	})
	w.leave()
}

// nonzeroRows emits the search for nonzero elements in rows. The last vector of a
// row may overlap the one before it.
func nonzeroRows(w width) {
	w.open(nonzeroRowsFunction, "")
	bits, a := argument("bits"), argument("a")
	lda, m, k := argument("lda"), argument("m"), argument("k")
	SUBQ(Imm(uint64(w.lanes())), k)
	zero := w.zero()
	w.loop("rows", m, func() {
		all, at := GP64(), GP64()
		XORQ(all, all)
		XORQ(at, at)
		add := func(at reg.Register) {
			found := GP64()
			x := Mem{Base: a, Index: at, Scale: 4}
			if w == avx512 {
				k := K()
				VCMPPS(Imm(notEqual), x, zero, k)
				KMOVW(k, found.As32())
			} else {
				v := w.vec()
				VCMPPS(Imm(notEqual), x, zero, v)
				VMOVMSKPS(v, found.As32())
			}
			SHLXQ(at, found, found)
			ORQ(found, all)
		}
		JMP(LabelRef("check"))
		Label("vector")
		add(at)
		ADDQ(Imm(uint64(w.lanes())), at)
		Label("check")
		CMPQ(at, k)
		JLT(LabelRef("vector"))
		add(k)
		MOVQ(all, Mem{Base: bits})
		ADDQ(Imm(8), bits)
		ADDQ(lda, a)
	})
	w.leave()
}

// notEqual is the code of the comparison a ≠ b, which is true for NaN.
const notEqual = 4

// nonzeroColumns emits the search for nonzero elements in as many columns as a vector has lanes. Bits
// of the first 32 rows are in halves[0], of the others in halves[1].
func nonzeroColumns(w width) {
	w.open(nonzeroColumnsFunction, "")
	bits, a := argument("bits"), argument("a")
	lda, k := argument("lda"), argument("k")
	zero := w.zero()
	var halves [2]reg.VecVirtual
	for i := range halves {
		halves[i] = w.vec()
		VMOVAPS(zero, halves[i])
	}
	for i, all := range halves {
		label := []string{"low", "high"}[i]
		bit := w.broadcast(word(1))
		n, most := GP64(), GP64()
		MOVQ(k, n)
		MOVQ(U32(32), most)
		CMPQ(n, most)
		CMOVQGT(most, n)
		SUBQ(n, k)
		w.loop(label, n, func() {
			if w == avx512 {
				found := K()
				VCMPPS(Imm(notEqual), Mem{Base: a}, zero, found)
				VPORD(bit, all, found, all)
			} else {
				found := w.vec()
				VCMPPS(Imm(notEqual), Mem{Base: a}, zero, found)
				VPAND(bit, found, found)
				VPOR(found, all, all)
			}
			VPADDD(bit, bit, bit)
			ADDQ(lda, a)
		})
		TESTQ(k, k)
		JZ(LabelRef("store"))
	}
	Label("store")
	for i := range 2 {
		half := func(v reg.VecVirtual) reg.VecVirtual {
			r := w.vec()
			from, to := v.AsX(), r.AsX()
			if w == avx512 {
				from, to = v.AsY(), r.AsY()
			}
			if i == 1 {
				w.op(VEXTRACTI128, VEXTRACTI64X4)(Imm(1), v, to)
				from = to
			}
			VPMOVZXDQ(from, r)
			return r
		}
		low, high := half(halves[0]), half(halves[1])
		VPSLLQ(Imm(32), high, high)
		w.op(VPOR, VPORQ)(low, high, high)
		VMOVUPS(high, Mem{Base: bits, Disp: i * int(w)})
	}
	w.leave()
}
