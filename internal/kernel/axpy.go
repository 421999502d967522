package kernel

// Axpy adds a·x to y,
//
//	for i := range y {
//		y[i] = FMA32(a, x[i], y[i])
//	}
//
// x and y may be the same slice.
func Axpy(y []float32, a float32, x []float32) {
	checkLen("x", len(x), len(y))
	axpy(y, a, x)
}
