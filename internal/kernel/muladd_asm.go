//go:build (amd64 || arm64) && !noasm

package kernel

import (
	"math"
	"unsafe"
)

// callWork is the largest number of vector operations per call. Assembly cannot
// be preempted, so that a call should last some ten microseconds.
const callWork = 1 << 17

// product holds the arguments of a product for one panel of columns, in the
// layout that _generate/product.go declares. The assembly changes m.
type product struct {
	c, a, b                 *float32
	init                    *float32 // what every row starts with; nil for C itself
	h                       *float32 // nil for no ReLU gradient
	ldc, ars, acs, ldb, ldh int      // in bytes
	m, k                    int
	last                    uint64 // panel.last
	lanes                   *int32 // panel.lanes
	floor                   float32
	_                       [3]uintptr // positions of the assembly in c, a and h
	bits                    *uint64    // the nonzero elements of each row of A, for skipAsm
}

func (t *product) byte() *byte { return (*byte)(unsafe.Pointer(t)) }

// A panel is the range of columns that one call of the assembly computes.
type panel struct {
	columns int
	number  int    // number of the function for its width
	last    uint64 // AVX-512: the lanes of the last vector, as bits; NEON: its distance from the first one in bytes
	lanes   *int32 // AVX2: the lanes of the last vector, each all ones or all zeros
}

// zeros is the start of a row that is cleared. No panel is wider.
var zeros [112]float32

func multiply(c []float32, ldc int, a []float32, ars, acs int, b []float32, ldb int, m, n, k int, e ends) {
	if active == plain || k == 0 || e.skip && n < narrowest {
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
		panel := productPanel(n, n-j)
		t := whole.at(j, panel, e)
		depth := blockDepth(k, panel.columns)
		rows := max(8, callWork/(depth*(1+panel.columns/lanes()))&^7)
		for p := 0; p < k; p += depth {
			t.k = min(depth, k-p)
			t.b = &b[p*ldb+j]
			if p > 0 {
				t.init = nil // continue with C
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
				productAsm(panel.number, t.byte())
			}
		}
		j += panel.columns
	}
}

// at returns the product for the panel from column j on.
func (t product) at(j int, p panel, e ends) product {
	t.last, t.lanes = p.last, p.lanes
	switch {
	case e.bias != nil:
		t.init = &e.bias[j]
	case e.clear:
		t.init = &zeros[0]
	}
	return t
}

// blockDepth returns the number of rows of B that are used at once, for all rows
// of C, so that they stay in the cache. The next block continues the chains from
// C, so that the order of operations is the same.
func blockDepth(k, columns int) int {
	depth := max(32, nearCache()/(4*columns+64)) // a row of B occupies whole cache lines
	if k <= 2*depth {
		return k
	}
	return depth
}
