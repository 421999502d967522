package kernel

// AddRows is the gradient of [SumRows] by its weights: row i of D is added to
// the rows of G that the list of i names,
//
//	for i := range len(off) - 1 { // ascending
//		for _, r := range idx[off[i]:off[i+1]] {
//			for j := range n {
//				g[int(r)*n+j] += d[i*ldd+j]
//			}
//		}
//	}
//
// G has n columns and leading dimension n. An element of G is one chain of
// additions over i ascending.
func AddRows(g []float32, n int, d []float32, ldd int, off, idx []int32) {
	checkSize("n", n)
	if n == 0 {
		return
	}
	checkLists(off, idx, len(g)/n)
	checkMatrix("d", d, ldd, len(off)-1, n)
	if len(off) > 1 {
		addRows(g, n, d, ldd, off, idx)
	}
}

func addRowsPlain(g []float32, n int, d []float32, ldd int, off, idx []int32) {
	for i := range len(off) - 1 {
		di := d[i*ldd:][:n]
		for _, r := range idx[off[i]:off[i+1]] {
			gr := g[int(r)*n:][:n]
			for j, v := range di {
				gr[j] += v
			}
		}
	}
}
