package kernel

import (
	"slices"
	"testing"
)

func TestElementwise(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		b := &borders{t: t}
		r := source(3)
		for n := 0; n <= 1000; n++ {
			x, y := random[float32](r, n, 10), random[float32](r, n, 10)
			a := float32(r.NormFloat64())
			lead := n % 16

			want := slices.Clone(x)
			for i, v := range want {
				if v < 0 {
					want[i] = 0
				}
			}
			got := clone(b, x, lead)
			ReLU(got)
			same(t, "ReLU", got, want)

			want = slices.Clone(y)
			for i, h := range x {
				if h <= 0 {
					want[i] = 0
				}
			}
			got = clone(b, y, lead)
			ReLUGrad(got, clone(b, x, lead+1))
			same(t, "ReLUGrad", got, want)

			want = slices.Clone(y)
			for i, v := range x {
				want[i] = FMA32(a, v, want[i])
			}
			got = clone(b, y, lead)
			Axpy(got, a, clone(b, x, lead+1))
			same(t, "Axpy", got, want)
			b.check()
		}
	})
	// More elements than one call of the assembly processes.
	eachKernel(t, func(t *testing.T) {
		x, y := random[float32](source(4), 300_001, 0), make([]float32, 300_001)
		want := slices.Clone(y)
		axpyPlain(want, 2, x)
		Axpy(y, 2, x)
		same(t, "Axpy", y, want)
	})
	mustPanic(t, "kernel: x has length 2, want 3", func() { Axpy(make([]float32, 3), 1, make([]float32, 2)) })
	mustPanic(t, "kernel: h has length 2, want 3", func() { ReLUGrad(make([]float32, 3), make([]float32, 2)) })
}

func TestTranspose(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		b := &borders{t: t}
		r := source(5)
		for m := 0; m <= 40; m++ {
			for n := 0; n <= 40; n++ {
				lds, ldd := n+r.IntN(3), m+r.IntN(3)
				src, dst := random[float32](r, size(m, n, lds), 10), random[float32](r, size(n, m, ldd), 10)
				want := slices.Clone(dst)
				for i := range m {
					for j := range n {
						want[j*ldd+i] = src[i*lds+j]
					}
				}
				got := clone(b, dst, m%16)
				Transpose(got, ldd, clone(b, src, n%16), lds, m, n)
				same(t, "Transpose", got, want)
				b.check()
			}
		}
	})
	mustPanic(t, "kernel: dst: length 5 is too short for 3×2 with leading dimension 2",
		func() { Transpose(make([]float32, 5), 2, make([]float32, 6), 3, 2, 3) })
}

// TestNonzeros compares Nonzeros with the loop in its comment, on all lengths around whole vectors and blocks of 64.
func TestNonzeros(t *testing.T) {
	r := source(1)
	eachKernel(t, func(t *testing.T) {
		b := borders{t: t}
		for n := range 300 {
			for lead := range 4 {
				x := b.slice(n, lead)
				fill(r, x, 10)
				want := []int32{-7} // an element that dst already has
				for i := range x {
					if r.IntN(4) < lead { // 0, 25, 50 or 75 percent are zero
						x[i] = special[float32]()[r.IntN(2)] // 0 or −0
					}
					if x[i] != 0 {
						want = append(want, int32(i))
					}
				}
				if got := Nonzeros([]int32{-7}, x); !slices.Equal(got, want) {
					t.Fatalf("%d elements, lead %d: %v, want %v", n, lead, got, want)
				}
				b.check()
			}
		}
	})
}
