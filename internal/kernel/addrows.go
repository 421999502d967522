package kernel

// AddRows adds the gradient of [SumRows] with respect to W to G: it adds row i of D,
// the gradient with respect to the output, to the rows of G in list i,
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
	checkMatrix("d", d, ldd, len(off)-1, n)
	if len(off) > 1 {
		addRows(g, n, d, ldd, off, idx)
	}
}

func addRowsPlain(g []float32, n int, d []float32, ldd int, off, idx []int32) {
	for i := range len(off) - 1 {
		di := d[i*ldd:][:n]
		list := idx[off[i]:off[i+1]]
		for ; len(list) >= 4; list = list[4:] {
			g0, g1 := g[int(list[0])*n:][:n], g[int(list[1])*n:][:n]
			g2, g3 := g[int(list[2])*n:][:n], g[int(list[3])*n:][:n]
			for j, v := range di { // two of the rows may be the same
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
