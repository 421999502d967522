//go:build amd64 && !noasm

package kernel

import (
	"math/bits"
	"unsafe"
)

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
	bits     *uint64 // of gatherRows
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
	case left >= 8:
		return 8
	case left >= 4:
		return 4
	}
	return left
}

func sumRows(c []float32, ldc int, bias, w []float32, n int, off, idx []int32) {
	m := len(off) - 1
	if active == plain || len(idx) == 0 {
		sumRowsPlain(c, ldc, bias, w, n, off, idx)
		return
	}
	var space packed
	rows := len(w) / n
	// Sums fetch each row of W many times: let it come from the first-level
	// cache, even at the price of more panels.
	pack := active == avx512 && int(off[m]-off[0]) > 8*rows && rows <= packedSize/32
	t := lists{idx: &idx[0], ld: 4 * ldc, ldt: 4 * n}
	for j := 0; j < n; {
		columns := panelLists(n, n-j)
		t.init, t.table = &bias[j], unsafe.SliceData(w[min(j, len(w)):])
		if pack {
			columns = min(columns, packedSize/rows&^15)
			t.table = space.pack(w[j:], n, rows, columns)
			t.ldt = space.ld
		}
		for i := 0; i < m; i += listRows {
			t.m = min(listRows, m-i)
			t.dense, t.off = &c[i*ldc+j], &off[i]
			sumRowsPanel(&t, columns)
		}
		j += columns
	}
}

func addRows(g []float32, n int, d []float32, ldd int, off, idx []int32) {
	if active == plain || len(idx) == 0 || len(g) == 0 {
		addRowsPlain(g, n, d, ldd, off, idx)
		return
	}
	m, rows := len(off)-1, len(g)/n
	var space packed
	for i := 0; i < m; i += 64 {
		part := off[i : min(i+64, m)+1]
		var turned [mostRows]uint64
		if rows <= mostRows && turnLists(&turned, rows, part, idx) {
			addRowsPart(g, n, d[i*ldd:], ldd, part, idx, &turned[0], &space)
		} else {
			addRowsPart(g, n, d[i*ldd:], ldd, part, idx, nil, nil)
		}
	}
}

// mostRows is how many rows G may have for its lists to be turned.
const mostRows = 256

// turnLists turns the lists of at most 64 rows of D into one list for each row
// of G: bit i of turned[r] says that list i names row r. So a row of G is
// fetched and stored once for many additions, still with i ascending. It
// reports false where that does not pay or a list names a row twice.
func turnLists(turned *[mostRows]uint64, rows int, off, idx []int32) bool {
	if int(off[len(off)-1]-off[0]) < 2*rows {
		return false
	}
	bit := uint64(1)
	for i := range len(off) - 1 {
		for _, r := range idx[off[i]:off[i+1]] {
			turned[uint8(r)] |= bit
		}
		bit <<= 1
	}
	set := 0
	for _, b := range turned[:rows] {
		set += bits.OnesCount64(b)
	}
	return set == int(off[len(off)-1]-off[0])
}

// addRowsPart is addRows for a few rows of D, by the turned lists if there are
// any, for which D is packed.
func addRowsPart(g []float32, n int, d []float32, ldd int, off, idx []int32, turned *uint64, space *packed) {
	t := lists{idx: &idx[0], off: &off[0], bits: turned, ld: 4 * ldd, ldt: 4 * n}
	for j := 0; j < n; {
		columns := panelLists(n, n-j)
		t.table = unsafe.SliceData(g[min(j, len(g)):])
		t.dense = &d[j]
		if turned != nil {
			t.m = len(g) / n
			t.dense = space.pack(d[j:], ldd, len(off)-1, columns)
			t.ld = space.ld
			gatherRowsPanel(&t, columns)
		} else {
			t.m = len(off) - 1
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
		case 8:
			sumRows1AVX2(t.byte())
		case 4:
			sumRows1QAVX2(t.byte())
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
		case 8:
			addRows1AVX2(t.byte())
		case 4:
			addRows1QAVX2(t.byte())
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

func gatherRowsPanel(t *lists, columns int) {
	if active == avx2 {
		switch columns {
		case 96:
			gatherRows12AVX2(t.byte())
		case 32:
			gatherRows4AVX2(t.byte())
		case 8:
			gatherRows1AVX2(t.byte())
		case 4:
			gatherRows1QAVX2(t.byte())
		default:
			t.lanes = &maskLanes[8-columns]
			gatherRows0MAVX2(t.byte())
		}
		return
	}
	kind, mask := shape512(columns)
	t.mask = mask
	switch kind {
	case 0:
		gatherRows0MAVX512(t.byte())
	case 1:
		gatherRows0NAVX512(t.byte())
	case 2:
		gatherRows1MAVX512(t.byte())
	case 3:
		gatherRows1NAVX512(t.byte())
	case 4:
		gatherRows2MAVX512(t.byte())
	case 5:
		gatherRows2NAVX512(t.byte())
	case 6:
		gatherRows3MAVX512(t.byte())
	case 7:
		gatherRows3NAVX512(t.byte())
	case 8:
		gatherRows4MAVX512(t.byte())
	case 9:
		gatherRows4NAVX512(t.byte())
	case 10:
		gatherRows5MAVX512(t.byte())
	case 11:
		gatherRows5NAVX512(t.byte())
	case 12:
		gatherRows6MAVX512(t.byte())
	case 13:
		gatherRows6NAVX512(t.byte())
	}
}

func columnSumsPanel(t *lists, columns int) {
	if active == avx2 {
		switch columns {
		case 96:
			columnSums12AVX2(t.byte())
		case 32:
			columnSums4AVX2(t.byte())
		case 8:
			columnSums1AVX2(t.byte())
		case 4:
			columnSums1QAVX2(t.byte())
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
