package kernel

import "fmt"

// MulAdd adds a matrix product: C += A·B, where C is m×n, A m×k, B k×n,
//
//	for i := range m {
//		for j := range n {
//			for p := range k { // ascending, from the present value on
//				c[i*ldc+j] = FMA32(a[i*ars+p*acs], b[p*ldb+j], c[i*ldc+j])
//			}
//		}
//	}
//
// A has two strides, one from row to row (ars) and one from column to column
// (acs), so that its transpose needs no copy: (lda, 1) is A itself, (1, lda) the
// transpose of a k×m matrix.
func MulAdd(c []float32, ldc int, a []float32, ars, acs int, b []float32, ldb int, m, n, k int) {
	checkProduct(c, ldc, a, ars, acs, b, ldb, m, n, k)
	if m > 0 && n > 0 && k > 0 {
		multiply(c, ldc, a, ars, acs, b, ldb, m, n, k, ends{})
	}
}

// MulBias sets C = A·B + bias: row by row, the bias is copied to C and
// [MulAdd] follows.
func MulBias(c []float32, ldc int, bias, a []float32, ars, acs int, b []float32, ldb int, m, n, k int) {
	checkProduct(c, ldc, a, ars, acs, b, ldb, m, n, k)
	checkLen("bias", len(bias), n)
	if m > 0 && n > 0 {
		multiply(c, ldc, a, ars, acs, b, ldb, m, n, k, ends{bias: bias})
	}
}

// MulBiasReLU is [MulBias] and then [ReLU], a hidden layer in one pass.
func MulBiasReLU(c []float32, ldc int, bias, a []float32, ars, acs int, b []float32, ldb int, m, n, k int) {
	checkProduct(c, ldc, a, ars, acs, b, ldb, m, n, k)
	checkLen("bias", len(bias), n)
	if m > 0 && n > 0 {
		multiply(c, ldc, a, ars, acs, b, ldb, m, n, k, ends{bias: bias, relu: true})
	}
}

// MulReLUGrad is the gradient of a hidden layer by its input in one pass: C is
// cleared, [MulAdd] follows, then [ReLUGrad] with h, which has C's shape.
func MulReLUGrad(c []float32, ldc int, h []float32, ldh int, a []float32, ars, acs int, b []float32, ldb int, m, n, k int) {
	checkProduct(c, ldc, a, ars, acs, b, ldb, m, n, k)
	checkMatrix("h", h, ldh, m, n)
	if m > 0 && n > 0 {
		multiply(c, ldc, a, ars, acs, b, ldb, m, n, k, ends{clear: true, h: h, ldh: ldh})
	}
}

// SkipMulAdd is [MulAdd] without the elements of A that are zero, which pays
// where they are many:
//
//	for i := range m {
//		for j := range n {
//			for p := range k { // ascending, from the present value on
//				if a[i*ars+p*acs] != 0 {
//					c[i*ldc+j] = FMA32(a[i*ars+p*acs], b[p*ldb+j], c[i*ldc+j])
//				}
//			}
//		}
//	}
//
// The bits are those of MulAdd unless B is infinite or NaN where A is zero, or
// C starts as −0.
func SkipMulAdd(c []float32, ldc int, a []float32, ars, acs int, b []float32, ldb int, m, n, k int) {
	checkProduct(c, ldc, a, ars, acs, b, ldb, m, n, k)
	if m > 0 && n > 0 && k > 0 {
		multiply(c, ldc, a, ars, acs, b, ldb, m, n, k, ends{skip: true})
	}
}

// SkipMulBiasReLU is [MulBiasReLU] by way of [SkipMulAdd].
func SkipMulBiasReLU(c []float32, ldc int, bias, a []float32, ars, acs int, b []float32, ldb int, m, n, k int) {
	checkProduct(c, ldc, a, ars, acs, b, ldb, m, n, k)
	checkLen("bias", len(bias), n)
	if m > 0 && n > 0 {
		multiply(c, ldc, a, ars, acs, b, ldb, m, n, k, ends{skip: true, bias: bias, relu: true})
	}
}

// SkipMulReLUGrad is [MulReLUGrad] by way of [SkipMulAdd].
func SkipMulReLUGrad(c []float32, ldc int, h []float32, ldh int, a []float32, ars, acs int, b []float32, ldb int, m, n, k int) {
	checkProduct(c, ldc, a, ars, acs, b, ldb, m, n, k)
	checkMatrix("h", h, ldh, m, n)
	if m > 0 && n > 0 {
		multiply(c, ldc, a, ars, acs, b, ldb, m, n, k, ends{skip: true, clear: true, h: h, ldh: ldh})
	}
}

// ends says what comes before and after a product: C starts as it is, as zeros
// or as copies of a bias; ReLU may follow, or the gradient of ReLU by h. skip
// leaves out zeros of A.
type ends struct {
	skip  bool
	clear bool
	bias  []float32
	relu  bool
	h     []float32
	ldh   int
}

// checkProduct panics if a shape of a product is mistaken.
func checkProduct(c []float32, ldc int, a []float32, ars, acs int, b []float32, ldb int, m, n, k int) {
	checkSize("m", m)
	checkSize("n", n)
	checkSize("k", k)
	checkMatrix("c", c, ldc, m, n)
	if m > 0 && n > 0 && k > 0 {
		checkMatrix("b", b, ldb, k, n)
		checkStrided(a, ars, acs, m, k)
	}
}

// checkStrided panics unless a holds m×k elements with the two strides.
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

// multiplyPlain is a product in plain Go. The loops are ordered for the cache;
// each element of C still sees p ascending.
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
		var rows [4]int     // and where their rows of B begin
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
