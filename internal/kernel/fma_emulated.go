//go:build !(arm64 || loong64 || ppc64 || ppc64le || riscv64 || s390x) || nofma

package kernel

import "runtime"

// FMA32 returns x*y + z with a single rounding, like a float32 fused multiply-add.
func FMA32(x, y, z float32) float32 { return emulateFMA32(x, y, z) }

// axpyPlain is Axpy in plain Go. It contains the body of emulateFMA32, which is too
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

// axpyFour is equivalent to four calls of axpyPlain with a[k] and x[at[k]:], in one pass.
func axpyFour(y []float32, a *[4]float32, x []float32, at *[4]int) {
	a0, a1, a2, a3 := float64(a[0]), float64(a[1]), float64(a[2]), float64(a[3])
	n := len(y)
	x0, x1, x2, x3 := x[at[0]:][:n], x[at[1]:][:n], x[at[2]:][:n], x[at[3]:][:n]
	for i, v := range y {
		// Testing s before rounding lets the compiler put the result into the
		// register of s. On amd64 a conversion to another register waits for
		// the register's old value, which made the loop twice as slow.
		s := float64(a0*float64(x0[i])) + float64(v)
		if !hard(s) {
			s = float64(a1*float64(x1[i])) + float64(float32(s))
			if !hard(s) {
				s = float64(a2*float64(x2[i])) + float64(float32(s))
				if !hard(s) {
					s = float64(a3*float64(x3[i])) + float64(float32(s))
					if !hard(s) {
						y[i] = float32(s)
						continue
					}
				}
			}
		}
		for k, first := range at {
			v = emulateFMA32(a[k], x[first+i], v)
		}
		y[i] = v
	}
}

// plainSlowness returns the Slowness of plain Go, as measured on amd64 and, for wasm, in Node.js.
func plainSlowness() int {
	if runtime.GOARCH == "wasm" {
		return 200
	}
	return 30
}

// checkFMA returns nil: FMA32 does not rely on fused instructions in this build.
func checkFMA() error { return nil }
