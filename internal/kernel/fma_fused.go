//go:build (arm64 || loong64 || ppc64 || ppc64le || riscv64 || s390x) && !nofma

package kernel

import "errors"

// FMA32 returns x*y + z with a single rounding. The compiler translates it to one
// fused instruction on these processors. Where FMA32 is inlined, z may be a product; the
// conversion of z keeps the compiler from fusing that product instead of x*y.
func FMA32(x, y, z float32) float32 { return x*y + float32(z) }

// axpyPlain is Axpy in plain Go.
func axpyPlain(y []float32, a float32, x []float32) {
	y = y[:len(x)]
	for i, v := range x {
		y[i] = FMA32(a, v, y[i])
	}
}

// axpyFour is equivalent to four calls of axpyPlain with a[k] and x[at[k]:], in one pass.
func axpyFour(y []float32, a *[4]float32, x []float32, at *[4]int) {
	a0, a1, a2, a3 := a[0], a[1], a[2], a[3]
	n := len(y)
	x0, x1, x2, x3 := x[at[0]:][:n], x[at[1]:][:n], x[at[2]:][:n], x[at[3]:][:n]
	for i, v := range y {
		y[i] = FMA32(a3, x3[i], FMA32(a2, x2[i], FMA32(a1, x1[i], FMA32(a0, x0[i], v))))
	}
}

// plainSlowness returns the Slowness of plain Go: the number of instructions that plain Go takes for a gradient step on
// arm64, divided by the number that the kernel for NEON takes.
func plainSlowness() int { return 10 }

// checkFMA returns an error unless the compiler has fused the products and sums of this file.
func checkFMA() error {
	// The arguments are chosen so that two roundings would change every result.
	a, x := [4]float32{1 + 0x1p-12, 1 - 0x1p-12, 1 + 0x1p-13, 1 - 0x1p-13}, []float32{1 + 0x1p-12, 1 - 0x1p-11}
	one, four := []float32{-1, -1}, []float32{-1, -1}
	axpyFour(four, &a, x, &[4]int{})
	for _, a := range a {
		axpyPlain(one, a, x)
	}
	for j := range one {
		want := float32(-1)
		for _, a := range a {
			want = emulateFMA32(a, x[j], want)
		}
		if one[j] != want || four[j] != want {
			return errors.New("kernel: this program was compiled without fused multiply-adds, which its processor has: build it with -tags nofma")
		}
	}
	return nil
}
