package kernel

import "math/bits"

// ReLU sets negative elements to zero. It keeps −0, and NaN so that errors are not hidden,
//
//	for i := range x {
//		if x[i] < 0 {
//			x[i] = 0
//		}
//	}
func ReLU(x []float32) {
	rest := bulk(len(x), func(i, vectors int) { reluAsm(&x[i], vectors) })
	reluPlain(x[rest:])
}

func reluPlain(x []float32) {
	for i, v := range x {
		if v < 0 {
			x[i] = 0
		}
	}
}

// ReLUGrad changes d from the gradient with respect to the output of [ReLU] to the
// gradient with respect to its input. h is the output of ReLU,
//
//	for i := range d {
//		if h[i] <= 0 { // false for NaN
//			d[i] = 0
//		}
//	}
func ReLUGrad(d, h []float32) {
	checkLen("h", len(h), len(d))
	rest := bulk(len(d), func(i, vectors int) { reluGradAsm(&d[i], &h[i], vectors) })
	reluGradPlain(d[rest:], h[rest:])
}

func reluGradPlain(d, h []float32) {
	for i, v := range h {
		if v <= 0 {
			d[i] = 0
		}
	}
}

// Axpy adds a·x to y,
//
//	for i := range y {
//		y[i] = FMA32(a, x[i], y[i])
//	}
//
// x and y may be the same slice.
func Axpy(y []float32, a float32, x []float32) {
	checkLen("x", len(x), len(y))
	rest := bulk(len(y), func(i, vectors int) { axpyAsm(&y[i], a, &x[i], vectors) })
	axpyPlain(y[rest:], a, x[rest:])
}

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
	m4, n4 := m&^3, n&^3
	if active == plain || n4 == 0 {
		m4 = 0
	}
	for i := 0; i < m4; i += 4 {
		transpose4Asm(&dst[i], 4*ldd, &src[i*lds], 4*lds, n4/4)
	}
	transposePlain(dst, ldd, src, lds, 0, m4, n4, n)
	transposePlain(dst, ldd, src, lds, m4, m, 0, n)
}

// transposePlain transposes rows i0 to i1 − 1 and columns j0 to j1 − 1 of src.
func transposePlain(dst []float32, ldd int, src []float32, lds, i0, i1, j0, j1 int) {
	for i := i0; i < i1 && j0 < j1; i++ {
		for j, v := range src[i*lds+j0 : i*lds+j1] {
			dst[(j0+j)*ldd+i] = v
		}
	}
}

// Nonzeros appends the ascending indices of the elements of x that are not zero to dst,
//
//	for i, v := range x {
//		if v != 0 {
//			dst = append(dst, int32(i))
//		}
//	}
//
// The result can serve as a list of [SumRows] and [AddRows]. NaN is nonzero, −0 is zero.
func Nonzeros(dst []int32, x []float32) []int32 {
	done := 0
	for wide := machines[active].wide; active != plain && len(x)-done >= wide; {
		n := min(64, len(x)-done)
		var set uint64
		nonzeroRowsAsm(&set, &x[done], 0, 1, n)
		for ; set != 0; set &= set - 1 {
			dst = append(dst, int32(done+bits.TrailingZeros64(set)))
		}
		done += n
	}
	for i := done; i < len(x); i++ {
		if x[i] != 0 {
			dst = append(dst, int32(i))
		}
	}
	return dst
}
