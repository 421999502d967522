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
// transpose needs no copy. An m×k matrix has the strides (lda, 1), the transpose of a k×m
// matrix has (1, lda). Options in e skip zeros, initialize C or modify the result.
func MulAdd(c []float32, ldc int, a []float32, ars, acs int, b []float32, ldb int, m, n, k int, e Ends) {
	checkSize("m", m)
	checkSize("n", n)
	checkSize("k", k)
	checkMatrix("c", c, ldc, m, n)
	if e.Bias != nil {
		checkLen("bias", len(e.Bias), n)
	}
	if e.H != nil {
		checkMatrix("h", e.H, e.LDH, m, n)
	}
	if m > 0 && n > 0 && k > 0 {
		checkMatrix("b", b, ldb, k, n)
		checkStrided(a, ars, acs, m, k)
	}
	if m > 0 && n > 0 {
		multiply(c, ldc, a, ars, acs, b, ldb, m, n, k, e)
	}
}

// Ends has options of [MulAdd]. Operations before and after the product give the bits of separate calls, in less time.
type Ends struct {
	// Skip skips the zeros of A, which is faster if about a third of A or more is zero. The result has the same bits
	// unless an element of B that is multiplied by zero is infinite or NaN, or an element of C is initially −0.
	Skip  bool
	Clear bool      // first set C to zero
	Bias  []float32 // unless nil, first set each row of C to Bias
	ReLU  bool      // finally apply [ReLU] to C
	H     []float32 // unless nil, finally apply [ReLUGrad] to C; H is the output of ReLU, with the shape of C
	LDH   int       // leading dimension of H
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

// multiplyPlain is multiply in plain Go. It adds multiples of rows of B to one of C in ascending order, four at a time.
func multiplyPlain(c []float32, ldc int, a []float32, ars, acs int, b []float32, ldb int, m, n, k int, e Ends) {
	for i := range m {
		ci := c[i*ldc:][:n]
		if e.Clear {
			clear(ci)
		}
		if e.Bias != nil {
			copy(ci, e.Bias)
		}
		var four [4]float32 // elements of A to multiply next
		var rows [4]int     // offsets of the corresponding rows of B
		waiting := 0
		for p := range k {
			v := a[i*ars+p*acs]
			if v == 0 && e.Skip {
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
		if e.ReLU {
			reluPlain(ci)
		}
		if e.H != nil {
			reluGradPlain(ci, e.H[i*e.LDH:][:n])
		}
	}
}
