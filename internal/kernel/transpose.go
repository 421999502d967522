package kernel

// Transpose writes the transpose of the m×n matrix src to the n×m matrix dst,
//
//	for i := range m {
//		for j := range n {
//			dst[j*ldd+i] = src[i*lds+j]
//		}
//	}
func Transpose(dst []float32, ldd int, src []float32, lds, m, n int) {
	checkSize("m", m)
	checkSize("n", n)
	checkMatrix("src", src, lds, m, n)
	checkMatrix("dst", dst, ldd, n, m)
	if m > 0 && n > 0 {
		transpose(dst, ldd, src, lds, m, n)
	}
}

func transposePlain(dst []float32, ldd int, src []float32, lds, m, n int) {
	for i := range m {
		for j, v := range src[i*lds:][:n] {
			dst[j*ldd+i] = v
		}
	}
}
