package kernel

// ColumnSums adds each row of the m×n matrix D to dst. If D is the gradient with respect
// to the output of a layer, the sums are the gradient with respect to its bias,
//
//	for j := range n {
//		for i := range m { // ascending
//			dst[j] += d[i*ldd+j]
//		}
//	}
func ColumnSums(dst, d []float32, ldd, m, n int) {
	checkSize("m", m)
	checkSize("n", n)
	checkLen("dst", len(dst), n)
	checkMatrix("d", d, ldd, m, n)
	if m == 0 || n == 0 {
		return
	}
	if active == plain || n < machines[active].narrowest {
		columnSumsPlain(dst, d, ldd, m, n)
		return
	}
	t := lists{ld: 4 * ldd}
	for j := 0; j < n; {
		panel := machines[active].list.next(n-j, n)
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

func columnSumsPlain(dst, d []float32, ldd, m, n int) {
	i := 0
	for ; i+4 <= m; i += 4 {
		addFour(dst[:n], d[i*ldd:], d[(i+1)*ldd:], d[(i+2)*ldd:], d[(i+3)*ldd:])
	}
	for ; i < m; i++ {
		for j, v := range d[i*ldd:][:n] {
			dst[j] += v
		}
	}
}

// addFour adds four rows to dst, one after the other, in one pass.
func addFour(dst, a, b, c, d []float32) {
	n := len(dst)
	a, b, c, d = a[:n], b[:n], c[:n], d[:n]
	for j, v := range dst {
		dst[j] = v + a[j] + b[j] + c[j] + d[j]
	}
}
