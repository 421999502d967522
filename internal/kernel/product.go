package kernel

import (
	"math"
	"unsafe"
)

// callWork is the largest number of vector operations per call. A call should take only
// some tens of microseconds, because Go cannot preempt assembly.
const callWork = 1 << 17

// product holds the arguments of productAsm and skipAsm for one panel of columns. The generator reads its layout here.
type product struct {
	c, a, b                 *float32
	init                    *float32 // initial value of every row of C; if nil, the products are added to C
	h                       *float32 // Ends.H; nil for no ReLUGrad
	ldc, ars, acs, ldb, ldh int      // in bytes
	m, k                    int      // numbers of rows and of columns of A
	last                    uint64   // panel.last
	lanes                   *int32   // panel.lanes
	floor                   float32  // elements of C below floor become floor: it is 0 for ReLU, −Inf without ReLU
	bits                    *uint64  // for skipAsm: the result of nonzeros
}

func (t *product) byte() *byte { return (*byte)(unsafe.Pointer(t)) }

// zeros is the initial value of a row of C for Ends.Clear. It is as long as the widest panel of productAsm and skipAsm.
var zeros [112]float32

// multiply is MulAdd without the checks of its arguments. m and n must be above 0.
func multiply(c []float32, ldc int, a []float32, ars, acs int, b []float32, ldb int, m, n, k int, e Ends) {
	if active == plain || k == 0 || e.Skip && n < machines[active].narrowest {
		multiplyPlain(c, ldc, a, ars, acs, b, ldb, m, n, k, e)
		return
	}
	whole := product{
		ldc: 4 * ldc, ars: 4 * ars, acs: 4 * acs, ldb: 4 * ldb, ldh: 4 * e.LDH,
		floor: float32(math.Inf(-1)),
	}
	var space *packed
	var bits *[skipRows]uint64
	if e.Skip {
		space, bits = new(packed), new([skipRows]uint64)
	}
	for j := 0; j < n; {
		panel, depth, rows := nextBlock(n-j, k, e.Skip)
		t := whole
		t.last, t.lanes = panel.last, panel.lanes
		switch {
		case e.Bias != nil:
			t.init = &e.Bias[j]
		case e.Clear:
			t.init = &zeros[0]
		}
		for p := 0; p < k; p += depth {
			t.k = min(depth, k-p)
			t.b = &b[p*ldb+j]
			if e.Skip {
				t.b = space.pack(b[p*ldb+j:], ldb, t.k, panel)
				t.ldb = space.ld
			}
			if p > 0 {
				t.init = nil // continue from C
			}
			last := p+t.k == k
			if last && e.ReLU {
				t.floor = 0
			}
			for i := 0; i < m; i += rows {
				t.m = min(rows, m-i)
				t.c, t.a = &c[i*ldc+j], &a[i*ars+p*acs]
				if last && e.H != nil {
					t.h = &e.H[i*e.LDH+j]
				}
				if !e.Skip {
					productAsm(panel.number, t.byte())
					continue
				}
				nonzeros(bits, a[i*ars+p*acs:], ars, acs, t.m, t.k)
				t.bits = &bits[0]
				skipAsm(panel.number, t.byte())
			}
		}
		j += panel.columns
	}
}

// nextBlock returns the next panel, the number of rows of B in a block, and the number of rows of C per call. remaining
// is the number of columns that are in no panel yet. A block stays in the cache while all rows of C use it. Later
// blocks add to what is in C, so that blocks do not change the order of operations.
func nextBlock(remaining, k int, skip bool) (p panel, depth, rows int) {
	m := &machines[active]
	if skip {
		blocks := (k + skipDepth - 1) / skipDepth
		return m.skip.next(remaining, remaining), (k + blocks - 1) / blocks, skipRows
	}
	p = m.product.next(remaining, remaining)
	depth = max(32, m.near/(4*p.columns+64)) // 64 more bytes: a row of B occupies whole cache lines
	if k <= 2*depth {
		depth = k
	}
	return p, depth, max(8, callWork/(depth*(1+p.columns/m.lanes))&^7)
}
