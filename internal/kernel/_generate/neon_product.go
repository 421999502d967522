package main

import (
	"fmt"

	"banditsim/internal/kernel/generate/arm64"
)

// products emits the matrix products like the function products for amd64, with up to 24
// accumulators. There are panels of one to six vectors, and of one, two and three columns.
func (w *neon) products() {
	for vectors := 1; vectors <= 6; vectors++ {
		heights := []int{4, 2, 1}
		if vectors <= 3 {
			heights = []int{8, 4, 2, 1}
		}
		w.product(vectors, 0, heights)
	}
	for columns := 1; columns <= 3; columns++ {
		w.product(1, columns, []int{8, 4, 2, 1})
	}
}

// A tile is a few rows of a panel of up to six vectors or up to three columns.
type tile struct {
	band
	columns int // 0 for whole vectors

	t, a, c, h arm64.R // the argument, and the positions in A, C and H
	acc        []arm64.Block
}

// product emits the version for a panel, with tiles of the given heights.
func (w *neon) product(vectors, columns int, heights []int) {
	name := fmt.Sprint(vectors)
	if columns > 0 {
		name = fmt.Sprintf("%dC", columns)
	}
	f := w.open(productFunction, name)
	t := f.Arg("t")
	field := fields(f, t)
	p := &tile{band: band{Func: f, vectors: vectors}, columns: columns, t: t}
	p.a, p.c, p.h, p.last = field(prodA), field(prodC), field(prodH), field(prodLast)
	m := field(prodM)
	for i, rows := range heights {
		label, next := fmt.Sprintf("rows%d", rows), "done"
		if i+1 < len(heights) {
			next = fmt.Sprintf("rows%d", heights[i+1])
		}
		f.Label(label)
		f.Op("CMP", m, rows)
		f.Op("BLT", next)
		f.Scope(func() { p.rows(rows) })
		f.Op("ADD", m, m, -rows)
		f.Op("B", label)
	}
	f.Label("done")
	f.Op("RET")
}

// row loads the row at base.
func (p *tile) row(v arm64.Block, base arm64.R) {
	p.edges(v, base)
	if p.columns == 0 && p.vectors > 1 {
		p.Loads(v[:min(4, p.vectors-1)], base)
	}
}

// edges loads the part of the row at base that a load of up to four vectors leaves out: the
// last vector and, of six, the fifth; or all of a row of up to three columns.
func (p *tile) edges(v arm64.Block, base arm64.R) {
	switch p.columns {
	case 0:
		p.Op("ldrq", v[p.vectors-1], base, p.last)
		if p.vectors == 6 {
			p.Line("FMOVQ 64(%s), F%d", base, v[4])
		}
	case 1:
		p.LoadLane(v[0], 0, base)
	default:
		p.Line("FMOVD (%s), F%d", base, v[0]) // two lanes; the others become 0
		if p.columns == 3 {
			p.Scope(func() {
				third := p.R()
				p.Op("ADD", third, base, 8)
				p.LoadLane(v[0], 2, third)
			})
		}
	}
}

// storeRow stores the row at base.
func (p *tile) storeRow(v arm64.Block, base arm64.R) {
	switch p.columns {
	case 0:
		if p.vectors > 1 {
			p.Stores(v[:min(4, p.vectors-1)], base)
		}
		if p.vectors == 6 {
			p.Line("FMOVQ F%d, 64(%s)", v[4], base)
		}
		p.Op("strq", v[p.vectors-1], base, p.last)
	case 1:
		p.StoreLane(v[0], 0, base)
	default:
		p.Line("FMOVD F%d, (%s)", v[0], base)
		if p.columns == 3 {
			p.Scope(func() {
				third := p.R()
				p.Op("ADD", third, base, 8)
				p.StoreLane(v[0], 2, third)
			})
		}
	}
}

// rows emits a tile with a number of rows.
func (p *tile) rows(rows int) {
	label := func(s string) string { return fmt.Sprintf("%s%d", s, rows) }
	field := fields(p.Func, p.t)
	p.acc = nil
	for range rows {
		p.acc = append(p.acc, p.Block(p.vectors))
	}

	p.Comment("Start from init in all rows, or from C.")
	p.Scope(func() {
		ptr, ldc := field(prodInit), field(prodLdc)
		p.IfZero(ptr, label("fromC"))
		p.row(p.acc[0], ptr)
		for _, acc := range p.acc[1:] {
			for s, v := range acc {
				p.Op("VMOV.B16", v, p.acc[0][s])
			}
		}
		p.Op("B", label("go"))
		p.Label(label("fromC"))
		p.Op("MOVD", ptr, p.c)
		for r, acc := range p.acc {
			p.row(acc, ptr)
			if r+1 < rows {
				p.Op("ADD", ptr, ptr, ldc)
			}
		}
		p.Label(label("go"))
	})
	p.Scope(func() { p.chain(label("p")) })

	p.Comment("ReLU, unless the floor is −Inf.")
	p.Scope(func() {
		floor, negative := p.R(), p.V()
		p.LoadWord(floor, p.t, prodFloor)
		p.IfNot(floor, label("gradient"))
		for _, acc := range p.acc {
			relu(p.Func, acc, negative)
		}
	})

	p.Comment("Gradient of ReLU: zero where h ≤ 0.")
	p.Label(label("gradient"))
	p.Scope(func() {
		p.IfZero(p.h, label("store"))
		ldh, h := field(prodLdh), p.Block(p.vectors)
		for _, acc := range p.acc {
			p.row(h, p.h)
			for s, v := range acc {
				p.Op("fcmleZero", h[s], h[s])
				p.Op("bic", v, v, h[s])
			}
			p.Op("ADD", p.h, p.h, ldh)
		}
	})

	p.Label(label("store"))
	ldc := field(prodLdc)
	for _, acc := range p.acc {
		p.storeRow(acc, p.c)
		p.Op("ADD", p.c, p.c, ldc)
	}
}

// chain emits the loop over p, and advances the position in A.
func (p *tile) chain(label string) {
	field := fields(p.Func, p.t)
	b, ars, acs, ldb, k := field(prodB), field(prodArs), field(prodAcs), field(prodLdb), field(prodK)
	at := p.R()
	p.Op("MOVD", at, 0)
	rows := []arm64.R{p.a}
	for r := range p.acc[1:] {
		rows = append(rows, p.R())
		p.Op("ADD", rows[r+1], rows[r], ars)
	}
	bv := p.Block(p.vectors)
	av := p.Block(2)
	counted(p.Func, label, k, func() {
		p.edges(bv, b)
		switch {
		case p.columns > 0 || p.vectors == 1:
			p.Op("ADD", b, b, ldb)
		default:
			p.LoadsStep(bv[:min(4, p.vectors-1)], b, ldb)
		}
		for r, acc := range p.acc {
			p.LoadScalar(av[r%2], rows[r], at)
			for s, v := range acc {
				p.Op("fmlaLane", v, bv[s], av[r%2], 0)
			}
		}
		p.Op("ADD", at, at, acs)
	})
	p.Op("ADD", p.a, rows[len(rows)-1], ars)
}
