// Package arm64 writes Go assembly for arm64 with NEON. Go's assembler lacks most
// floating-point instructions on vectors (go.dev/issue/41092). This package writes them
// as WORD, with the instruction in GNU syntax as a comment. A test compares these comments
// with the output of disassemblers.
//
// Operands are in the order of the architecture manual, the destination first. A register
// is allocated until the end of the current scope.
package arm64

import (
	"fmt"
	"math/bits"
	"os"
	"strings"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/gotypes"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/printer"
)

// A File is an assembly file with the Go declarations of its functions, which have no
// stack frame and call no other functions.
type File struct {
	*build.Context
	where        map[string]int // byte offset of words in the table of constants, by the text of the words
	size         int            // size of the table in bytes
	usedR, usedV uint32         // registers in use, as bits
}

// NewFile returns an empty file for builds that satisfy the constraint.
func NewFile(constraint string) *File {
	f := &File{Context: build.NewContext(), where: map[string]int{}}
	f.ConstraintExpr(constraint)
	f.StaticGlobal("constants")
	f.DataAttributes(attr.RODATA | attr.NOPTR)
	return f
}

// Write writes the assembly and the declarations.
func (f *File) Write(assembly, stubs string) error {
	file, err := f.Result()
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

// Constants returns the offset of words in the read-only table, a multiple of 16 bytes. If
// they are not in the table, it adds them.
func (f *File) Constants(words ...uint32) (offset int) {
	key := fmt.Sprint(words)
	offset, ok := f.where[key]
	if !ok {
		offset = (f.size + 15) &^ 15
		for i, w := range words {
			f.AddDatum(offset+4*i, operand.U32(w))
		}
		f.where[key], f.size = offset, offset+4*len(words)
	}
	return offset
}

// Begin begins a function. The comment of its declaration is name and doc.
func (f *File) Begin(name, doc, signature string) {
	f.Function(name)
	f.Attributes(attr.NOSPLIT)
	f.SignatureExpr(signature)
	f.Doc(name + " " + doc)
	if strings.Contains(signature, "*") {
		f.Pragma("noescape")
	}
	f.usedR, f.usedV = 0, 0
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

// Line writes an instruction, with the operands in the order of Go's assembler: the destination last.
func (f *File) Line(format string, arguments ...any) {
	name, operands, _ := strings.Cut(fmt.Sprintf(format, arguments...), " ")
	i := &ir.Instruction{Opcode: name}
	if operands != "" {
		i.Operands = []operand.Op{text(operands)}
	}
	f.Instruction(i)
}

// R is a general register of 64 bits.
type R uint8

func (r R) String() string { return fmt.Sprintf("R%d", uint8(r)) }

// Asm makes a register an operand of avo.
func (r R) Asm() string { return r.String() }

// V is a vector register of 128 bits. Its String has four lanes of 32 bits.
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

// R allocates a general register until the end of the scope.
func (f *File) R() R {
	n := bits.TrailingZeros32(freeR &^ f.usedR)
	if n == 32 {
		panic("arm64: no general register is left")
	}
	f.usedR |= 1 << n
	return R(n)
}

// V allocates a vector register until the end of the scope.
func (f *File) V() V { return f.Block(1)[0] }

// Block allocates n consecutive vector registers until the end of the scope.
func (f *File) Block(n int) Block {
	b := make(Block, n)
	for first := 0; first+n <= 32; first++ {
		mask := uint32((1<<n - 1) << first)
		if f.usedV&mask != 0 {
			continue
		}
		f.usedV |= mask
		for i := range b {
			b[i] = V(first + i)
		}
		return b
	}
	panic(fmt.Sprintf("arm64: no %d vector registers in a row are left", n))
}

// Scope runs body and releases the registers that it allocated.
func (f *File) Scope(body func()) {
	r, v := f.usedR, f.usedV
	body()
	f.usedR, f.usedV = r, v
}
