//go:build amd64 && !noasm

package kernel

import (
	"math"
	"unsafe"

	"golang.org/x/sys/cpu"
)

// supported reports whether this processor, and its operating system, run the
// named kernel.
func supported(name string) bool {
	x := &cpu.X86
	switch name {
	case "avx2":
		return x.HasAVX2 && x.HasFMA
	case "avx512":
		return x.HasAVX2 && x.HasFMA && x.HasAVX512F && x.HasAVX512BW && x.HasAVX512DQ && x.HasAVX512VL
	}
	return false
}

// Assembly is not preempted, so a call is kept to some ten microseconds of work:
// callWork vector operations.
const callWork = 1 << 17

// product holds the arguments of a product over one panel of columns. The
// assembly knows its layout (_generate/product.go) and moves c, a, h and m on.
type product struct {
	c, a, b                 *float32
	init                    *float32 // what every row starts from; nil: C itself
	h                       *float32 // nil: no ReLU gradient
	ldc, ars, acs, ldb, ldh int      // in bytes
	m, k                    int
	mask                    uint64 // of the last vector, one bit a lane
	lanes                   *int32 // the same for AVX2: all ones or zeros a lane
	floor                   float32
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

// blockDepth is how much of a long k is done at once, for all rows of C: so much
// that the block of B stays in the first-level cache while the rows pass by. The
// chains go on from C, so that their order is the same.
func blockDepth(k, columns int) int {
	const cache = 24 << 10 // bytes of it for B
	depth := max(32, cache/(4*columns+64))
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

// lists holds the arguments of SumRows, AddRows and ColumnSums over one panel
// of columns. The assembly knows its layout (_generate/lists.go).
type lists struct {
	dense    *float32 // C of SumRows, D of the others
	table    *float32 // W, G, dst
	init     *float32 // bias
	off, idx *int32
	ld, ldt  int // in bytes
	m        int
	mask     uint64
	lanes    *int32
}

func (t *lists) byte() *byte { return (*byte)(unsafe.Pointer(t)) }

// listRows is how many rows one call works on.
const listRows = 256

// panelLists is the width of the next panel when left of n columns are left.
func panelLists(n, left int) int {
	if active == avx512 {
		return min(left, panel512(n))
	}
	switch {
	case left >= 96:
		return 96
	case left >= 32:
		return 32
	}
	return min(left, 8)
}

func sumRows(c []float32, ldc int, bias, w []float32, n int, off, idx []int32) {
	m := len(off) - 1
	if active == plain || len(idx) == 0 {
		sumRowsPlain(c, ldc, bias, w, n, off, idx)
		return
	}
	t := lists{idx: &idx[0], ld: 4 * ldc, ldt: 4 * n}
	for j := 0; j < n; {
		columns := panelLists(n, n-j)
		t.init, t.table = &bias[j], unsafe.SliceData(w[min(j, len(w)):])
		for i := 0; i < m; i += listRows {
			t.m = min(listRows, m-i)
			t.dense, t.off = &c[i*ldc+j], &off[i]
			sumRowsPanel(&t, columns)
		}
		j += columns
	}
}

func addRows(g []float32, n int, d []float32, ldd int, off, idx []int32) {
	m := len(off) - 1
	if active == plain || len(idx) == 0 {
		addRowsPlain(g, n, d, ldd, off, idx)
		return
	}
	t := lists{idx: &idx[0], ld: 4 * ldd, ldt: 4 * n}
	for j := 0; j < n; {
		columns := panelLists(n, n-j)
		t.table = unsafe.SliceData(g[min(j, len(g)):])
		for i := 0; i < m; i += listRows {
			t.m = min(listRows, m-i)
			t.dense, t.off = &d[i*ldd+j], &off[i]
			addRowsPanel(&t, columns)
		}
		j += columns
	}
}

func columnSums(dst, d []float32, ldd, m, n int) {
	if active == plain {
		columnSumsPlain(dst, d, ldd, m, n)
		return
	}
	t := lists{ld: 4 * ldd}
	for j := 0; j < n; {
		columns := panelLists(n, n-j)
		t.table = &dst[j]
		const rows = 16 * listRows
		for i := 0; i < m; i += rows {
			t.m = min(rows, m-i)
			t.dense = &d[i*ldd+j]
			columnSumsPanel(&t, columns)
		}
		j += columns
	}
}

func sumRowsPanel(t *lists, columns int) {
	if active == avx2 {
		switch columns {
		case 96:
			sumRows12AVX2(t.byte())
		case 32:
			sumRows4AVX2(t.byte())
		default:
			t.lanes = &maskLanes[8-columns]
			sumRows0MAVX2(t.byte())
		}
		return
	}
	kind, mask := shape512(columns)
	t.mask = mask
	switch kind {
	case 0:
		sumRows0MAVX512(t.byte())
	case 1:
		sumRows0NAVX512(t.byte())
	case 2:
		sumRows1MAVX512(t.byte())
	case 3:
		sumRows1NAVX512(t.byte())
	case 4:
		sumRows2MAVX512(t.byte())
	case 5:
		sumRows2NAVX512(t.byte())
	case 6:
		sumRows3MAVX512(t.byte())
	case 7:
		sumRows3NAVX512(t.byte())
	case 8:
		sumRows4MAVX512(t.byte())
	case 9:
		sumRows4NAVX512(t.byte())
	case 10:
		sumRows5MAVX512(t.byte())
	case 11:
		sumRows5NAVX512(t.byte())
	case 12:
		sumRows6MAVX512(t.byte())
	case 13:
		sumRows6NAVX512(t.byte())
	}
}

func addRowsPanel(t *lists, columns int) {
	if active == avx2 {
		switch columns {
		case 96:
			addRows12AVX2(t.byte())
		case 32:
			addRows4AVX2(t.byte())
		default:
			t.lanes = &maskLanes[8-columns]
			addRows0MAVX2(t.byte())
		}
		return
	}
	kind, mask := shape512(columns)
	t.mask = mask
	switch kind {
	case 0:
		addRows0MAVX512(t.byte())
	case 1:
		addRows0NAVX512(t.byte())
	case 2:
		addRows1MAVX512(t.byte())
	case 3:
		addRows1NAVX512(t.byte())
	case 4:
		addRows2MAVX512(t.byte())
	case 5:
		addRows2NAVX512(t.byte())
	case 6:
		addRows3MAVX512(t.byte())
	case 7:
		addRows3NAVX512(t.byte())
	case 8:
		addRows4MAVX512(t.byte())
	case 9:
		addRows4NAVX512(t.byte())
	case 10:
		addRows5MAVX512(t.byte())
	case 11:
		addRows5NAVX512(t.byte())
	case 12:
		addRows6MAVX512(t.byte())
	case 13:
		addRows6NAVX512(t.byte())
	}
}

func columnSumsPanel(t *lists, columns int) {
	if active == avx2 {
		switch columns {
		case 96:
			columnSums12AVX2(t.byte())
		case 32:
			columnSums4AVX2(t.byte())
		default:
			t.lanes = &maskLanes[8-columns]
			columnSums0MAVX2(t.byte())
		}
		return
	}
	kind, mask := shape512(columns)
	t.mask = mask
	switch kind {
	case 0:
		columnSums0MAVX512(t.byte())
	case 1:
		columnSums0NAVX512(t.byte())
	case 2:
		columnSums1MAVX512(t.byte())
	case 3:
		columnSums1NAVX512(t.byte())
	case 4:
		columnSums2MAVX512(t.byte())
	case 5:
		columnSums2NAVX512(t.byte())
	case 6:
		columnSums3MAVX512(t.byte())
	case 7:
		columnSums3NAVX512(t.byte())
	case 8:
		columnSums4MAVX512(t.byte())
	case 9:
		columnSums4NAVX512(t.byte())
	case 10:
		columnSums5MAVX512(t.byte())
	case 11:
		columnSums5NAVX512(t.byte())
	case 12:
		columnSums6MAVX512(t.byte())
	case 13:
		columnSums6NAVX512(t.byte())
	}
}

// bulk cuts n elements into calls of whole vectors for assembly, and returns
// the first element of what is left for plain Go.
func bulk(n, lanes int, call func(first, vectors int)) int {
	whole := n - n%lanes
	const most = 1 << 13 // vectors a call
	for i := 0; i < whole; i += most * lanes {
		call(i, min(most, (whole-i)/lanes))
	}
	return whole
}

// lanes is the number of float32s in a vector of the kernel in use.
func lanes() int {
	switch active {
	case avx512:
		return 16
	case avx2:
		return 8
	}
	return math.MaxInt // plain Go does everything
}

func relu(x []float32) {
	rest := bulk(len(x), lanes(), func(i, vectors int) {
		if active == avx512 {
			reluAVX512(&x[i], vectors)
		} else {
			reluAVX2(&x[i], vectors)
		}
	})
	reluPlain(x[rest:])
}

func reluGrad(d, h []float32) {
	rest := bulk(len(d), lanes(), func(i, vectors int) {
		if active == avx512 {
			reluGradAVX512(&d[i], &h[i], vectors)
		} else {
			reluGradAVX2(&d[i], &h[i], vectors)
		}
	})
	reluGradPlain(d[rest:], h[rest:])
}

func axpy(y []float32, a float32, x []float32) {
	rest := bulk(len(y), lanes(), func(i, vectors int) {
		if active == avx512 {
			axpyAVX512(&y[i], a, &x[i], vectors)
		} else {
			axpyAVX2(&y[i], a, &x[i], vectors)
		}
	})
	axpyPlain(y[rest:], a, x[rest:])
}

func transpose(dst []float32, ldd int, src []float32, lds, m, n int) {
	if active == plain {
		transposePlain(dst, ldd, src, lds, m, n)
		return
	}
	m4, n4 := m&^3, n&^3
	if n4 > 0 {
		for i := 0; i < m4; i += 4 {
			transpose4AVX2(&dst[i], 4*ldd, &src[i*lds], 4*lds, n4/4)
		}
	}
	if n4 < n {
		transposePlain(dst[n4*ldd:], ldd, src[n4:], lds, m4, n-n4)
	}
	if m4 < m {
		transposePlain(dst[m4:], ldd, src[m4*lds:], lds, m-m4, n)
	}
}

// langevinConst is a Langevin as the assembly wants it (_generate/langevin.go).
type langevinConst struct {
	step, mult, noise, alpha, rest, rho, inv, multV, one float32
}

func langevin(x, g, v, w []float32, p *Langevin[float32]) {
	c := langevinConst{
		step: p.Step, mult: p.Multiplier, noise: p.NoiseScale2,
		alpha: p.Alpha, rest: 1 - p.Alpha, rho: p.Rho, inv: p.InvScale,
		multV: 1, one: 1,
	}
	if p.MultipliedV {
		c.multV = p.Multiplier
	}
	if !p.Precondition {
		c.noise = sqrt(c.noise)
	}
	rest := bulk(len(x), lanes(), func(i, vectors int) {
		wide := active == avx512
		switch {
		case p.Precondition && w != nil && wide:
			langevinVWAVX512(&x[i], &g[i], &v[i], &w[i], &c.step, vectors)
		case p.Precondition && w != nil:
			langevinVWAVX2(&x[i], &g[i], &v[i], &w[i], &c.step, vectors)
		case p.Precondition && wide:
			langevinVAVX512(&x[i], &g[i], &v[i], &c.step, vectors)
		case p.Precondition:
			langevinVAVX2(&x[i], &g[i], &v[i], &c.step, vectors)
		case w != nil && wide:
			langevinWAVX512(&x[i], &g[i], &w[i], &c.step, vectors)
		case w != nil:
			langevinWAVX2(&x[i], &g[i], &w[i], &c.step, vectors)
		case wide:
			langevinAVX512(&x[i], &g[i], &c.step, vectors)
		default:
			langevinAVX2(&x[i], &g[i], &c.step, vectors)
		}
	})
	x, g = x[rest:], g[rest:]
	if p.Precondition {
		v = v[rest:]
	}
	if w != nil {
		w = w[rest:]
	}
	LangevinPlain(x, g, v, w, p)
}

func normalChunks(dst []float32, key, nonce, firstBlock uint64) {
	if active == plain {
		normalChunksPlain(dst, key, nonce, firstBlock)
		return
	}
	keys := philoxKeys(key)
	const most = 256 // chunks a call
	for len(dst) > 0 {
		n := min(most, len(dst)/NormalChunk)
		if active == avx512 {
			normalsAVX512(&dst[0], n, &keys, nonce, firstBlock)
		} else {
			normalsAVX2(&dst[0], n, &keys, nonce, firstBlock)
		}
		dst = dst[n*NormalChunk:]
		firstBlock += uint64(n * NormalBlocks)
	}
}

func maxIndex(idx []int32) uint32 {
	if active == plain || len(idx) < 8 {
		return maxIndexPlain(idx)
	}
	return max(maxIndexAVX2(&idx[0], len(idx)/8), maxIndexPlain(idx[len(idx)&^7:]))
}
