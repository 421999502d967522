package kernel

import "unsafe"

// AddRows adds row i of D to the rows of G in list i, idx[off[i]:off[i+1]]. If D is the gradient with respect to the
// output C of [SumRows], this adds to G the gradient with respect to the W of SumRows,
//
//	for i := range len(off) - 1 { // ascending
//		for _, r := range idx[off[i]:off[i+1]] {
//			for j := range n {
//				g[int(r)*n+j] += d[i*ldd+j]
//			}
//		}
//	}
//
// G has n columns and leading dimension n. A list may contain a row twice.
func AddRows(g []float32, n int, d []float32, ldd int, off, idx []int32) {
	checkSize("n", n)
	if n == 0 {
		return
	}
	checkLists(off, idx, len(g)/n)
	m, rows := len(off)-1, len(g)/n
	checkMatrix("d", d, ldd, m, n)
	if active == plain || n < machines[active].narrowest || len(idx) == 0 || len(g) == 0 {
		addRowsPlain(g, n, d, ldd, off, idx)
		return
	}
	var space packed
	for i := 0; i < m; i += 64 {
		part := off[i : min(i+64, m)+1]
		var transposed [mostRows]uint64
		addRowsPart(g, n, d[i*ldd:], ldd, part, idx, transposeLists(&transposed, rows, part, idx), &space)
	}
}

// addRowsPart is AddRows for at most 64 rows of D. transposed is what transposeLists returns for their lists. If it is
// not nil, addRowsPart uses it in place of off and idx, and packs D into space.
func addRowsPart(g []float32, n int, d []float32, ldd int, off, idx []int32, transposed *uint64, space *packed) {
	t := lists{idx: &idx[0], off: &off[0], bits: transposed, ld: 4 * ldd, ldt: 4 * n}
	for j := 0; j < n; {
		panel := machines[active].list.next(n-j, n)
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

func addRowsPlain(g []float32, n int, d []float32, ldd int, off, idx []int32) {
	for i := range len(off) - 1 {
		di := d[i*ldd:][:n]
		list := idx[off[i]:off[i+1]]
		for ; len(list) >= 4; list = list[4:] {
			g0, g1 := g[int(list[0])*n:][:n], g[int(list[1])*n:][:n]
			g2, g3 := g[int(list[2])*n:][:n], g[int(list[3])*n:][:n]
			for j, v := range di { // correct even if some of g0 to g3 are the same row
				g0[j] += v
				g1[j] += v
				g2[j] += v
				g3[j] += v
			}
		}
		for _, r := range list {
			gr := g[int(r)*n:][:n]
			for j, v := range di {
				gr[j] += v
			}
		}
	}
}
