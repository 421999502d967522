package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// A width is the size of a vector in bytes. It also stands for the instruction set.
type width int

const (
	avx2q  width = 16 // AVX2 with vectors of four lanes
	avx2   width = 32
	avx512 width = 64
)

func (w width) String() string {
	if w == avx512 {
		return "AVX512"
	}
	return "AVX2"
}

func (w width) lanes() int { return int(w) / 4 }

// vec returns a new vector register.
func (w width) vec() reg.VecVirtual {
	switch w {
	case avx512:
		return ZMM()
	case avx2q:
		return XMM()
	}
	return YMM()
}

// broadcast returns a new register with the float32 at m in each lane.
func (w width) broadcast(m Mem) reg.VecVirtual {
	v := w.vec()
	VBROADCASTSS(m, v)
	return v
}

// op returns the instruction of two that the instruction set has.
func (w width) op(avx func(a, b, c Op), avx512F func(...Op)) func(a, b, c Op) {
	if w == avx512 {
		return func(a, b, c Op) { avx512F(a, b, c) }
	}
	return avx
}

// zero returns a new register of zeros.
func (w width) zero() reg.VecVirtual {
	if w == avx512 {
		// VPXORD of a register with itself would be a use of it for avo,
		// which then reserves the register in all the code before.
		return w.broadcast(word(0))
	}
	v := YMM()
	VXORPS(v, v, v)
	return v
}

// A panel is a range of columns: full vectors, and possibly a last one with a mask. In
// AVX-512 the last one may be of half width, which is faster on processors that split
// wide vectors.
type panel struct {
	width
	full   int  // number of full vectors
	masked bool // a vector with a mask follows
	narrow bool // that vector is of half width

	k reg.Register // the mask: in a mask register for AVX-512, in a vector for AVX2
}

// vectors returns the number of vectors.
func (p *panel) vectors() int {
	if p.masked {
		return p.full + 1
	}
	return p.full
}

// begin begins the version of f for the panel and loads the mask. last and lanes are the offsets of the mask's fields in
// the struct at t. begin returns a function from the offset of a field to its operand.
func (p *panel) begin(f function, last, lanes int) func(off int) Mem {
	p.open(f, p.name())
	t := argument("t")
	field := func(off int) Mem { return Mem{Base: t, Disp: off} }
	p.loadMask(field(last), field(lanes))
	return field
}

// name returns the panel's part of function names: 3 for three full vectors, 3M if a
// masked vector follows, 3N if a masked one of half width follows, 1Q for one vector
// of four lanes.
func (p *panel) name() string {
	switch {
	case p.width == avx2q:
		return fmt.Sprintf("%dQ", p.full)
	case p.narrow:
		return fmt.Sprintf("%dN", p.full)
	case p.masked:
		return fmt.Sprintf("%dM", p.full)
	}
	return fmt.Sprint(p.full)
}

// loadMask loads the mask: from bits for AVX-512, else from the memory to which lanes
// points.
func (p *panel) loadMask(bits, lanes Mem) {
	switch {
	case !p.masked:
	case p.width == avx512:
		p.k = K()
		KMOVW(bits, p.k)
	default:
		ptr := fetch(lanes)
		p.k = YMM()
		VMOVUPS(Mem{Base: ptr}, p.k)
	}
}

// partial reports whether vector s is masked.
func (p *panel) partial(s int) bool { return p.masked && s == p.full }

// view returns register v with the width of vector s.
func (p *panel) view(s int, v reg.VecVirtual) reg.Register {
	if p.narrow && p.partial(s) {
		return v.AsY()
	}
	return v
}

// at returns the operand for vector s of the row at base.
func (p *panel) at(base reg.Register, s int) Mem {
	return Mem{Base: base, Disp: s * int(p.width)}
}

// load loads vector s. Lanes outside the mask become zero; their memory is not
// accessed.
func (p *panel) load(m Mem, s int, v reg.VecVirtual) {
	switch {
	case !p.partial(s):
		VMOVUPS(m, v)
	case p.width == avx512:
		VMOVUPS_Z(m, p.k, p.view(s, v))
	default:
		VMASKMOVPS(m, p.k, v)
	}
}

// store stores vector s without the lanes outside the mask.
func (p *panel) store(m Mem, s int, v reg.VecVirtual) {
	switch {
	case !p.partial(s):
		VMOVUPS(v, m)
	case p.width == avx512:
		VMOVUPS(p.view(s, v), p.k, m)
	default:
		VMASKMOVPS(v, p.k, m)
	}
}

// add emits v += vector s at m.
func (p *panel) add(m Mem, s int, v reg.VecVirtual) {
	if !p.partial(s) {
		VADDPS(m, v, v)
		return
	}
	t := p.vec()
	p.load(m, s, t)
	VADDPS(p.view(s, t), p.view(s, v), p.view(s, v))
}

// accumulators returns a new register for each vector.
func (p *panel) accumulators() []reg.VecVirtual {
	var acc []reg.VecVirtual
	for range p.vectors() {
		acc = append(acc, p.vec())
	}
	return acc
}

// row emits op, which is load, add or store, for each vector of the row at base.
func (p *panel) row(op func(m Mem, s int, v reg.VecVirtual), row []reg.VecVirtual, base reg.Register) {
	for s, v := range row {
		op(p.at(base, s), s, v)
	}
}

// panels512 returns the panels of AVX-512, with up to seven vectors. The last one always
// has a mask, which may include all lanes.
func panels512() []panel {
	var ps []panel
	for full := range 7 {
		ps = append(ps, panel{width: avx512, full: full, masked: true},
			panel{width: avx512, full: full, masked: true, narrow: true})
	}
	return ps
}

// loop emits a loop in which body runs n times, n ≥ 1. body may read n.
func loop(label string, n reg.Register, body func()) {
	Label(label)
	body()
	DECQ(n)
	JNZ(LabelRef(label))
}

// x86 records the functions for amd64.
var x86 = versions{names: map[[2]string][]string{}}

// open begins the version of f for a panel; panel is "" if f has no panels.
func (w width) open(f function, panel string) {
	name := x86.add(f, panel, w.String())
	TEXT(name, NOSPLIT, f.signature)
	Doc(name + " " + f.doc)
	if strings.Contains(f.signature, "*") {
		Pragma("noescape")
	}
}

// argument loads a pointer or an integer argument.
func argument(name string) reg.Register { return Load(Param(name), GP64()) }

// leave emits the return. It clears the upper halves of the vectors, which would
// delay the SSE instructions of Go code.
func leave() {
	VZEROUPPER()
	RET()
}

// A table is a read-only table of 32-byte constants, most with eight equal lanes. AVX-512
// broadcasts the first lane.
type table struct {
	sym   Mem
	where map[[8]uint32]int // offset of each constant
	size  int
}

var constants = table{where: map[[8]uint32]int{}}

// entry returns the operand for a constant, which it adds to the table if it is new.
func (t *table) entry(lanes [8]uint32) Mem {
	if t.size == 0 {
		t.sym = GLOBL("constants", RODATA|NOPTR)
	}
	off, ok := t.where[lanes]
	if !ok {
		off = t.size
		for i, l := range lanes {
			DATA(off+4*i, U32(l))
		}
		t.where[lanes] = off
		t.size += 32
	}
	return t.sym.Offset(off)
}

// word returns a constant of eight lanes u, float one of eight lanes f.
func word(u uint32) Mem {
	return constants.entry([8]uint32(slices.Repeat([]uint32{u}, 8)))
}

func float(f float32) Mem { return word(math.Float32bits(f)) }

// counters returns a constant of the four 64-bit lanes n, n + 2, n + 4 and n + 6.
func counters(n uint32) Mem {
	return constants.entry([8]uint32{n, 0, n + 2, 0, n + 4, 0, n + 6, 0})
}
