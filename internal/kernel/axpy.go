package kernel

// Axpy adds a multiple of x to y,
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

// axpyPlain is the innermost loop of plain Go: FMA32 written out, since it is too
// long for the compiler to inline.
func axpyPlain(y []float32, a float32, x []float32) {
	y = y[:len(x)]
	for i, v := range x {
		p, z := float64(a)*float64(v), float64(y[i])
		if s := p + z; hard(s) {
			y[i] = fma32Slow(p, z, s)
		} else {
			y[i] = float32(s)
		}
	}
}
