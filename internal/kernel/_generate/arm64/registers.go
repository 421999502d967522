package arm64

import (
	"fmt"
	"math/bits"
	"strings"
)

// R is a general register of 64 bits.
type R uint8

func (r R) String() string { return fmt.Sprintf("R%d", uint8(r)) }

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
func (f *Func) R() R {
	n := bits.TrailingZeros32(freeR &^ f.usedR)
	if n == 32 {
		panic("arm64: no general register is left")
	}
	f.usedR |= 1 << n
	return R(n)
}

// V allocates a vector register until the end of the scope.
func (f *Func) V() V { return f.Block(1)[0] }

// Block allocates n vector registers with consecutive numbers until the end of the
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

// Scope runs body and releases the registers that it allocated.
func (f *Func) Scope(body func()) {
	r, v := f.usedR, f.usedV
	body()
	f.usedR, f.usedV = r, v
}
