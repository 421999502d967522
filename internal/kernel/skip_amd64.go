//go:build amd64 && !noasm

package kernel

import (
	"math"
	"unsafe"
)

const (
	// skipDepth is how much of k is done at once: a word of bits for a row of
	// A, and few enough rows of B for the first-level cache.
	skipDepth = 64
	// skipRows is how many rows of C one call works on.
	skipRows = 128
)

// packedSize is what a packed matrix may hold: as much as a first-level cache.
const packedSize = 8 << 10

// A packed matrix is a copy of one panel of columns, in whole vectors that start
// at a multiple of their size, so that none crosses a cache line.
type packed struct {
	space [packedSize + 15]float32
	ld    int // in bytes
}

// pack returns a packed copy of one panel of columns of b, or b itself where that
// is as good.
func (s *packed) pack(b []float32, ldb, rows, columns int) (first *float32) {
	line := func(x *float32) uintptr { return uintptr(unsafe.Pointer(x)) / 4 % 16 }
	if ldb%16 == 0 && line(&b[0]) == 0 && len(b) >= (rows-1)*ldb+(columns+15)&^15 {
		s.ld = 4 * ldb
		return &b[0]
	}
	first = &s.space[(16-line(&s.space[0]))%16]
	if active == avx512 {
		kind, mask := shape512(columns)
		full := kind / 2
		s.ld = 64 * (full + 1)
		packRowsAVX512(first, &b[0], 4*ldb, rows, full, uint16(mask), nil)
	} else {
		full := (columns - 1) / 8
		s.ld = 32 * (full + 1)
		packRowsAVX2(first, &b[0], 4*ldb, rows, full, 0, &maskLanes[8-(columns-8*full)])
	}
	return first
}

// multiplySkip is multiply where zeros of A are left out.
func multiplySkip(c []float32, ldc int, a []float32, ars, acs int, b []float32, ldb int, m, n, k int, e ends) {
	whole := product{ldc: 4 * ldc, ars: 4 * ars, acs: 4 * acs, ldh: 4 * e.ldh, floor: float32(math.Inf(-1))}
	blocks := (k + skipDepth - 1) / skipDepth
	depth := (k + blocks - 1) / blocks
	var space packed
	var bits [skipRows]uint64
	for j := 0; j < n; {
		columns := panelSkip(n, n-j)
		t := whole
		switch {
		case e.bias != nil:
			t.init = &e.bias[j]
		case e.clear:
			t.init = &zeros[0]
		}
		for p := 0; p < k; p += depth {
			t.k = min(depth, k-p)
			t.b = space.pack(b[p*ldb+j:], ldb, t.k, columns)
			t.ldb = space.ld
			if p > 0 {
				t.init = nil // go on from C
			}
			last := p+t.k == k
			if last && e.relu {
				t.floor = 0
			}
			for i := 0; i < m; i += skipRows {
				t.m = min(skipRows, m-i)
				t.c, t.a = &c[i*ldc+j], &a[i*ars+p*acs]
				if last && e.h != nil {
					t.h = &e.h[i*e.ldh+j]
				}
				nonzeros(&bits, a[i*ars+p*acs:], ars, acs, t.m, t.k)
				t.bits = &bits[0]
				skipPanel(&t, columns)
			}
		}
		j += columns
	}
}

// nonzeros sets bit p of bits[i] where element (i, p) of the m×k matrix a is
// not zero.
func nonzeros(bits *[skipRows]uint64, a []float32, ars, acs, m, k int) {
	switch {
	case acs == 1 && k >= lanes():
		if active == avx512 {
			nonzeroRowsAVX512(&bits[0], &a[0], 4*ars, m, k)
		} else {
			nonzeroRowsAVX2(&bits[0], &a[0], 4*ars, m, k)
		}
	case ars == 1 && m >= lanes():
		for i := 0; ; i = min(i+lanes(), m-lanes()) {
			if active == avx512 {
				nonzeroColumnsAVX512(&bits[i], &a[i], 4*acs, k)
			} else {
				nonzeroColumnsAVX2(&bits[i], &a[i], 4*acs, k)
			}
			if i == m-lanes() {
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

// panelSkip is the width of the next panel when left of n columns are left.
func panelSkip(n, left int) int {
	if active == avx512 {
		return min(left, panel512(n))
	}
	vectors := (n + 7) / 8
	panels := (vectors + 12) / 13
	return min(left, 8*((vectors+panels-1)/panels))
}

func skipPanel(t *product, columns int) {
	if active == avx2 {
		full := (columns - 1) / 8
		t.lanes = &maskLanes[8-(columns-8*full)]
		switch full {
		case 0:
			skip0MAVX2(t.byte())
		case 1:
			skip1MAVX2(t.byte())
		case 2:
			skip2MAVX2(t.byte())
		case 3:
			skip3MAVX2(t.byte())
		case 4:
			skip4MAVX2(t.byte())
		case 5:
			skip5MAVX2(t.byte())
		case 6:
			skip6MAVX2(t.byte())
		case 7:
			skip7MAVX2(t.byte())
		case 8:
			skip8MAVX2(t.byte())
		case 9:
			skip9MAVX2(t.byte())
		case 10:
			skip10MAVX2(t.byte())
		case 11:
			skip11MAVX2(t.byte())
		case 12:
			skip12MAVX2(t.byte())
		}
		return
	}
	kind, mask := shape512(columns)
	t.mask = mask
	switch kind {
	case 0:
		skip0MAVX512(t.byte())
	case 1:
		skip0NAVX512(t.byte())
	case 2:
		skip1MAVX512(t.byte())
	case 3:
		skip1NAVX512(t.byte())
	case 4:
		skip2MAVX512(t.byte())
	case 5:
		skip2NAVX512(t.byte())
	case 6:
		skip3MAVX512(t.byte())
	case 7:
		skip3NAVX512(t.byte())
	case 8:
		skip4MAVX512(t.byte())
	case 9:
		skip4NAVX512(t.byte())
	case 10:
		skip5MAVX512(t.byte())
	case 11:
		skip5NAVX512(t.byte())
	case 12:
		skip6MAVX512(t.byte())
	case 13:
		skip6NAVX512(t.byte())
	}
}
