package kernel

import "fmt"

// MulAdd adds a matrix product to C: C += A·B, where C is m×n, A is m×k and B is k×n,
//
//	for i := range m {
//		for j := range n {
//			for p := range k { // ascending
//				c[i*ldc+j] = FMA32(a[i*ars+p*acs], b[p*ldb+j], c[i*ldc+j])
//			}
//		}
//	}
//
// A has two strides, between rows (ars) and between columns (acs), so that a
// transpose needs no copy: (lda, 1) is for an m×k matrix, (1, lda) for the
// transpose of a k×m matrix.
func MulAdd(c []float32, ldc int, a []float32, ars, acs int, b []float32, ldb int, m, n, k int) {
	checkedMultiply(c, ldc, a, ars, acs, b, ldb, m, n, k, ends{})
}

// MulBias computes C = A·B + bias: it copies the bias to each row of C and then
// does what [MulAdd] does.
func MulBias(c []float32, ldc int, bias, a []float32, ars, acs int, b []float32, ldb int, m, n, k int) {
	checkLen("bias", len(bias), n)
	checkedMultiply(c, ldc, a, ars, acs, b, ldb, m, n, k, ends{bias: bias})
}

// MulBiasReLU is [MulBias] followed by [ReLU]: a hidden layer in one pass.
func MulBiasReLU(c []float32, ldc int, bias, a []float32, ars, acs int, b []float32, ldb int, m, n, k int) {
	checkLen("bias", len(bias), n)
	checkedMultiply(c, ldc, a, ars, acs, b, ldb, m, n, k, ends{bias: bias, relu: true})
}

// MulReLUGrad computes the gradient of a hidden layer with respect to its input
// in one pass: it clears C and then does what [MulAdd] and [ReLUGrad] do. The output h
// of ReLU has the shape of C.
func MulReLUGrad(c []float32, ldc int, h []float32, ldh int, a []float32, ars, acs int, b []float32, ldb int, m, n, k int) {
	checkMatrix("h", h, ldh, m, n)
	checkedMultiply(c, ldc, a, ars, acs, b, ldb, m, n, k, ends{clear: true, h: h, ldh: ldh})
}

// SkipMulAdd is [MulAdd] without the zeros of A, which is faster if about a third
// of A or more is zero,
//
//	for i := range m {
//		for j := range n {
//			for p := range k { // ascending
//				if a[i*ars+p*acs] != 0 {
//					c[i*ldc+j] = FMA32(a[i*ars+p*acs], b[p*ldb+j], c[i*ldc+j])
//				}
//			}
//		}
//	}
//
// The result has the same bits as that of MulAdd, with two exceptions: an element of
// B that is multiplied by zero is infinite or NaN, or an element of C starts as −0.
func SkipMulAdd(c []float32, ldc int, a []float32, ars, acs int, b []float32, ldb int, m, n, k int) {
	checkedMultiply(c, ldc, a, ars, acs, b, ldb, m, n, k, ends{skip: true})
}

// SkipMulBiasReLU is [MulBiasReLU] with [SkipMulAdd] in place of MulAdd.
func SkipMulBiasReLU(c []float32, ldc int, bias, a []float32, ars, acs int, b []float32, ldb int, m, n, k int) {
	checkLen("bias", len(bias), n)
	checkedMultiply(c, ldc, a, ars, acs, b, ldb, m, n, k, ends{skip: true, bias: bias, relu: true})
}

// SkipMulReLUGrad is [MulReLUGrad] with [SkipMulAdd] in place of MulAdd.
func SkipMulReLUGrad(c []float32, ldc int, h []float32, ldh int, a []float32, ars, acs int, b []float32, ldb int, m, n, k int) {
	checkMatrix("h", h, ldh, m, n)
	checkedMultiply(c, ldc, a, ars, acs, b, ldb, m, n, k, ends{skip: true, clear: true, h: h, ldh: ldh})
}

// ends describes what happens before and after a product.
type ends struct {
	skip  bool      // leave out the zeros of A
	clear bool      // clear C before
	bias  []float32 // set the rows of C to bias before, unless nil
	relu  bool      // apply ReLU to C after
	h     []float32 // apply ReLUGrad with h to C after, unless nil
	ldh   int
}

// checkedMultiply computes a product. It panics unless the shapes fit.
func checkedMultiply(c []float32, ldc int, a []float32, ars, acs int, b []float32, ldb int, m, n, k int, e ends) {
	checkSize("m", m)
	checkSize("n", n)
	checkSize("k", k)
	checkMatrix("c", c, ldc, m, n)
	if m > 0 && n > 0 && k > 0 {
		checkMatrix("b", b, ldb, k, n)
		checkStrided(a, ars, acs, m, k)
	}
	if m > 0 && n > 0 {
		multiply(c, ldc, a, ars, acs, b, ldb, m, n, k, e)
	}
}

// checkStrided panics unless a has room for m×k elements with the two strides.
func checkStrided(a []float32, ars, acs, m, k int) {
	if ars < 0 || acs < 0 {
		panic(fmt.Sprintf("kernel: a: strides %d and %d, want at least 0", ars, acs))
	}
	left := len(a) - 1
	ok := left >= 0 && (ars == 0 || m-1 <= left/ars)
	if ok {
		left -= (m - 1) * ars
		ok = acs == 0 || k-1 <= left/acs
	}
	if !ok {
		panic(fmt.Sprintf("kernel: a: length %d is too short for %d×%d with strides %d and %d", len(a), m, k, ars, acs))
	}
}

// multiplyPlain is multiply in plain Go. It adds four rows of B at a time to a row of
// C, in ascending order of p.
func multiplyPlain(c []float32, ldc int, a []float32, ars, acs int, b []float32, ldb int, m, n, k int, e ends) {
	for i := range m {
		ci := c[i*ldc:][:n]
		if e.clear {
			clear(ci)
		}
		if e.bias != nil {
			copy(ci, e.bias)
		}
		var four [4]float32 // elements of A that wait
		var rows [4]int     // and the offsets of their rows of B
		waiting := 0
		for p := range k {
			v := a[i*ars+p*acs]
			if v == 0 && e.skip {
				continue
			}
			four[waiting], rows[waiting] = v, p*ldb
			if waiting++; waiting == len(four) {
				axpyFour(ci, &four, b, &rows)
				waiting = 0
			}
		}
		for q, row := range rows[:waiting] {
			axpyPlain(ci, four[q], b[row:][:n])
		}
		if e.relu {
			reluPlain(ci)
		}
		if e.h != nil {
			reluGradPlain(ci, e.h[i*e.ldh:][:n])
		}
	}
}
