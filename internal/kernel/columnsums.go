package kernel

// ColumnSums adds the rows of the m×n matrix D to dst, the gradient of a bias,
//
//	for j := range n {
//		for i := range m { // ascending, from the present value on
//			dst[j] += d[i*ldd+j]
//		}
//	}
func ColumnSums(dst, d []float32, ldd, m, n int) {
	checkSize("m", m)
	checkSize("n", n)
	checkLen("dst", len(dst), n)
	checkMatrix("d", d, ldd, m, n)
	if m > 0 && n > 0 {
		columnSums(dst, d, ldd, m, n)
	}
}

func columnSumsPlain(dst, d []float32, ldd, m, n int) {
	for i := range m {
		for j, v := range d[i*ldd:][:n] {
			dst[j] += v
		}
	}
}
