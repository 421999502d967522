package arm64

import (
	"fmt"
	"strings"
)

// Op writes an instruction. Its operands are registers, numbers or labels, the destination first. The name is a key of words or a name
// of Go's assembler. If such an instruction has vector registers, a dot and their arrangement follow the name, as in VADD.S4.
func (f *File) Op(name string, operands ...any) {
	if w, ok := words[name]; ok {
		f.word(w, operands)
		return
	}
	op, lanes, _ := strings.Cut(name, ".")
	texts := make([]string, len(operands))
	for i, o := range operands {
		text := fmt.Sprint(o)
		switch o := o.(type) {
		case V:
			text = o.As(lanes)
		case int:
			text = fmt.Sprintf("$%d", o)
		}
		texts[len(texts)-1-i] = text
	}
	f.Line("%s", strings.TrimSpace(op+" "+strings.Join(texts, ", ")))
}

// Arg loads a parameter, a pointer or an integer of 64 bits.
func (f *File) Arg(name string) R { return f.loadArg("MOVD", name) }

// ArgHalf loads a uint16.
func (f *File) ArgHalf(name string) R { return f.loadArg("MOVHU", name) }

func (f *File) loadArg(op, name string) R {
	r := f.R()
	f.Line("%s %s, %s", op, parameter(f.Param(name)), r)
	return r
}

// ArgFloat loads a float32 into lane 0.
func (f *File) ArgFloat(d V, name string) { f.Line("FMOVS %s, F%d", parameter(f.Param(name)), d) }

// Return stores r as the result, a uint32, and returns.
func (f *File) Return(r R) {
	f.Line("MOVW %s, %s", r, parameter(f.ReturnIndex(0)))
	f.Op("RET")
}

// Address loads the address of the constants at an offset that Constants has returned.
func (f *File) Address(offset int) R {
	r := f.R()
	f.Line("MOVD $constants<>+%d(SB), %s", offset, r)
	return r
}

// Select sets d to n if the condition holds, else to m.
func (f *File) Select(condition string, d, n, m R) { f.Line("CSEL %s, %s, %s, %s", condition, n, m, d) }

// Loads loads a block, and Stores stores one. Those with Next then add the block's size to base; those with Step add step.
func (f *File) Loads(d Block, base any)            { f.Line("VLD1 (%s), %s", base, d) }
func (f *File) Stores(d Block, base any)           { f.Line("VST1 %s, (%s)", d, base) }
func (f *File) LoadsNext(d Block, base any)        { f.Line("VLD1.P %d(%s), %s", 16*len(d), base, d) }
func (f *File) StoresNext(d Block, base any)       { f.Line("VST1.P %s, %d(%s)", d, 16*len(d), base) }
func (f *File) LoadsStep(d Block, base, step any)  { f.Line("VLD1.P (%s)(%s), %s", base, step, d) }
func (f *File) StoresStep(d Block, base, step any) { f.Line("VST1.P %s, (%s)(%s)", d, base, step) }

// LoadLane loads lane i and keeps the others. StoreLane stores lane i.
func (f *File) LoadLane(d V, i int, base any)  { f.Line("VLD1 (%s), V%d.S[%d]", base, d, i) }
func (f *File) StoreLane(d V, i int, base any) { f.Line("VST1 V%d.S[%d], (%s)", d, i, base) }

// LoadScalar loads the number at base + offset into lane 0; the other lanes become 0.
func (f *File) LoadScalar(d V, base, offset any) { f.Line("FMOVS (%s)(%s), F%d", base, offset, d) }

// Broadcast loads the number at base into each lane.
func (f *File) Broadcast(d V, base any) { f.Line("VLD1R (%s), [%s]", base, d) }

// Zero sets all lanes of d to zero.
func (f *File) Zero(d V) { f.Op("VEOR.B16", d, d, d) }

// A word is an instruction that Go's assembler lacks. base is its encoding without operands. In its text, %d, %n and %m stand for
// registers, which are encoded at bits 0, 5 and 16, and %i for a number, which imm encodes.
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

// words has the instructions by name. Comparisons with zero set all bits of lanes for which they are true.
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
func (f *File) word(w word, operands []any) {
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
