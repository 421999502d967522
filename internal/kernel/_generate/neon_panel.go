package main

import (
	"fmt"
	"math"
	"strconv"

	. "github.com/mmcloughlin/avo/operand"
)

// A neonPanel consists of vectors, the last of which ends with the last column and may overlap the one before it.
// Panels of products may have up to three columns instead, in one vector.
type neonPanel struct {
	*neon
	vectors int
	columns int // 0 for whole vectors
	t       Op  // the register with the argument t
	fields  map[string]int
	kept    map[string]Op // fields in registers, by name
	last    Op            // distance from the first to the last vector in bytes; nil for arrays, whose vectors are consecutive
}

func (p *neonPanel) begin(name, doc string, fields map[string]int) {
	panel := strconv.Itoa(p.vectors)
	if p.columns > 0 {
		panel = fmt.Sprintf("%dC", p.columns)
	}
	p.open(function{name, "func(t *byte)", doc}, panel)
	p.t, p.fields, p.kept = p.argument("t"), fields, map[string]Op{}
	p.last = p.field("last")
}

func (p *neonPanel) field(name string) Op {
	if r, ok := p.kept[name]; ok {
		return r
	}
	r := p.reg()
	p.Line("MOVD %d(%s), %s", p.fields[name], p.t, r)
	return r
}

func (p *neonPanel) keep(names ...string) {
	for _, name := range names {
		p.kept[name] = p.field(name)
	}
}

func (p *neonPanel) row() vectors { return p.Block(p.vectors) }

// rest returns the number of vectors before the last one. For arrays it returns the number of all vectors.
func (p *neonPanel) rest() int {
	if p.last == nil {
		return p.vectors
	}
	return p.vectors - 1
}

// groups divides the first p.rest() vectors of a row into groups of up to four. For each group it calls use with the
// number of its first vector, its size, its address, and functions that load and store it. The functions advance the
// address if there are several groups.
func (p *neonPanel) groups(of from, use func(first, n int, at Op, load, store func(v Block, at any))) {
	p.scope(func() {
		at, load, store := of.base, p.Loads, p.Stores
		if p.rest() > 4 {
			load, store = p.LoadsNext, p.StoresNext
			if of.kept {
				at = p.reg()
				p.move(at, of.base)
			}
		}
		for first := 0; first < p.rest(); first += 4 {
			use(first, min(4, p.rest()-first), at, load, store)
		}
	})
}

func (p *neonPanel) load(v vectors, base Op) {
	row := v.(Block)
	if p.columns > 0 {
		p.loadColumns(row[0], base)
		return
	}
	if p.last != nil {
		p.Op("ldrq", row[p.vectors-1], base, p.last)
	}
	p.groups(from{base: base, kept: true}, func(first, n int, at Op, load, _ func(Block, any)) {
		load(row[first:first+n], at)
	})
}

func (p *neonPanel) store(v vectors, base Op) {
	row := v.(Block)
	switch p.columns {
	case 0:
		p.groups(from{base: base, kept: true}, func(first, n int, at Op, _, store func(Block, any)) {
			store(row[first:first+n], at)
		})
		if p.last != nil {
			p.Op("strq", row[p.vectors-1], base, p.last)
		}
	case 1:
		p.StoreLane(row[0], 0, base)
	default:
		p.Line("FMOVD F%d, (%s)", row[0], base)
		if p.columns == 3 {
			p.third(base, func(third Op) { p.StoreLane(row[0], 2, third) })
		}
	}
}

// loadColumns loads the row of up to three columns at base.
func (p *neonPanel) loadColumns(v V, base Op) {
	if p.columns == 1 {
		p.LoadLane(v, 0, base)
		return
	}
	p.Line("FMOVD (%s), F%d", base, v) // two lanes; the others become 0
	if p.columns == 3 {
		p.third(base, func(third Op) { p.LoadLane(v, 2, third) })
	}
}

// third calls use with the address of the third column.
func (p *neonPanel) third(base Op, use func(third Op)) {
	p.scope(func() {
		third := p.reg()
		p.Op("ADD", third, base, 8)
		use(third)
	})
}

// eachOf loads the vectors of a row, in groups of at most four, and calls use for each.
func (p *neonPanel) eachOf(of from, use func(s int, v V)) {
	p.scope(func() {
		space := p.Block(min(4, p.vectors))
		if p.columns > 0 {
			p.loadColumns(space[0], of.base)
			use(0, space[0])
			return
		}
		if p.last != nil {
			p.Op("ldrq", space[0], of.base, p.last)
			use(p.vectors-1, space[0])
		}
		p.groups(of, func(first, n int, at Op, load, _ func(Block, any)) {
			load(space[:n], at)
			for i, v := range space[:n] {
				use(first+i, v)
			}
		})
	})
}

func (p *neonPanel) addTo(base Op, v vectors) {
	d := v.(Block)
	p.scope(func() {
		// The last vector is loaded before the one that it overlaps is stored.
		last, space := p.V(), p.Block(min(4, p.vectors))
		p.Op("ldrq", last, base, p.last)
		p.Op("fadd", last, last, d[p.vectors-1])
		p.groups(from{base: base, kept: true}, func(first, n int, at Op, _, store func(Block, any)) {
			p.Loads(space[:n], at)
			for i, v := range space[:n] {
				p.Op("fadd", v, v, d[first+i])
			}
			store(space[:n], at)
		})
		p.Op("strq", last, base, p.last)
	})
}

func (p *neonPanel) scalar(a, i Op) any {
	v := p.V()
	p.LoadScalar(v, a, i)
	return lane{v, 0}
}

func (p *neonPanel) floor(rows []vectors, label string) {
	floor, relu := p.reg(), p.relu()
	p.Line("MOVWU %d(%s), %s", p.fields["floor"], p.t, floor)
	p.Line("CBNZ %s, %s", floor, label)
	for _, v := range rows {
		relu(v, v)
	}
	p.Label(label)
}

func (p *neonPanel) relu() func(v vectors, x any) {
	negative := p.V()
	return func(v vectors, x any) {
		if of, ok := x.(from); ok {
			p.load(v, of.base)
			x = v
		}
		for s, x := range x.(Block) {
			p.Op("fcmltZero", negative, x)
			p.Op("bic", v.(Block)[s], x, negative)
		}
	}
}

func (p *neonPanel) gradient() func(v vectors, h Op) {
	return func(v vectors, h Op) {
		p.eachOf(from{base: h, kept: true}, func(s int, u V) {
			d := v.(Block)[s]
			p.Op("fcmleZero", u, u)
			p.Op("bic", d, d, u)
		})
	}
}

func (p *neonPanel) each(n Op, arrays []Op, body func()) {
	p.byVectors(n, func(vectors int) {
		p.vectors = vectors
		body()
		for _, a := range arrays {
			p.add(a, 16*vectors)
		}
	})
}

// A lane is a factor (see panel): lane i of register v.
type lane struct {
	v V
	i int
}

func (p *neonPanel) factor(name string) any {
	v := p.V()
	p.Line("FMOVS %s, F%d", parameter(p.Param(name)), v)
	return lane{v, 0}
}

func (p *neonPanel) constant(f float32) any { return p.neon.constant(math.Float32bits(f)) }

func (p *neonPanel) constants(c Op, fields map[string]int) (factor, vector func(name string) any) {
	block := p.Block(len(fields) / 4)
	p.Loads(block, c)
	at := func(name string) lane { return lane{block[fields[name]/16], fields[name] / 4 % 4} }
	vector = func(name string) any {
		v, l := p.V(), at(name)
		p.Line("VDUP V%d.S[%d], %s", l.v, l.i, v)
		return v
	}
	return func(name string) any { return at(name) }, vector
}

// neonOps has the instructions that op emits: first the one without a lane as an operand, then the one with a lane.
var neonOps = map[string][2]string{
	"copy": {"VMOV.B16"}, "add": {"fadd"}, "mul": {"fmul", "fmulLane"}, "div": {"fdiv"}, "sqrt": {"fsqrt"},
	"fma": {"VFMLA.S4", "fmlaLane"}, "fms": {"VFMLS.S4", "fmlsLane"},
}

func (p *neonPanel) op(name string, operands ...any) {
	emit := func(s int, loaded V) {
		var list, factor []any
		for _, o := range operands {
			switch o := o.(type) {
			case Block:
				list = append(list, o[s])
			case lane:
				factor = []any{o.v, o.i}
			case from:
				list = append(list, loaded)
			default:
				list = append(list, o)
			}
		}
		p.Op(neonOps[name][min(1, len(factor))], append(list, factor...)...)
	}
	for _, o := range operands {
		if f, ok := o.(from); ok {
			p.eachOf(f, emit)
			return
		}
	}
	for s := range p.vectors {
		emit(s, 0)
	}
}

func (p *neonPanel) chain(t *tile, label string) {
	b, ars, acs, ldb, k := p.field("b"), p.field("ars"), p.field("acs"), p.field("ldb"), p.field("k")
	at := p.reg()
	p.Op("MOVD", at, 0)
	rows := []Op{t.a}
	for r := range t.acc[1:] {
		rows = append(rows, p.reg())
		p.Op("ADD", rows[r+1], rows[r], ars)
	}
	bv, av := p.Block(p.vectors), p.Block(2)
	p.loop(label, k, func() {
		if p.columns > 0 {
			p.loadColumns(bv[0], b)
		} else {
			p.Op("ldrq", bv[p.vectors-1], b, p.last)
		}
		if p.vectors == 6 {
			p.Line("FMOVQ 64(%s), F%d", b, bv[4])
		}
		if p.vectors > 1 {
			p.LoadsStep(bv[:min(4, p.vectors-1)], b, ldb)
		} else {
			p.add(b, ldb)
		}
		for r, v := range t.acc {
			p.LoadScalar(av[r%2], rows[r], at)
			for s, acc := range v.(Block) {
				p.Op("fmlaLane", acc, bv[s], av[r%2], 0)
			}
		}
		p.add(at, acs)
	})
	p.Op("ADD", t.a, rows[len(rows)-1], ars)
}
