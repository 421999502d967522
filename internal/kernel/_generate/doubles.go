package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// sideBySide is kernel.SideBySide.
const sideBySide = 24

// doubleRows emits the functions for rows of float64s. Products and sums are rounded separately. Both kernels for amd64
// use the version for AVX2: rows are short and rarely aligned, so that masks and vectors of 64 bytes would be slower.
func doubleRows() {
	avx2.open(function{"addScaled", "func(y *float64, a float64, x *float64, n int)", "is AddScaled; n ≥ 1."}, "")
	y, x, n := argument("y"), argument("x"), argument("n")
	f := avx2.result(VBROADCASTSD, Load(Param("a"), XMM()))
	doubleRow(y, x, n, f, func(t, u reg.Register) { VADDPD(t, u, u) })
	avx2.leave()

	// Each row of the packed triangle is one element shorter than the row before.
	avx2.open(function{"subtractOuter", "func(p, v *float64, by float64, n, rows int)",
		"is SubtractOuter for a triangle of n columns; n ≥ rows ≥ 1."}, "")
	p, v, n, rows := argument("p"), argument("v"), argument("n"), argument("rows")
	by, f := Load(Param("by"), XMM()), YMM()
	avx2.loop("row", rows, func() {
		VMULSD(Mem{Base: v}, by, f.AsX())
		VBROADCASTSD(f.AsX(), f)
		doubleRow(p, v, n, f, func(t, u reg.Register) { VSUBPD(t, u, u) })
		LEAQ(Mem{Base: p, Index: n, Scale: 8}, p)
		ADDQ(Imm(8), v)
		DECQ(n)
	})
	avx2.leave()

	dotRows()
}

// dotRows emits DotRows, with its eight sums side by side.
func dotRows() {
	avx2.open(function{"dotRows", "func(sums, p *float64, starts *int, index *int32, value *float64, n int)",
		"is DotRows; n ≥ 1."}, "")
	sums, p, starts, index, value, n := argument("sums"), argument("p"), argument("starts"), argument("index"), argument("value"), argument("n")
	var rows [8]reg.Register
	var s [8]reg.VecVirtual
	for t := range rows {
		rows[t], s[t] = GP64(), XMM()
		MOVQ(Mem{Base: starts, Disp: 8 * t}, rows[t])
		LEAQ(Mem{Base: p, Index: rows[t], Scale: 8}, rows[t])
		VMOVSD(Mem{Base: sums, Disp: 8 * t}, s[t])
	}
	avx2.loop("element", n, func() {
		at, f := GP64(), XMM()
		MOVLQSX(Mem{Base: index}, at)
		VMOVSD(Mem{Base: value}, f)
		for t, row := range rows {
			product := avx2q.result(VMULSD, Mem{Base: row, Index: at, Scale: 8}, f)
			VADDSD(product, s[t], s[t])
		}
		ADDQ(Imm(4), index)
		ADDQ(Imm(8), value)
	})
	for t := range s {
		VMOVSD(s[t], Mem{Base: sums, Disp: 8 * t})
	}
	avx2.leave()
}

// doubleRow emits dst = op(f·src, dst) for n ≥ 1 elements.
func doubleRow(dst, src, n reg.Register, f reg.VecVirtual, op func(t, u reg.Register)) {
	i, whole := GP64(), GP64()
	XORQ(i, i)
	MOVQ(n, whole)
	ANDQ(I8(-8), whole)
	do := func(elements, skip int) {
		at := func(base reg.Register) Mem { return Mem{Base: base, Index: i, Scale: 8, Disp: 8 * skip} }
		var t, u, by reg.Register = YMM(), YMM(), f
		if elements < 4 {
			t, u, by = XMM(), XMM(), f.AsX()
		}
		load := VMOVUPD
		if elements == 1 {
			load = VMOVSD
		}
		load(at(src), t)
		VMULPD(t, by, t)
		load(at(dst), u)
		op(t, u)
		load(u, at(dst))
	}
	JZ(LabelRef("rest"))
	Label("eight")
	do(4, 0)
	do(4, 4)
	ADDQ(Imm(8), i)
	CMPQ(i, whole)
	JL(LabelRef("eight"))
	Label("rest")
	for k, none := range []string{"nofour", "notwo", "noone"} {
		elements := 4 >> k
		TESTQ(U32(uint32(elements)), n)
		JZ(LabelRef(none))
		do(elements, 0)
		ADDQ(Imm(uint64(elements)), i)
		Label(none)
	}
}

// doubleColumns emits the functions of matrices with sideBySide columns of float64s.
func doubleColumns(w width) {
	vectors := sideBySide * 8 / int(w)
	at := func(base reg.Register, i int) Mem { return Mem{Base: base, Disp: i * int(w)} }
	// sums adds the products of n numbers at p and n rows at x to s; n ≥ 1.
	sums := func(s []reg.VecVirtual, p, x, n reg.Register) {
		w.loop("sum", n, func() {
			b := w.result(VBROADCASTSD, Mem{Base: p})
			for i := range s {
				VADDPD(w.result(VMULPD, at(x, i), b), s[i], s[i])
			}
			ADDQ(Imm(8), p)
			ADDQ(Imm(8*sideBySide), x)
		})
	}
	zeros := func() []reg.VecVirtual {
		s := make([]reg.VecVirtual, vectors)
		for i := range s {
			s[i] = w.vec()
			VXORPD(s[i].AsX(), s[i].AsX(), s[i].AsX())
		}
		return s
	}

	w.open(function{"dotColumns", "func(dst, p, x *float64, n int)", "is DotColumns; n ≥ 1."}, "")
	dst, p, x, n := argument("dst"), argument("p"), argument("x"), argument("n")
	s := zeros()
	sums(s, p, x, n)
	for i := range s {
		VMOVUPD(s[i], at(dst, i))
	}
	w.leave()

	w.open(function{"quadColumns", "func(dst, p, x *float64, n int)", "adds QuadColumns to dst; n ≥ 1."}, "")
	dst, p, x, n = argument("dst"), argument("p"), argument("x"), argument("n")
	w.loop("row", n, func() {
		s := zeros()
		q, y, left := GP64(), GP64(), GP64()
		LEAQ(Mem{Base: p, Disp: 8}, q)
		LEAQ(Mem{Base: x, Disp: 8 * sideBySide}, y)
		MOVQ(n, left)
		DECQ(left)
		JZ(LabelRef("diagonal"))
		sums(s, q, y, left)
		Label("diagonal")
		b := w.result(VBROADCASTSD, Mem{Base: p})
		for i := range s { // dst += x(xp + 2s)
			xi := w.result(VMOVUPD, at(x, i))
			t := w.result(VMULPD, xi, b)
			VADDPD(s[i], s[i], s[i])
			VADDPD(s[i], t, t)
			VMULPD(t, xi, t)
			VADDPD(at(dst, i), t, t)
			VMOVUPD(t, at(dst, i))
		}
		MOVQ(q, p)
		ADDQ(Imm(8*sideBySide), x)
	})
	w.leave()
}
