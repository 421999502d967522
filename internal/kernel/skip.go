package kernel

import "unsafe"

const (
	// skipDepth is the largest number of rows of B in a block, which fits into the first-level cache. A row of A has as
	// many elements that are multiplied with a block, and a word of nonzeros has a bit for each of them.
	skipDepth = 64
	// skipRows is the largest number of rows of C per call of skipAsm.
	skipRows = 128
)

// packedSize is the capacity of a packed matrix in float32s: 32 KiB, the size of a first-level cache.
const packedSize = 8 << 10

// A packed matrix is a copy of one panel of columns. Its rows consist of whole aligned
// vectors, so that no vector crosses a cache line.
type packed struct {
	space [packedSize + 15]float32
	ld    int // in bytes
}

// pack copies one panel of columns of b and returns the address of the copy. If the
// rows of b are already aligned, it copies nothing and returns &b[0]. It sets s.ld to
// the leading dimension of the matrix at the address that it returns.
func (s *packed) pack(b []float32, ldb, rows int, p panel) (first *float32) {
	line := func(x *float32) uintptr { return uintptr(unsafe.Pointer(x)) / 4 % 16 }
	if ldb%16 == 0 && line(&b[0]) == 0 && len(b) >= (rows-1)*ldb+(p.columns+15)&^15 {
		s.ld = 4 * ldb
		return &b[0]
	}
	first = &s.space[(16-line(&s.space[0]))%16]
	lanes := machines[active].lanes
	full := (p.columns - 1) / lanes
	s.ld = 4 * lanes * (full + 1)
	packRowsAsm(first, &b[0], 4*ldb, rows, full, uint16(p.last), p.lanes)
	return first
}

// nonzeros sets bit p of bits[i] if element (i, p) of the m×k matrix a is not zero, and
// clears the bit if the element is zero.
func nonzeros(bits *[skipRows]uint64, a []float32, ars, acs, m, k int) {
	switch lanes := machines[active].wide; {
	case acs == 1 && k >= lanes:
		nonzeroRowsAsm(&bits[0], &a[0], 4*ars, m, k)
	case ars == 1 && m >= lanes:
		for i := 0; ; i = min(i+lanes, m-lanes) {
			nonzeroColumnsAsm(&bits[i], &a[i], 4*acs, k)
			if i == m-lanes {
				break
			}
		}
	default:
		for i := range m {
			bits[i] = 0
			for p := range k {
				if a[i*ars+p*acs] != 0 {
					bits[i] |= 1 << p
				}
			}
		}
	}
}
