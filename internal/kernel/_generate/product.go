package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/operand"
)

var productFields = layout("../product.go", "product")

// A tile is a few rows of a panel of C, in the registers acc; registers a, c and h point to the next one in A, C and H.
type tile struct {
	panel
	a, c, h Op
	acc     []vectors
}

// beginTile begins the version for a panel of the function called name.
func beginTile(p panel, name, doc string) *tile {
	p.begin(name, doc, productFields)
	return &tile{panel: p, a: p.field("a"), c: p.field("c"), h: p.field("h")}
}

// product emits the matrix product for a panel. A tile of C stays in registers in the loop over the columns of A.
// Tiles have the first of the heights as long as enough rows are left, then the next ones.
func product(p panel, heights ...int) {
	t := beginTile(p, "product", "is MulAdd over one panel of columns.")
	m := p.field("m")
	for i, rows := range heights {
		label, next := fmt.Sprintf("rows%d", rows), "done"
		if i+1 < len(heights) {
			next = fmt.Sprintf("rows%d", heights[i+1])
		}
		p.Label(label)
		p.ifLess(m, rows, next)
		p.scope(func() {
			t.emit(rows, func() { p.chain(t, fmt.Sprintf("p%d", rows)) })
		})
		p.add(m, -rows)
		p.jump(label)
	}
	p.Label("done")
	p.leave()
}

// heights returns the heights of tiles of a number of vectors for 32 registers, of which up to 28 are accumulators.
func heights(vectors int) []int {
	if vectors <= 3 {
		return []int{8, 4, 2, 1}
	}
	return []int{4, 2, 1}
}

// emit emits a tile of the given number of rows. chain emits the code that adds the products to t.acc and advances t.a.
func (t *tile) emit(rows int, chain func()) {
	label := func(s string) string { return fmt.Sprintf("%s%d", s, rows) }
	t.acc = nil
	for range rows {
		t.acc = append(t.acc, t.row())
	}

	t.Comment("Start from init in all rows, or from C.")
	t.scope(func() {
		init, ptr, ldc := t.field("init"), t.reg(), t.field("ldc")
		t.ifZero(init, label("fromC"))
		t.load(t.acc[0], init)
		for _, row := range t.acc[1:] {
			t.op("copy", row, t.acc[0])
		}
		t.jump(label("go"))
		t.Label(label("fromC"))
		t.move(ptr, t.c)
		for r, row := range t.acc {
			t.load(row, ptr)
			if r+1 < rows {
				t.add(ptr, ldc)
			}
		}
		t.Label(label("go"))
	})
	t.scope(chain)

	t.Comment("ReLU: the floor is 0, or −Inf for none.")
	t.scope(func() { t.floor(t.acc, label("gradient")) })

	t.Comment("Gradient of ReLU: zero where h ≤ 0.")
	t.ifZero(t.h, label("store"))
	t.scope(func() {
		ldh, gradient := t.field("ldh"), t.gradient()
		for _, row := range t.acc {
			gradient(row, t.h)
			t.add(t.h, ldh)
		}
	})

	t.Label(label("store"))
	t.scope(func() {
		ldc := t.field("ldc")
		for _, row := range t.acc {
			t.store(row, t.c)
			t.add(t.c, ldc)
		}
	})
}

// skip emits the product without the zeros of A for a panel. The code keeps one row of C in
// registers, and adds to it the products of nonzero elements of A and rows of B. The rows
// of B consist of whole aligned vectors.
func skip(p panel) {
	t := beginTile(p, "skip", "is MulAdd over one panel of columns with Ends.Skip, for up to 64 columns of A.")
	bits, m, each := p.field("bits"), p.field("m"), p.eachBit()
	p.keep("b", "acs", "ldb", "ars", "init", "ldc", "ldh")
	p.loop("rows", m, func() {
		t.emit(1, func() {
			b, acs, ldb := p.field("b"), p.field("acs"), p.field("ldb")
			row := p.reg()
			each(bits, "end", func() {}, func(number Op) {
				p.madd(row, number, ldb, b)
				p.mul(number, acs)
				p.op("fma", t.acc[0], p.scalar(t.a, number), from{base: row, whole: true})
			})
			p.Label("end")
			p.add(t.a, p.field("ars"))
		})
	})
	p.leave()
}
