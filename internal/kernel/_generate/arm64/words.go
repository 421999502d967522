package arm64

import (
	"fmt"
	"strings"
)

// A word is an instruction that Go's assembler lacks. In its text, %d, %n and %m stand
// for registers, which are encoded at bits 0, 5 and 16, and %i for a number, which
// imm encodes.
type word struct {
	base uint32
	text string
	imm  func(i int) uint32
}

// rightShift encodes the distance of a right shift of 32-bit lanes, or the number of
// fraction bits of a conversion.
func rightShift(i int) uint32 { return uint32(64-i) << 16 }

// element encodes the number of a 32-bit lane.
func element(i int) uint32 { return uint32(i&1)<<21 | uint32(i>>1)<<11 }

var words = map[string]word{
	"fadd":    {0x4E20D400, "fadd v%d.4s, v%n.4s, v%m.4s", nil},
	"fsub":    {0x4EA0D400, "fsub v%d.4s, v%n.4s, v%m.4s", nil},
	"fmul":    {0x6E20DC00, "fmul v%d.4s, v%n.4s, v%m.4s", nil},
	"fdiv":    {0x6E20FC00, "fdiv v%d.4s, v%n.4s, v%m.4s", nil},
	"fsqrt":   {0x6EA1F800, "fsqrt v%d.4s, v%n.4s", nil},
	"fneg":    {0x6EA0F800, "fneg v%d.4s, v%n.4s", nil},
	"fcmeq0":  {0x4EA0D800, "fcmeq v%d.4s, v%n.4s, #0.0", nil},
	"fcmle0":  {0x6EA0D800, "fcmle v%d.4s, v%n.4s, #0.0", nil},
	"fcmlt0":  {0x4EA0E800, "fcmlt v%d.4s, v%n.4s, #0.0", nil},
	"fmule":   {0x4F809000, "fmul v%d.4s, v%n.4s, v%m.s[%i]", element},
	"fmlae":   {0x4F801000, "fmla v%d.4s, v%n.4s, v%m.s[%i]", element},
	"fmlse":   {0x4F805000, "fmls v%d.4s, v%n.4s, v%m.s[%i]", element},
	"scvtf":   {0x4E21D800, "scvtf v%d.4s, v%n.4s", nil},
	"scvtfx":  {0x4F00E400, "scvtf v%d.4s, v%n.4s, #%i", rightShift},
	"cmeq0":   {0x4EA09800, "cmeq v%d.4s, v%n.4s, #0", nil},
	"sshr":    {0x4F000400, "sshr v%d.4s, v%n.4s, #%i", rightShift},
	"bic":     {0x4E601C00, "bic v%d.16b, v%n.16b, v%m.16b", nil},
	"umulle":  {0x2F80A000, "umull v%d.2d, v%n.2s, v%m.s[%i]", element},
	"umull2e": {0x6F80A000, "umull2 v%d.2d, v%n.4s, v%m.s[%i]", element},
	"umaxv":   {0x6EB0A800, "umaxv s%d, v%n.4s", nil},
	"ldrq":    {0x3CE06800, "ldr q%d, [x%n, x%m]", nil},
	"strq":    {0x3CA06800, "str q%d, [x%n, x%m]", nil},
}

// word writes the instruction.
func (f *Func) word(name string, d, n, m uint8, i int) {
	w, ok := words[name]
	if !ok {
		panic("arm64: no instruction " + name)
	}
	code := w.base | uint32(m)<<16 | uint32(n)<<5 | uint32(d)
	if w.imm != nil {
		code |= w.imm(i)
	}
	text := strings.NewReplacer("%d", fmt.Sprint(d), "%n", fmt.Sprint(n), "%m", fmt.Sprint(m), "%i", fmt.Sprint(i)).Replace(w.text)
	f.Line("WORD $0x%08x // %s", code, text)
}

// Arithmetic on four float32s.

func (f *Func) Fadd(d, n, m V) { f.word("fadd", uint8(d), uint8(n), uint8(m), 0) }
func (f *Func) Fsub(d, n, m V) { f.word("fsub", uint8(d), uint8(n), uint8(m), 0) }
func (f *Func) Fmul(d, n, m V) { f.word("fmul", uint8(d), uint8(n), uint8(m), 0) }
func (f *Func) Fdiv(d, n, m V) { f.word("fdiv", uint8(d), uint8(n), uint8(m), 0) }
func (f *Func) Fsqrt(d, n V)   { f.word("fsqrt", uint8(d), uint8(n), 0, 0) }
func (f *Func) Fneg(d, n V)    { f.word("fneg", uint8(d), uint8(n), 0, 0) }

// FmulLane multiplies by lane i of m.
func (f *Func) FmulLane(d, n, m V, i int) { f.word("fmule", uint8(d), uint8(n), uint8(m), i) }

// FmlaLane adds the product of n and lane i of m to d.
func (f *Func) FmlaLane(d, n, m V, i int) { f.word("fmlae", uint8(d), uint8(n), uint8(m), i) }

// FmlsLane subtracts the product of n and lane i of m from d.
func (f *Func) FmlsLane(d, n, m V, i int) { f.word("fmlse", uint8(d), uint8(n), uint8(m), i) }

// Comparisons with zero, which set all bits of a lane if true. They are false for NaN.

func (f *Func) FcmeqZero(d, n V) { f.word("fcmeq0", uint8(d), uint8(n), 0, 0) }
func (f *Func) FcmleZero(d, n V) { f.word("fcmle0", uint8(d), uint8(n), 0, 0) }
func (f *Func) FcmltZero(d, n V) { f.word("fcmlt0", uint8(d), uint8(n), 0, 0) }

// Scvtf converts signed integers to float32.
func (f *Func) Scvtf(d, n V) { f.word("scvtf", uint8(d), uint8(n), 0, 0) }

// ScvtfFixed converts signed numbers with that many fraction bits to float32.
func (f *Func) ScvtfFixed(d, n V, bits int) { f.word("scvtfx", uint8(d), uint8(n), 0, bits) }

// CmeqZero sets all bits of a lane if the integer is zero.
func (f *Func) CmeqZero(d, n V) { f.word("cmeq0", uint8(d), uint8(n), 0, 0) }

// Sshr shifts signed integers right.
func (f *Func) Sshr(d, n V, bits int) { f.word("sshr", uint8(d), uint8(n), 0, bits) }

// Bic computes n &^ m.
func (f *Func) Bic(d, n, m V) { f.word("bic", uint8(d), uint8(n), uint8(m), 0) }

// UmullLane multiplies the two low lanes, as unsigned integers, by lane i of m.
func (f *Func) UmullLane(d, n, m V, i int) { f.word("umulle", uint8(d), uint8(n), uint8(m), i) }

// Umull2Lane multiplies the two high lanes.
func (f *Func) Umull2Lane(d, n, m V, i int) { f.word("umull2e", uint8(d), uint8(n), uint8(m), i) }

// Umaxv sets lane 0 to the largest lane as an unsigned integer.
func (f *Func) Umaxv(d, n V) { f.word("umaxv", uint8(d), uint8(n), 0, 0) }

// LoadAt loads the vector at base + offset.
func (f *Func) LoadAt(d V, base, offset R) { f.word("ldrq", uint8(d), uint8(base), uint8(offset), 0) }

// StoreAt stores the vector at base + offset.
func (f *Func) StoreAt(d V, base, offset R) { f.word("strq", uint8(d), uint8(base), uint8(offset), 0) }
