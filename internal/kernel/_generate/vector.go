package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
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

// result emits an instruction whose destination is a new register, and returns the register.
func (w width) result(instruction func(...Op), operands ...Op) reg.VecVirtual {
	v := w.vec()
	instruction(append(operands, v)...)
	return v
}

// broadcast returns a new register with the float32 at m in each lane.
func (w width) broadcast(m Op) reg.VecVirtual { return w.result(VBROADCASTSS, m) }

// op returns the instruction for w: avx512F for AVX-512, otherwise avx.
func (w width) op(avx func(a, b, c Op), avx512F func(...Op)) func(a, b, c Op) {
	if w == avx512 {
		return func(a, b, c Op) { avx512F(a, b, c) }
	}
	return avx
}

// zero returns a new register of zeros.
func (w width) zero() reg.VecVirtual {
	if w == avx512 {
		// VPXORD of a register with itself seems to avo to read what the register held before. avo would therefore reserve
		// the register in all the code before.
		return w.broadcast(word(0))
	}
	v := YMM()
	VXORPS(v, v, v)
	return v
}

// An avxPanel consists of full vectors and, if masked is set, a last one with a mask. In AVX-512 the last one may have
// half the width, which is faster on processors that split wide vectors.
type avxPanel struct {
	width
	full   int  // number of full vectors
	masked bool // a vector with a mask follows
	narrow bool // the vector with a mask is of half width

	k      reg.Register // the mask: in a mask register for AVX-512, in a vector for AVX2
	t      reg.Register // address of the struct of the fields
	fields map[string]int
}

// name returns the panel's part of function names: 3 for three full vectors, 3M if a masked vector follows, 3N if a
// masked one of half width follows, 1Q for one vector of four lanes.
func (p *avxPanel) name() string {
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

func (p *avxPanel) begin(name, doc string, fields map[string]int) {
	p.open(function{name, "func(t *byte)", doc}, p.name())
	p.t, p.fields = argument("t"), fields
	p.loadMask(p.memory("last"), p.memory("lanes"))
}

// memory returns the operand for a field of t, and field loads the field.
func (p *avxPanel) memory(name string) Mem { return Mem{Base: p.t, Disp: p.fields[name]} }
func (p *avxPanel) field(name string) Op   { return fetch(p.memory(name)) }

// loadMask loads the mask of a masked panel. For AVX-512 the mask is at bits; for AVX2, lanes holds its address.
func (p *avxPanel) loadMask(bits, lanes Mem) {
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
func (p *avxPanel) partial(s int) bool { return p.masked && s == p.full }

// view returns register v with the width of vector s.
func (p *avxPanel) view(s int, v reg.VecVirtual) reg.Register {
	if p.narrow && p.partial(s) {
		return v.AsY()
	}
	return v
}

// at returns the operand for vector s of the row at base.
func (p *avxPanel) at(base Op, s int) Mem { return memory(base, s*int(p.width)) }

// get loads vector s. It does not access lanes outside the mask, which become zero.
func (p *avxPanel) get(m Mem, s int, v reg.VecVirtual) {
	switch {
	case !p.partial(s):
		VMOVUPS(m, v)
	case p.width == avx512:
		VMOVUPS_Z(m, p.k, p.view(s, v))
	default:
		VMASKMOVPS(m, p.k, v)
	}
}

// put stores vector s without the lanes outside the mask.
func (p *avxPanel) put(m Mem, s int, v reg.VecVirtual) {
	switch {
	case !p.partial(s):
		VMOVUPS(v, m)
	case p.width == avx512:
		VMOVUPS(p.view(s, v), p.k, m)
	default:
		VMASKMOVPS(v, p.k, m)
	}
}

// A row is the registers of a row of an avxPanel.
type row []reg.VecVirtual

func (p *avxPanel) row() vectors {
	r := make(row, p.full, p.full+1)
	if p.masked {
		r = r[:p.full+1]
	}
	for s := range r {
		r[s] = p.vec()
	}
	return r
}

func (p *avxPanel) load(v vectors, base Op) {
	for s, v := range v.(row) {
		p.get(p.at(base, s), s, v)
	}
}

func (p *avxPanel) store(v vectors, base Op) {
	for s, v := range v.(row) {
		p.put(p.at(base, s), s, v)
	}
}

func (p *avxPanel) addTo(base Op, v vectors) {
	for s := range v.(row) {
		d := p.vec()
		VADDPS(p.operand(s, from{base: base}), p.operand(s, v), p.view(s, d))
		p.put(p.at(base, s), s, d)
	}
}

func (p *avxPanel) scalar(a, i Op) any { return p.broadcast(indexed(a, i, 1)) }

func (p *avxPanel) floor(rows []vectors, _ string) {
	floor := p.broadcast(p.memory("floor"))
	for _, v := range rows {
		p.op("max", v, floor, v)
	}
}

func (p *avxPanel) gradient() func(v vectors, h Op) {
	zero := p.zero()
	return func(v vectors, h Op) {
		for s, v := range v.(row) {
			hv, a := p.operand(s, from{base: h}), p.view(s, v)
			if p.width == avx512 {
				const notGreaterEqual = 25 // 0 ≥ h fails: h > 0 or NaN
				k := K()
				VCMPPS(Imm(notGreaterEqual), hv, p.view(s, zero), k)
				VMOVAPS_Z(a, k, a)
			} else {
				const greaterEqual = 29 // 0 ≥ h, quiet
				not := p.vec()
				VCMPPS(Imm(greaterEqual), hv, zero, not)
				VANDNPS(a, not, a)
			}
		}
	}
}

func (p *avxPanel) each(n Op, arrays []Op, body func()) {
	p.loop("loop", n, func() {
		body()
		for _, a := range arrays {
			ADDQ(Imm(uint64(p.width)), a)
		}
	})
}

func (p *avxPanel) factor(name string) any { return p.broadcast(Load(Param(name), XMM())) }

func (p *avxPanel) constant(f float32) any { return p.broadcast(float(f)) }

func (p *avxPanel) constants(c Op, fields map[string]int) (factor, vector func(name string) any) {
	vector = func(name string) any { return p.broadcast(memory(c, fields[name])) }
	return vector, vector
}

// avxOps has the instructions that op emits.
var avxOps = map[string]func(...Op){
	"copy": VMOVAPS, "add": VADDPS, "mul": VMULPS, "div": VDIVPS, "sqrt": VSQRTPS,
	"max": VMAXPS, // max(a, b) is b unless a > b
	"fma": VFMADD231PS, "fms": VFNMADD231PS,
}

func (p *avxPanel) op(name string, operands ...any) {
	for s := range operands[0].(row) {
		var list []Op
		for _, o := range slices.Backward(operands) {
			list = append(list, p.operand(s, o))
		}
		avxOps[name](list...)
	}
}

// operand returns the operand for vector s.
func (p *avxPanel) operand(s int, of any) Op {
	switch of := of.(type) {
	case row:
		return p.view(s, of[s])
	case from:
		if p.partial(s) && !of.whole {
			v := p.vec()
			p.get(p.at(of.base, s), s, v)
			return p.view(s, v)
		}
		return p.at(of.base, s)
	}
	return p.view(s, of.(reg.VecVirtual))
}

func (p *avxPanel) relu() func(v vectors, x any) {
	zero := p.zero()
	return func(v vectors, x any) { p.op("max", v, zero, x) }
}

// Operations on general registers: see panel.

func (width) argument(name string) Op { return argument(name) }
func (width) Comment(lines ...string) { Comment(lines...) }
func (width) keep(...string)          {}
func (width) reg() Op                 { return GP64() }
func (width) scope(body func())       { body() }
func (width) move(d, s Op)            { MOVQ(s, d) }
func (width) add(d Op, s any)         { ADDQ(operand(s), d) }
func (width) mul(d, n Op)             { IMULQ(n, d) }
func (width) element(d, base Op)      { LEAQ(indexed(base, d, 4), d) }
func (width) Label(name string)       { Label(name) }

// top aligns the loop: on processors with the erratum of conditional jumps (Skylake), a jump instruction that crosses a
// boundary of 32 bytes slows SumRows by a tenth.
func (width) top(name string) {
	Instruction(&ir.Instruction{Opcode: "PCALIGN", Operands: []Op{Imm(32)}})
	Label(name)
}

func (width) jump(label string) { JMP(LabelRef(label)) }

func (width) madd(d, n, m, a Op) {
	if d != n {
		MOVQ(n, d)
	}
	IMULQ(m, d)
	ADDQ(a, d)
}

func (width) nextInt(d, base Op) {
	MOVLQSX(memory(base, 0), d)
	ADDQ(Imm(4), base)
}

func (width) ifZero(n Op, label string) {
	TESTQ(n, n)
	JZ(LabelRef(label))
}

func (width) ifLess(n Op, m any, label string) {
	CMPQ(n, operand(m))
	JLT(LabelRef(label))
}

func (width) eachBit() func(bits Op, end string, before func(), body func(number Op)) {
	return func(bits Op, end string, before func(), body func(number Op)) {
		left, number := fetch(memory(bits, 0)), GP64()
		ADDQ(Imm(8), bits)
		TESTQ(left, left)
		JZ(LabelRef(end))
		before()
		Label("bit")
		TZCNTQ(left, number)
		body(number)
		BLSRQ(left, left) // clear the lowest bit
		JNZ(LabelRef("bit"))
	}
}

// operand returns the operand for a register or a number.
func operand(v any) Op {
	if n, ok := v.(int); ok {
		return I32(n)
	}
	return v.(Op)
}

// memory returns the operand at base + disp, and indexed the one at base + scale·index.
func memory(base Op, disp int) Mem { return Mem{Base: base.(reg.Register), Disp: disp} }
func indexed(base, index Op, scale uint8) Mem {
	return Mem{Base: base.(reg.Register), Index: index.(reg.Register), Scale: scale}
}

// fetch loads 64 bits into a new register.
func fetch(m Mem) reg.GPVirtual {
	r := GP64()
	MOVQ(m, r)
	return r
}

func (width) loop(label string, n Op, body func()) {
	Label(label)
	body()
	DECQ(n)
	JNZ(LabelRef(label))
}

// open begins the version of f for a panel; panel is "" if f has no panels.
func (w width) open(f function, panel string) {
	name := f.version(panel, w.String())
	TEXT(name, NOSPLIT, f.signature)
	Doc(name + " " + f.doc)
	if strings.Contains(f.signature, "*") {
		Pragma("noescape")
	}
}

// argument loads a pointer or an integer argument.
func argument(name string) reg.Register { return Load(Param(name), GP64()) }

// leave emits the return. It first clears the upper halves of the vectors, which would
// delay the SSE instructions of Go code.
func (width) leave() {
	VZEROUPPER()
	RET()
}

// A table is a read-only table of constants.
type table struct {
	add   func(offset int, v Constant) // adds a constant to the assembly
	where map[string]int               // byte offset of words, by their text
	size  int                          // in bytes
}

// offset returns the offset of words in the table, a multiple of 16 bytes. If they are not in the table, it adds them.
func (t *table) offset(words ...uint32) int {
	key := fmt.Sprint(words)
	offset, ok := t.where[key]
	if !ok {
		offset = (t.size + 15) &^ 15
		for i, w := range words {
			t.add(offset+4*i, U32(w))
		}
		t.where[key], t.size = offset, offset+4*len(words)
	}
	return offset
}

// AVX constants have 32 bytes. Most are eight equal lanes, which AVX2 uses as an operand; AVX-512 broadcasts the first.
var constants = table{add: DATA, where: map[string]int{}}

// constant returns the operand for eight lanes.
func constant(lanes ...uint32) Mem {
	if constants.size == 0 {
		GLOBL("constants", RODATA|NOPTR)
	}
	return NewDataAddr(NewStaticSymbol("constants"), constants.offset(lanes...))
}

// word returns a constant with u in all eight lanes, and float one with f.
func word(u uint32) Mem   { return constant(slices.Repeat([]uint32{u}, 8)...) }
func float(f float32) Mem { return word(math.Float32bits(f)) }

// counters returns a constant of the four 64-bit lanes n, n + 2, n + 4 and n + 6.
func counters(n uint32) Mem { return constant(n, 0, n+2, 0, n+4, 0, n+6, 0) }
