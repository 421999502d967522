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

// open begins f's version for a panel ("" if f has no panels). The version has no stack frame and calls no functions.
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
