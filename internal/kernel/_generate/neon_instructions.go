package main

import (
	"fmt"
	"strings"

	. "github.com/mmcloughlin/avo/operand"
)

// Op writes an instruction. Its operands are registers, numbers or labels, the destination first. The name is a key of
// words or a name of Go's assembler, with a dot and the arrangement of any vector registers, as in VADD.S4.
func (w *neon) Op(name string, operands ...any) {
	if e, ok := words[name]; ok {
		w.encode(e, operands)
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
	w.Line("%s", strings.TrimSpace(op+" "+strings.Join(texts, ", ")))
}

// argument loads a parameter, a pointer or an integer of 64 bits.
func (w *neon) argument(name string) Op { return w.loadArg("MOVD", name) }

func (w *neon) loadArg(op, name string) Op {
	r := w.reg()
	w.Line("%s %s, %s", op, parameter(w.Param(name)), r)
	return r
}

// address loads the address of words in the table of constants.
func (w *neon) address(words ...uint32) Op {
	r := w.reg()
	w.Line("MOVD $constants<>+%d(SB), %s", w.table.offset(words...), r)
	return r
}

// constant returns a new register with a word in each lane.
func (w *neon) constant(word uint32) V {
	v := w.V()
	w.scope(func() { w.Broadcast(v, w.address(word)) })
	return v
}

// Loads loads a block; Stores stores one. Those with Next then add the block's size to base; those with Step add step.
func (w *neon) Loads(d Block, base any)            { w.Line("VLD1 (%s), %s", base, d) }
func (w *neon) Stores(d Block, base any)           { w.Line("VST1 %s, (%s)", d, base) }
func (w *neon) LoadsNext(d Block, base any)        { w.Line("VLD1.P %d(%s), %s", 16*len(d), base, d) }
func (w *neon) StoresNext(d Block, base any)       { w.Line("VST1.P %s, %d(%s)", d, 16*len(d), base) }
func (w *neon) LoadsStep(d Block, base, step any)  { w.Line("VLD1.P (%s)(%s), %s", base, step, d) }
func (w *neon) StoresStep(d Block, base, step any) { w.Line("VST1.P %s, (%s)(%s)", d, base, step) }

// LoadLane loads lane i and keeps the others. StoreLane stores lane i.
func (w *neon) LoadLane(d V, i int, base any)  { w.Line("VLD1 (%s), V%d.S[%d]", base, d, i) }
func (w *neon) StoreLane(d V, i int, base any) { w.Line("VST1 V%d.S[%d], (%s)", d, i, base) }

// LoadScalar loads the number at base + offset into lane 0; the other lanes become 0.
func (w *neon) LoadScalar(d V, base, offset any) { w.Line("FMOVS (%s)(%s), F%d", base, offset, d) }

// Broadcast loads the number at base into each lane.
func (w *neon) Broadcast(d V, base any) { w.Line("VLD1R (%s), [%s]", base, d) }

// Zero sets all lanes of d to zero.
func (w *neon) Zero(d V) { w.Op("VEOR.B16", d, d, d) }

// An encoding is an instruction that Go's assembler lacks, as it lacks most floating-point instructions on vectors
// (go.dev/issue/41092). It is written as WORD, with the instruction in GNU syntax as a comment, which a test compares
// with the output of disassemblers. base is the instruction without operands. In text, %d, %n and %m stand for
// registers, which are encoded at bits 0, 5 and 16, and %i for a number, which imm encodes.
type encoding struct {
	base uint32
	text string
	imm  func(i int) uint32
}

// rightShift encodes the distance of a right shift of 32-bit lanes, or the number of fraction bits of a conversion.
func rightShift(i int) uint32 { return uint32(64-i) << 16 }

// laneNumber encodes the number of a 32-bit lane.
func laneNumber(i int) uint32 { return uint32(i&1)<<21 | uint32(i>>1)<<11 }

// words has the instructions by name. Comparisons with zero set all bits of lanes for which they are true.
var words = map[string]encoding{
	"fadd":       {0x4E20D400, "fadd v%d.4s, v%n.4s, v%m.4s", nil},
	"fsub":       {0x4EA0D400, "fsub v%d.4s, v%n.4s, v%m.4s", nil},
	"fmul":       {0x6E20DC00, "fmul v%d.4s, v%n.4s, v%m.4s", nil},
	"fdiv":       {0x6E20FC00, "fdiv v%d.4s, v%n.4s, v%m.4s", nil},
	"fsqrt":      {0x6EA1F800, "fsqrt v%d.4s, v%n.4s", nil},
	"fneg":       {0x6EA0F800, "fneg v%d.4s, v%n.4s", nil},
	"fcmeqZero":  {0x4EA0D800, "fcmeq v%d.4s, v%n.4s, #0.0", nil},
	"fcmleZero":  {0x6EA0D800, "fcmle v%d.4s, v%n.4s, #0.0", nil},
	"fcmltZero":  {0x4EA0E800, "fcmlt v%d.4s, v%n.4s, #0.0", nil},
	"fmulLane":   {0x4F809000, "fmul v%d.4s, v%n.4s, v%m.s[%i]", laneNumber},
	"fmlaLane":   {0x4F801000, "fmla v%d.4s, v%n.4s, v%m.s[%i]", laneNumber},
	"fmlsLane":   {0x4F805000, "fmls v%d.4s, v%n.4s, v%m.s[%i]", laneNumber},
	"scvtf":      {0x4E21D800, "scvtf v%d.4s, v%n.4s", nil},
	"scvtfFixed": {0x4F00E400, "scvtf v%d.4s, v%n.4s, #%i", rightShift},
	"cmeqZero":   {0x4EA09800, "cmeq v%d.4s, v%n.4s, #0", nil},
	"sshr":       {0x4F000400, "sshr v%d.4s, v%n.4s, #%i", rightShift},
	"bic":        {0x4E601C00, "bic v%d.16b, v%n.16b, v%m.16b", nil},
	"umullLane":  {0x2F80A000, "umull v%d.2d, v%n.2s, v%m.s[%i]", laneNumber},
	"umull2Lane": {0x6F80A000, "umull2 v%d.2d, v%n.4s, v%m.s[%i]", laneNumber},
	"umaxv":      {0x6EB0A800, "umaxv s%d, v%n.4s", nil},
	"ldrq":       {0x3CE06800, "ldr q%d, [x%n, x%m]", nil},
	"strq":       {0x3CA06800, "str q%d, [x%n, x%m]", nil},
}

// encode writes an instruction with its registers and, if it has one, its number.
func (w *neon) encode(e encoding, operands []any) {
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
	code := e.base | m<<16 | n<<5 | d
	if e.imm != nil {
		code |= e.imm(i)
	}
	text := strings.NewReplacer("%d", fmt.Sprint(d), "%n", fmt.Sprint(n), "%m", fmt.Sprint(m), "%i", fmt.Sprint(i)).Replace(e.text)
	w.Line("WORD $0x%08x // %s", code, text)
}
