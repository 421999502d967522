package main

import (
	"fmt"
	"strings"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// width is a vector's size in bytes; it stands for the instruction set too.
type width int

const (
	avx2q  width = 16 // AVX2 on vectors of four
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

// vec is a fresh vector register.
func (w width) vec() reg.VecVirtual {
	switch w {
	case avx512:
		return ZMM()
	case avx2q:
		return XMM()
	}
	return YMM()
}

// broadcast fills a fresh register with the float32 at m.
func (w width) broadcast(m Mem) reg.VecVirtual {
	v := w.vec()
	VBROADCASTSS(m, v)
	return v
}

// zero is a fresh register of zeros.
func (w width) zero() reg.VecVirtual {
	if w == avx512 {
		// avo does not know that VPXORD of a register with itself reads
		// nothing, and would keep the register from everything before.
		return w.broadcast(word(0))
	}
	v := YMM()
	VXORPS(v, v, v)
	return v
}

// A panel is a band of columns that fills `full` vectors and perhaps one more
// in part. In AVX-512 the last, partial vector may be half as wide: on
// processors that split wide vectors in two it costs half.
type panel struct {
	width
	full   int
	masked bool
	narrow bool

	k reg.Register // the mask: a mask register in AVX-512, a vector in AVX2
}

func (p *panel) vectors() int {
	if p.masked {
		return p.full + 1
	}
	return p.full
}

// name tells panels apart in function names: 3 full vectors, 3 and a masked
// one (3M), 3 and a masked one of half width (3N), 1 of four (1Q).
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

// loadMask fetches the mask from the two fields at m: bits, and a pointer to
// lanes of ones and zeros.
func (p *panel) loadMask(bits, lanes Mem) {
	switch {
	case !p.masked:
	case p.width == avx512:
		k := K()
		KMOVW(bits, k)
		p.k = k
	default:
		ptr := GP64()
		MOVQ(lanes, ptr)
		y := YMM()
		VMOVUPS(Mem{Base: ptr}, y)
		p.k = y
	}
}

// partial reports whether vector s is the masked one.
func (p *panel) partial(s int) bool { return p.masked && s == p.full }

// view is register v as wide as vector s is.
func (p *panel) view(s int, v reg.VecVirtual) reg.Register {
	if p.narrow && p.partial(s) {
		return v.AsY()
	}
	return v
}

// at is the address of vector s from the one in base.
func (p *panel) at(base reg.Register, s int) Mem {
	return Mem{Base: base, Disp: s * int(p.width)}
}

// load reads vector s; lanes outside the mask become zero and are not touched
// in memory.
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

// store writes vector s within the mask.
func (p *panel) store(v reg.VecVirtual, s int, m Mem) {
	switch {
	case !p.partial(s):
		VMOVUPS(v, m)
	case p.width == avx512:
		VMOVUPS(p.view(s, v), p.k, m)
	default:
		VMASKMOVPS(v, p.k, m)
	}
}

// add sets v += vector s at m.
func (p *panel) add(m Mem, s int, v reg.VecVirtual) {
	if !p.partial(s) {
		VADDPS(m, v, v)
		return
	}
	t := p.vec()
	p.load(m, s, t)
	VADDPS(p.view(s, t), p.view(s, v), p.view(s, v))
}

// panels512 lists the panels of AVX-512: up to seven vectors, the last one
// masked (the mask may be full).
func panels512() []panel {
	var ps []panel
	for full := range 7 {
		ps = append(ps, panel{width: avx512, full: full, masked: true},
			panel{width: avx512, full: full, masked: true, narrow: true})
	}
	return ps
}

// loop emits a loop: body runs n times, n ≥ 1, and may use n.
func loop(label string, n reg.Register, body func()) {
	Label(label)
	body()
	DECQ(n)
	JNZ(LabelRef(label))
}

// x86 lists the functions for amd64.
var x86 versions

// open begins the version of f for a panel, "" if it has none.
func (w width) open(f function, panel string) {
	name := x86.add(f, panel, w.String())
	TEXT(name, NOSPLIT, f.signature)
	Doc(name + " " + f.doc)
	if strings.Contains(f.signature, "*") {
		Pragma("noescape")
	}
}

// argument loads a pointer or integer argument.
func argument(name string) reg.Register { return Load(Param(name), GP64()) }

// leave returns. The upper halves of the vectors are cleared first: otherwise
// the SSE instructions of Go code would wait for them.
func leave() {
	VZEROUPPER()
	RET()
}
