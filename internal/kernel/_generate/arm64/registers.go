package arm64

import (
	"fmt"
	"math/bits"
	"strings"
)

// R is a general register of 64 bits.
type R uint8

func (r R) String() string { return fmt.Sprintf("R%d", uint8(r)) }

// V is a vector register of 128 bits. It prints as four lanes of 32 bits.
type V uint8

func (v V) String() string { return v.As("S4") }

// As is the register with another arrangement of lanes.
func (v V) As(lanes string) string { return fmt.Sprintf("V%d.%s", uint8(v), lanes) }

// Block is registers that follow each other.
type Block []V

func (b Block) String() string {
	names := make([]string, len(b))
	for i, v := range b {
		names[i] = v.String()
	}
	return "[" + strings.Join(names, ", ") + "]"
}

// freeR is the registers that a leaf function may change: not R16 and R17 (the
// linker's), R18 (the system's), R26 (closures), R27 (the assembler's), R28 (the
// goroutine), R29 (the frame pointer) and R30 (the return address).
const freeR = 1<<16 - 1 | 0x7f<<19

// R returns a register for the rest of the scope.
func (f *Func) R() R {
	n := bits.TrailingZeros32(freeR &^ f.usedR)
	if n == 32 {
		panic("arm64: no general register is left")
	}
	f.usedR |= 1 << n
	return R(n)
}

// V returns a vector register for the rest of the scope.
func (f *Func) V() V { return f.Block(1)[0] }

// Block returns n vector registers that follow each other for the rest of the
// scope.
func (f *Func) Block(n int) Block {
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

// Scope runs body and takes back the registers that it was given.
func (f *Func) Scope(body func()) {
	r, v := f.usedR, f.usedV
	body()
	f.usedR, f.usedV = r, v
}
