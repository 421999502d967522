package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Offsets of the fields of kernel.product.
const (
	prodC     = 0
	prodA     = 8
	prodB     = 16
	prodInit  = 24
	prodH     = 32
	prodLdc   = 40
	prodArs   = 48
	prodAcs   = 56
	prodLdb   = 64
	prodLdh   = 72
	prodM     = 80
	prodK     = 88
	prodLast  = 96
	prodLanes = 104
	prodFloor = 112

	// Positions in C, A and H of the next tile. They are integers in Go, because
	// the garbage collector must not find pointers beyond the end of a slice.
	prodNextC = 120
	prodNextA = 128
	prodNextH = 136

	prodBits = 144 // for products that skip zeros
)

// products emits the matrix products, one version for each panel of columns. A version
// keeps a tile of C, which is a few rows of the panel, in registers while p runs over
// the columns of A. Tiles have the largest height as long as enough rows are left, then
// smaller ones.
func products(w width) {
	if w == avx512 {
		for _, p := range panels512() {
			heights := []int{4, 2, 1}
			if p.full <= 2 {
				heights = []int{8, 4, 2, 1}
			}
			productPanel(p, heights)
		}
		return
	}
	// Sixteen registers: 4×3 accumulators, three vectors of B and one of A.
	productPanel(panel{width: w, full: 3}, []int{4, 2, 1})
	productPanel(panel{width: w, full: 2}, []int{6, 2, 1})
	productPanel(panel{width: w, masked: true}, []int{8, 4, 2, 1})
}

// productHead begins the version of f for a panel, and sets the positions in C, A and H
// to their beginnings. It returns a function from the offset of a field to its operand.
func productHead(p *panel, f function) func(off int) Mem {
	field := p.begin(f, prodLast, prodLanes)
	first := GP64()
	for _, f := range [][2]int{{prodC, prodNextC}, {prodA, prodNextA}, {prodH, prodNextH}} {
		MOVQ(field(f[0]), first)
		MOVQ(first, field(f[1]))
	}
	return field
}

// productPanel emits the version for a panel, with tiles of the given heights.
func productPanel(p panel, heights []int) {
	field := productHead(&p, productFunction)
	for i, rows := range heights {
		label := fmt.Sprintf("rows%d", rows)
		next := "done"
		if i+1 < len(heights) {
			next = fmt.Sprintf("rows%d", heights[i+1])
		}
		Label(label)
		CMPQ(field(prodM), Imm(uint64(rows)))
		JLT(LabelRef(next))
		productTile(&p, rows, field, func(acc [][]reg.VecVirtual) { productChain(&p, fmt.Sprintf("p%d", rows), acc, field) })
		SUBQ(Imm(uint64(rows)), field(prodM))
		JMP(LabelRef(label))
	}
	Label("done")
	leave()
}

// productTile emits a tile with a number of rows. chain emits the code that adds the products to acc, by
// row and vector.
func productTile(p *panel, rows int, field func(int) Mem, chain func(acc [][]reg.VecVirtual)) {
	label := func(s string) string { return fmt.Sprintf("%s%d", s, rows) }
	acc := make([][]reg.VecVirtual, rows)
	for r := range acc {
		acc[r] = p.accumulators()
	}

	Comment("Start from init in all rows, or from C.")
	ptr := fetch(field(prodInit))
	TESTQ(ptr, ptr)
	JZ(LabelRef(label("fromC")))
	for s, v := range acc[0] {
		p.load(p.at(ptr, s), s, v)
		for _, row := range acc[1:] {
			VMOVAPS(p.view(s, v), p.view(s, row[s]))
		}
	}
	JMP(LabelRef(label("go")))
	Label(label("fromC"))
	MOVQ(field(prodNextC), ptr)
	for r, row := range acc {
		p.row(p.load, row, ptr)
		if r+1 < rows {
			ADDQ(field(prodLdc), ptr)
		}
	}

	Label(label("go"))
	chain(acc)

	Comment("ReLU: the floor is 0, or −Inf for none.")
	floor := p.broadcast(field(prodFloor))
	for _, row := range acc {
		for s, v := range row {
			VMAXPS(p.view(s, v), p.view(s, floor), p.view(s, v))
		}
	}

	Comment("Gradient of ReLU: zero where h ≤ 0.")
	h := fetch(field(prodNextH))
	TESTQ(h, h)
	JZ(LabelRef(label("store")))
	zero := p.zero()
	for _, row := range acc {
		for s, v := range row {
			hv, a := p.vec(), p.view(s, v)
			p.load(p.at(h, s), s, hv)
			if p.width == avx512 {
				const notLessEqual = 22
				k := K()
				VCMPPS(Imm(notLessEqual), p.view(s, zero), p.view(s, hv), k)
				VMOVAPS_Z(a, k, a)
			} else {
				const lessEqual = 18
				VCMPPS(Imm(lessEqual), zero, hv, hv)
				VANDNPS(a, hv, a)
			}
		}
		ADDQ(field(prodLdh), h)
	}
	MOVQ(h, field(prodNextH))

	Label(label("store"))
	c := fetch(field(prodNextC))
	for _, row := range acc {
		p.row(p.store, row, c)
		ADDQ(field(prodLdc), c)
	}
	MOVQ(c, field(prodNextC))
	step := fetch(field(prodArs))
	if rows > 1 {
		IMUL3Q(Imm(uint64(rows)), step, step)
	}
	ADDQ(step, field(prodNextA))
}

// productChain emits the loop over p of productTile.
func productChain(p *panel, label string, acc [][]reg.VecVirtual, field func(int) Mem) {
	rows, n := len(acc), p.vectors()
	a, b := fetch(field(prodNextA)), fetch(field(prodB))
	ars, acs := fetch(field(prodArs)), fetch(field(prodAcs))
	ldb, k := fetch(field(prodLdb)), fetch(field(prodK))
	var ars3, a4 reg.GPVirtual
	if rows >= 4 {
		ars3 = GP64()
		LEAQ(Mem{Base: ars, Index: ars, Scale: 2}, ars3)
	}
	if rows > 4 {
		a4 = GP64()
		LEAQ(Mem{Base: a, Index: ars, Scale: 4}, a4)
	}
	row := func(r int) Mem {
		m := Mem{Base: a}
		if r >= 4 {
			m.Base = a4
		}
		switch r % 4 {
		case 1, 2:
			m.Index, m.Scale = ars, uint8(r%4)
		case 3:
			m.Index, m.Scale = ars3, 1
		}
		return m
	}

	// The remaining registers hold either a row of B and one element of A, or a
	// column of A and one vector of B. If the column of A does not fit, its last
	// elements are memory operands.
	free := 16
	if p.width == avx512 {
		free = 32
	}
	free -= rows * n
	if p.width == avx2 && p.masked {
		free--
	}
	loop(label, k, func() {
		if n+1 <= free {
			var bv []reg.VecVirtual
			for s := range n {
				bv = append(bv, p.vec())
				p.load(p.at(b, s), s, bv[s])
			}
			for r := range rows {
				if n == 1 && p.width == avx512 {
					VFMADD231PS_BCST(row(r), p.view(0, bv[0]), p.view(0, acc[r][0]))
					continue
				}
				av := p.broadcast(row(r))
				for s := range n {
					VFMADD231PS(p.view(s, av), p.view(s, bv[s]), p.view(s, acc[r][s]))
				}
			}
		} else {
			var av []reg.VecVirtual
			for r := range min(rows, free-1) {
				av = append(av, p.broadcast(row(r)))
			}
			for s := range n {
				bv := p.vec()
				p.load(p.at(b, s), s, bv)
				for r := range rows {
					if r < len(av) {
						VFMADD231PS(p.view(s, av[r]), p.view(s, bv), p.view(s, acc[r][s]))
					} else {
						VFMADD231PS_BCST(row(r), p.view(s, bv), p.view(s, acc[r][s]))
					}
				}
			}
		}
		ADDQ(ldb, b)
		ADDQ(acs, a)
		if rows > 4 {
			ADDQ(acs, a4)
		}
	})
}
