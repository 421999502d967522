//go:build amd64 && !noasm

package kernel

import (
	"math"
	"unsafe"
)

// Assembly is not preempted, so a call is kept to some ten microseconds of work:
// callWork vector operations.
const callWork = 1 << 17

// product holds the arguments of a product over one panel of columns. The
// assembly knows its layout (_generate/product.go) and counts m down.
type product struct {
	c, a, b                 *float32
	init                    *float32 // what every row starts from; nil: C itself
	h                       *float32 // nil: no ReLU gradient
	ldc, ars, acs, ldb, ldh int      // in bytes
	m, k                    int
	mask                    uint64 // of the last vector, one bit a lane
	lanes                   *int32 // the same for AVX2: all ones or zeros a lane
	floor                   float32
	_                       [3]uintptr // where the assembly stands in c, a and h
	bits                    *uint64    // of products that skip zeros: which elements of a row of A are not zero
}

func (t *product) byte() *byte { return (*byte)(unsafe.Pointer(t)) }

// maskLanes holds a mask for n lanes of AVX2 from element 8−n on.
var maskLanes = [16]int32{-1, -1, -1, -1, -1, -1, -1, -1}

// zeros is what a cleared row starts from; no panel is wider.
var zeros [112]float32

// panel512 splits n columns evenly into panels of at most seven vectors of 16.
func panel512(n int) (columns int) {
	vectors := (n + 15) / 16
	panels := (vectors + 6) / 7
	return 16 * ((vectors + panels - 1) / panels)
}

// shape512 returns which function does for a panel of so many columns (its full
// vectors, and whether the last one may be narrow) and the mask of the last.
func shape512(columns int) (kind int, mask uint64) {
	full := (columns - 1) / 16
	tail := columns - 16*full
	kind = 2 * full
	if tail <= 8 {
		kind++
	}
	return kind, 1<<tail - 1
}

func multiply(c []float32, ldc int, a []float32, ars, acs int, b []float32, ldb int, m, n, k int, e ends) {
	if active == plain || k == 0 {
		multiplyPlain(c, ldc, a, ars, acs, b, ldb, m, n, k, e)
		return
	}
	if e.skip {
		multiplySkip(c, ldc, a, ars, acs, b, ldb, m, n, k, e)
		return
	}
	whole := product{
		ldc: 4 * ldc, ars: 4 * ars, acs: 4 * acs, ldb: 4 * ldb, ldh: 4 * e.ldh,
		floor: float32(math.Inf(-1)),
	}
	for j := 0; j < n; {
		var columns int
		if active == avx512 {
			columns = min(n-j, panel512(n))
		} else {
			columns = panelProductAVX2(n - j)
		}
		t := whole
		switch {
		case e.bias != nil:
			t.init = &e.bias[j]
		case e.clear:
			t.init = &zeros[0]
		}
		depth := blockDepth(k, columns)
		rows := max(8, callWork/(depth*(1+columns/8))&^7)
		for p := 0; p < k; p += depth {
			t.k = min(depth, k-p)
			t.b = &b[p*ldb+j]
			if p > 0 {
				t.init = nil // go on from C
			}
			last := p+t.k == k
			if last && e.relu {
				t.floor = 0
			}
			for i := 0; i < m; i += rows {
				t.m = min(rows, m-i)
				t.c, t.a = &c[i*ldc+j], &a[i*ars+p*acs]
				if last && e.h != nil {
					t.h = &e.h[i*e.ldh+j]
				}
				if active == avx512 {
					productPanelAVX512(&t, columns)
				} else {
					productPanelAVX2(&t, columns)
				}
			}
		}
		j += columns
	}
}

// blockDepth is how much of a long k is done at once, for all rows of C, so that
// the block of B stays near while the rows pass by: in the second-level cache for
// AVX-512, whose wide panels use what they fetch, in the first for AVX2. The chains go on
// from C, so that their order is the same.
func blockDepth(k, columns int) int {
	cache := 12 << 10
	if active == avx512 {
		cache = 256 << 10
	}
	depth := max(32, cache/(4*columns+64)) // a row of B in whole cache lines
	if k <= 2*depth {
		return k
	}
	return depth
}

// panelProductAVX2 is the width of the next panel when n columns are left.
func panelProductAVX2(n int) int {
	switch {
	case n >= 24:
		return 24
	case n >= 16:
		return 16
	}
	return min(n, 8)
}

func productPanelAVX2(t *product, columns int) {
	switch columns {
	case 24:
		product3AVX2(t.byte())
	case 16:
		product2AVX2(t.byte())
	default:
		t.lanes = &maskLanes[8-columns]
		product0MAVX2(t.byte())
	}
}

func productPanelAVX512(t *product, columns int) {
	kind, mask := shape512(columns)
	t.mask = mask
	switch kind {
	case 0:
		product0MAVX512(t.byte())
	case 1:
		product0NAVX512(t.byte())
	case 2:
		product1MAVX512(t.byte())
	case 3:
		product1NAVX512(t.byte())
	case 4:
		product2MAVX512(t.byte())
	case 5:
		product2NAVX512(t.byte())
	case 6:
		product3MAVX512(t.byte())
	case 7:
		product3NAVX512(t.byte())
	case 8:
		product4MAVX512(t.byte())
	case 9:
		product4NAVX512(t.byte())
	case 10:
		product5MAVX512(t.byte())
	case 11:
		product5NAVX512(t.byte())
	case 12:
		product6MAVX512(t.byte())
	case 13:
		product6NAVX512(t.byte())
	}
}
