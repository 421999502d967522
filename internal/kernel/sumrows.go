package kernel

import "unsafe"

// SumRows computes a layer whose inputs are zeros and ones. List i,
// idx[off[i]:off[i+1]], has the positions of the ones in input i. SumRows sets row i of
// C to the bias plus the rows of W in list i,
//
//	for i := range len(off) - 1 {
//		copy(c[i*ldc:][:n], bias)
//		for _, r := range idx[off[i]:off[i+1]] {
//			for j := range n {
//				c[i*ldc+j] += w[int(r)*n+j]
//			}
//		}
//	}
//
// W has n columns and leading dimension n. An input with 22 ones among 117 costs 22·n
// additions instead of 117·n multiply-adds.
func SumRows(c []float32, ldc int, bias, w []float32, n int, off, idx []int32) {
	checkSize("n", n)
	checkLen("bias", len(bias), n)
	if n == 0 {
		return
	}
	checkLists(off, idx, len(w)/n)
	m := len(off) - 1
	checkMatrix("c", c, ldc, m, n)
	if active == plain || n < machines[active].narrowest || len(idx) == 0 {
		sumRowsPlain(c, ldc, bias, w, n, off, idx)
		return
	}
	var space packed
	rows := len(w) / n
	// A copy of W is worth its cost if each row is read many times.
	pack := machines[active].packTables && int(off[m]-off[0]) > 8*rows && rows <= packedSize/32
	limit := n
	if pack {
		limit = packedSize / rows &^ 15
	}
	t := lists{idx: &idx[0], ld: 4 * ldc, ldt: 4 * n}
	for j := 0; j < n; {
		panel := machines[active].list.next(n-j, limit)
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

func sumRowsPlain(c []float32, ldc int, bias, w []float32, n int, off, idx []int32) {
	for i := range len(off) - 1 {
		ci := c[i*ldc:][:n]
		copy(ci, bias)
		list := idx[off[i]:off[i+1]]
		for ; len(list) >= 4; list = list[4:] {
			addFour(ci, w[int(list[0])*n:], w[int(list[1])*n:], w[int(list[2])*n:], w[int(list[3])*n:])
		}
		for _, r := range list {
			for j, v := range w[int(r)*n:][:n] {
				ci[j] += v
			}
		}
	}
}
