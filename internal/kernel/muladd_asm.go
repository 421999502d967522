//go:build (amd64 || arm64) && !noasm

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
	last                    uint64 // the panel's
	lanes                   *int32 // the panel's
	floor                   float32
	_                       [3]uintptr // where the assembly stands in c, a and h
	bits                    *uint64    // of products that skip zeros: which elements of a row of A are not zero
}

func (t *product) byte() *byte { return (*byte)(unsafe.Pointer(t)) }

// A panel is a band of columns that one call of assembly works on.
type panel struct {
	columns int
	number  int    // which function it is for
	last    uint64 // the last vector: for AVX-512 one bit a lane, for NEON how far it is from the first one, in bytes
	lanes   *int32 // the last vector for AVX2: all ones or zeros a lane
}

// zeros is what a cleared row starts from; no panel is wider.
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
		t := whole
		t.last, t.lanes = panel.last, panel.lanes
		switch {
		case e.bias != nil:
			t.init = &e.bias[j]
		case e.clear:
			t.init = &zeros[0]
		}
		depth := blockDepth(k, panel.columns)
		rows := max(8, callWork/(depth*(1+panel.columns/lanes()))&^7)
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
				productAsm(panel.number, t.byte())
			}
		}
		j += panel.columns
	}
}

// blockDepth is how much of a long k is done at once, for all rows of C, so that
// the block of B stays in a near cache while the rows pass by. The chains go on
// from C, so that their order is the same.
func blockDepth(k, columns int) int {
	depth := max(32, nearCache()/(4*columns+64)) // a row of B in whole cache lines
	if k <= 2*depth {
		return k
	}
	return depth
}
