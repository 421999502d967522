//go:build (amd64 || arm64) && !noasm

package kernel

import (
	"math/bits"
	"unsafe"
)

// lists holds the arguments of SumRows, AddRows and ColumnSums for one panel of
// columns, in the layout that _generate/lists.go declares.
type lists struct {
	dense    *float32 // C of SumRows, D of AddRows and ColumnSums
	table    *float32 // W of SumRows, G of AddRows, dst of ColumnSums
	init     *float32 // bias of SumRows
	off, idx *int32
	ld, ldt  int     // leading dimensions of dense and table in bytes
	m        int     // rows of dense; for gatherRows those of table
	last     uint64  // panel.last
	lanes    *int32  // panel.lanes
	bits     *uint64 // transposed lists, only for gatherRows
}

func (t *lists) byte() *byte { return (*byte)(unsafe.Pointer(t)) }

// listRows is the number of rows per call.
const listRows = 256

func sumRows(c []float32, ldc int, bias, w []float32, n int, off, idx []int32) {
	m := len(off) - 1
	if active == plain || n < narrowest || len(idx) == 0 {
		sumRowsPlain(c, ldc, bias, w, n, off, idx)
		return
	}
	var space packed
	rows := len(w) / n
	// A copy of W is worth its cost if each row is read many times.
	pack := packTables() && int(off[m]-off[0]) > 8*rows && rows <= packedSize/32
	most := n
	if pack {
		most = packedSize / rows &^ 15
	}
	t := lists{idx: &idx[0], ld: 4 * ldc, ldt: 4 * n}
	for j := 0; j < n; {
		panel := listPanel(n, n-j, most)
		t.last, t.lanes = panel.last, panel.lanes
		t.init, t.table = &bias[j], unsafe.SliceData(w[min(j, len(w)):])
		if pack {
			t.table = space.pack(w[j:], n, rows, panel)
			t.ldt = space.ld
		}
		for i := 0; i < m; i += listRows {
			t.m = min(listRows, m-i)
			t.dense, t.off = &c[i*ldc+j], &off[i]
			sumRowsAsm(panel.number, t.byte())
		}
		j += panel.columns
	}
}

func addRows(g []float32, n int, d []float32, ldd int, off, idx []int32) {
	if active == plain || n < narrowest || len(idx) == 0 || len(g) == 0 {
		addRowsPlain(g, n, d, ldd, off, idx)
		return
	}
	m, rows := len(off)-1, len(g)/n
	var space packed
	for i := 0; i < m; i += 64 {
		part := off[i : min(i+64, m)+1]
		var transposed [mostRows]uint64
		if rows <= mostRows && transposeLists(&transposed, rows, part, idx) {
			addRowsPart(g, n, d[i*ldd:], ldd, part, idx, &transposed[0], &space)
		} else {
			addRowsPart(g, n, d[i*ldd:], ldd, part, idx, nil, nil)
		}
	}
}

// mostRows is the largest number of rows of G for which lists are transposed.
const mostRows = 256

// transposeLists transposes the lists of at most 64 rows of D: it sets bit i of
// transposed[r] if list i contains row r of G. With transposed lists a row of G is
// loaded and stored once for many additions, which are in the same order. It returns
// false if the lists are too short to make this faster, or if one contains a row twice.
func transposeLists(transposed *[mostRows]uint64, rows int, off, idx []int32) bool {
	if int(off[len(off)-1]-off[0]) < 2*rows {
		return false
	}
	bit := uint64(1)
	for i := range len(off) - 1 {
		for _, r := range idx[off[i]:off[i+1]] {
			transposed[uint8(r)] |= bit
		}
		bit <<= 1
	}
	set := 0
	for _, b := range transposed[:rows] {
		set += bits.OnesCount64(b)
	}
	return set == int(off[len(off)-1]-off[0])
}

// addRowsPart is addRows for at most 64 rows of D. It uses the transposed lists
// unless they are nil, and packs D for them.
func addRowsPart(g []float32, n int, d []float32, ldd int, off, idx []int32, transposed *uint64, space *packed) {
	t := lists{idx: &idx[0], off: &off[0], bits: transposed, ld: 4 * ldd, ldt: 4 * n}
	for j := 0; j < n; {
		panel := listPanel(n, n-j, n)
		t.last, t.lanes = panel.last, panel.lanes
		t.table = unsafe.SliceData(g[min(j, len(g)):])
		t.dense = &d[j]
		if transposed != nil {
			t.m = len(g) / n
			t.dense = space.pack(d[j:], ldd, len(off)-1, panel)
			t.ld = space.ld
			gatherRowsAsm(panel.number, t.byte())
		} else {
			t.m = len(off) - 1
			addRowsAsm(panel.number, t.byte())
		}
		j += panel.columns
	}
}

func columnSums(dst, d []float32, ldd, m, n int) {
	if active == plain || n < narrowest {
		columnSumsPlain(dst, d, ldd, m, n)
		return
	}
	t := lists{ld: 4 * ldd}
	for j := 0; j < n; {
		panel := listPanel(n, n-j, n)
		t.last, t.lanes = panel.last, panel.lanes
		t.table = &dst[j]
		const rows = 16 * listRows
		for i := 0; i < m; i += rows {
			t.m = min(rows, m-i)
			t.dense = &d[i*ldd+j]
			columnSumsAsm(panel.number, t.byte())
		}
		j += panel.columns
	}
}
