package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func (p *avxPanel) chain(t *tile, label string) {
	rows, n := len(t.acc), len(t.acc[0].(row))
	a, b, k := p.reg(), p.field("b"), p.field("k")
	p.move(a, t.a)
	ars, acs, ldb := p.field("ars"), p.field("acs"), p.field("ldb")
	var ars3, a4 Op
	if rows >= 4 {
		ars3 = p.reg()
		LEAQ(indexed(ars, ars, 2), ars3)
	}
	if rows > 4 {
		a4 = p.reg()
		LEAQ(indexed(a, ars, 4), a4)
	}
	element := func(r int) Mem {
		base := a
		if r >= 4 {
			base = a4
		}
		switch r % 4 {
		case 0:
			return memory(base, 0)
		case 3:
			return indexed(base, ars3, 1)
		}
		return indexed(base, ars, uint8(r%4))
	}

	// The registers that are not accumulators hold either a row of B and one element of A, or a column of A and one vector
	// of B. If the column of A does not fit, its last elements are memory operands.
	free := 16 - rows*n
	if p.width == avx512 {
		free += 16
	} else if p.masked {
		free--
	}
	column, wholeRow := min(rows, free-1), n+1 <= free // elements of the column of A in registers
	if n == 1 && p.width == avx512 {
		column, wholeRow = 0, false // each element of A is used once, as a memory operand
	}
	p.loop(label, k, func() {
		if wholeRow {
			bv := p.row()
			p.load(bv, b)
			for r, acc := range t.acc {
				p.op("fma", acc, bv, p.broadcast(element(r)))
			}
		} else {
			var av []reg.VecVirtual
			for r := range column {
				av = append(av, p.broadcast(element(r)))
			}
			for s := range n {
				bv := p.vec()
				p.get(p.at(b, s), s, bv)
				for r, acc := range t.acc {
					if d := p.operand(s, acc); r < column {
						VFMADD231PS(p.view(s, av[r]), p.view(s, bv), d)
					} else {
						VFMADD231PS_BCST(element(r), p.view(s, bv), d)
					}
				}
			}
		}
		p.add(b, ldb)
		p.add(a, acs)
		if rows > 4 {
			p.add(a4, acs)
		}
	})
	if rows > 1 {
		IMUL3Q(Imm(uint64(rows)), ars, ars)
	}
	p.add(t.a, ars)
}
