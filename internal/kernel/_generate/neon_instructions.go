package main

import (
	"fmt"
	"math/bits"
	"os"
	"strings"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/gotypes"
	"github.com/mmcloughlin/avo/ir"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/printer"
)

// Op writes an instruction. Its operands are registers, numbers or labels, the destination first. The name is a key of words or a name
// of Go's assembler. After the latter follow a dot and the arrangement of the vector registers, if there are any, as in VADD.S4.
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

// Loads loads a block, and Stores stores one. Those with Next then add the block's size to base; those with Step add step.
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
// (go.dev/issue/41092). It is written as WORD, with the instruction in GNU syntax as a comment, which a test compares with the output
// of disassemblers. base is the instruction without operands. In text, %d, %n and %m stand for registers, which are encoded at bits 0,
// 5 and 16, and %i for a number, which imm encodes.
type encoding struct {
	base uint32
	text string
	imm  func(i int) uint32
}

// rightShift encodes the distance of a right shift of 32-bit lanes, or the number of
// fraction bits of a conversion.
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

// Write writes the assembly and the declarations of its functions.
func (w *neon) Write(assembly, stubs string) error {
	file, err := w.Result()
	if err != nil {
		return err
	}
	file.Includes = []string{"textflag.h"}
	c := printer.Config{Name: "command: go generate", Pkg: "kernel"}
	for path, p := range map[string]printer.Printer{assembly: printer.NewGoAsm(c), stubs: printer.NewStubs(c)} {
		text, err := p.Print(file)
		if err != nil {
			return err
		}
		if err := os.WriteFile(path, text, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// open begins the version of f for a panel; panel is "" if f has no panels. The version has no stack frame and calls no functions.
func (w *neon) open(f function, panel string) {
	name := f.version(panel, "NEON")
	w.Function(name)
	w.Attributes(attr.NOSPLIT)
	w.SignatureExpr(f.signature)
	w.Doc(name + " " + f.doc)
	if strings.Contains(f.signature, "*") {
		w.Pragma("noescape")
	}
	w.usedR, w.usedV = 0, 0
}

// parameter returns the operand for a parameter or a result.
func parameter(c gotypes.Component) string {
	b, err := c.Resolve()
	if err != nil {
		panic(err)
	}
	return b.Addr.Asm()
}

// A text holds the operands of an instruction.
type text string

func (t text) Asm() string { return string(t) }

// Line writes an instruction. Its operands are in the order of Go's assembler, the destination last.
func (w *neon) Line(format string, arguments ...any) {
	name, operands, _ := strings.Cut(fmt.Sprintf(format, arguments...), " ")
	i := &ir.Instruction{Opcode: name}
	if operands != "" {
		i.Operands = []Op{text(operands)}
	}
	w.Instruction(i)
}

// An R is a general register of 64 bits.
type R uint8

func (r R) String() string { return fmt.Sprintf("R%d", uint8(r)) }

// Asm makes a register an operand of avo.
func (r R) Asm() string { return r.String() }

// V is a vector register of 128 bits. Its String names four lanes of 32 bits, as in V3.S4.
type V uint8

func (v V) String() string { return v.As("S4") }

// As returns the register with an arrangement of lanes.
func (v V) As(lanes string) string { return fmt.Sprintf("V%d.%s", uint8(v), lanes) }

// A Block is a sequence of vector registers with consecutive numbers.
type Block []V

func (b Block) String() string {
	names := make([]string, len(b))
	for i, v := range b {
		names[i] = v.String()
	}
	return "[" + strings.Join(names, ", ") + "]"
}

// freeR is the set of registers that a function without a frame may change. It
// excludes R16 and R17 (linker), R18 (operating system), R26 (closure), R27
// (assembler), R28 (goroutine), R29 (frame pointer) and R30 (return address).
const freeR = 1<<16 - 1 | 0x7f<<19

// reg allocates a general register until the end of the scope.
func (w *neon) reg() Op {
	n := bits.TrailingZeros32(freeR &^ w.usedR)
	if n == 32 {
		panic("NEON: no general register is left")
	}
	w.usedR |= 1 << n
	return R(n)
}

// V allocates a vector register until the end of the scope.
func (w *neon) V() V { return w.Block(1)[0] }

// Block allocates n consecutive vector registers until the end of the scope.
func (w *neon) Block(n int) Block {
	b := make(Block, n)
	for first := 0; first+n <= 32; first++ {
		mask := uint32((1<<n - 1) << first)
		if w.usedV&mask != 0 {
			continue
		}
		w.usedV |= mask
		for i := range b {
			b[i] = V(first + i)
		}
		return b
	}
	panic(fmt.Sprintf("NEON: no %d vector registers in a row are left", n))
}

// scope runs body and releases the registers that it allocated.
func (w *neon) scope(body func()) {
	r, v := w.usedR, w.usedV
	body()
	w.usedR, w.usedV = r, v
}
