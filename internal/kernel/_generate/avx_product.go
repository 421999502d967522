package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func (p *avxPanel) chain(t *tile, label string) {
	rows := len(t.acc)
	var acc []row
	for _, v := range t.acc {
		acc = append(acc, v.(row))
	}
	n := len(acc[0])
	a, b, k := GP64(), fetch(p.memory("b")), fetch(p.memory("k"))
	MOVQ(t.a, a)
	ars, acs, ldb := fetch(p.memory("ars")), fetch(p.memory("acs")), fetch(p.memory("ldb"))
	var ars3, a4 reg.GPVirtual
	if rows >= 4 {
		ars3 = GP64()
		LEAQ(Mem{Base: ars, Index: ars, Scale: 2}, ars3)
	}
	if rows > 4 {
		a4 = GP64()
		LEAQ(Mem{Base: a, Index: ars, Scale: 4}, a4)
	}
	element := func(r int) Mem {
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

	// The registers that are not accumulators hold either a row of B and one
	// element of A, or a column of A and one vector of B. If the column of A does
	// not fit, its last elements are memory operands.
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
				p.get(p.at(b, s), s, bv[s])
			}
			for r := range rows {
				if n == 1 && p.width == avx512 {
					VFMADD231PS_BCST(element(r), p.view(0, bv[0]), p.view(0, acc[r][0]))
					continue
				}
				av := p.broadcast(element(r))
				for s := range n {
					VFMADD231PS(p.view(s, av), p.view(s, bv[s]), p.view(s, acc[r][s]))
				}
			}
		} else {
			var av []reg.VecVirtual
			for r := range min(rows, free-1) {
				av = append(av, p.broadcast(element(r)))
			}
			for s := range n {
				bv := p.vec()
				p.get(p.at(b, s), s, bv)
				for r := range rows {
					if r < len(av) {
						VFMADD231PS(p.view(s, av[r]), p.view(s, bv), p.view(s, acc[r][s]))
					} else {
						VFMADD231PS_BCST(element(r), p.view(s, bv), p.view(s, acc[r][s]))
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
	if rows > 1 {
		IMUL3Q(Imm(uint64(rows)), ars, ars)
	}
	ADDQ(ars, t.a)
}
