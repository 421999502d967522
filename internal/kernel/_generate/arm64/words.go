package arm64

import (
	"fmt"
	"strings"
)

// A word is an instruction that Go's assembler lacks. Comparisons with zero set all bits of a lane if true. In its text,
// %d, %n and %m stand for registers, which are encoded at bits 0, 5 and 16, and %i for a number, which imm encodes.
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
	"fadd":       {0x4E20D400, "fadd v%d.4s, v%n.4s, v%m.4s", nil},
	"fsub":       {0x4EA0D400, "fsub v%d.4s, v%n.4s, v%m.4s", nil},
	"fmul":       {0x6E20DC00, "fmul v%d.4s, v%n.4s, v%m.4s", nil},
	"fdiv":       {0x6E20FC00, "fdiv v%d.4s, v%n.4s, v%m.4s", nil},
	"fsqrt":      {0x6EA1F800, "fsqrt v%d.4s, v%n.4s", nil},
	"fneg":       {0x6EA0F800, "fneg v%d.4s, v%n.4s", nil},
	"fcmeqZero":  {0x4EA0D800, "fcmeq v%d.4s, v%n.4s, #0.0", nil},
	"fcmleZero":  {0x6EA0D800, "fcmle v%d.4s, v%n.4s, #0.0", nil},
	"fcmltZero":  {0x4EA0E800, "fcmlt v%d.4s, v%n.4s, #0.0", nil},
	"fmulLane":   {0x4F809000, "fmul v%d.4s, v%n.4s, v%m.s[%i]", element},
	"fmlaLane":   {0x4F801000, "fmla v%d.4s, v%n.4s, v%m.s[%i]", element},
	"fmlsLane":   {0x4F805000, "fmls v%d.4s, v%n.4s, v%m.s[%i]", element},
	"scvtf":      {0x4E21D800, "scvtf v%d.4s, v%n.4s", nil},
	"scvtfFixed": {0x4F00E400, "scvtf v%d.4s, v%n.4s, #%i", rightShift},
	"cmeqZero":   {0x4EA09800, "cmeq v%d.4s, v%n.4s, #0", nil},
	"sshr":       {0x4F000400, "sshr v%d.4s, v%n.4s, #%i", rightShift},
	"bic":        {0x4E601C00, "bic v%d.16b, v%n.16b, v%m.16b", nil},
	"umullLane":  {0x2F80A000, "umull v%d.2d, v%n.2s, v%m.s[%i]", element},
	"umull2Lane": {0x6F80A000, "umull2 v%d.2d, v%n.4s, v%m.s[%i]", element},
	"umaxv":      {0x6EB0A800, "umaxv s%d, v%n.4s", nil},
	"ldrq":       {0x3CE06800, "ldr q%d, [x%n, x%m]", nil},
	"strq":       {0x3CA06800, "str q%d, [x%n, x%m]", nil},
}

// word writes an instruction with its registers and, if it has one, its number.
func (f *Func) word(w word, operands []any) {
	var registers [3]uint32
	i := 0
	for k, o := range operands {
		switch o := o.(type) {
		case V:
			registers[k] = uint32(o)
		case R:
			registers[k] = uint32(o)
		case int:
			i = o
		}
	}
	d, n, m := registers[0], registers[1], registers[2]
	code := w.base | m<<16 | n<<5 | d
	if w.imm != nil {
		code |= w.imm(i)
	}
	text := strings.NewReplacer("%d", fmt.Sprint(d), "%n", fmt.Sprint(n), "%m", fmt.Sprint(m), "%i", fmt.Sprint(i)).Replace(w.text)
	f.Line("WORD $0x%08x // %s", code, text)
}
