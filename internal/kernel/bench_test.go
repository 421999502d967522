package kernel

import (
	"fmt"
	"testing"
	"time"
)

// gflops reports the speed of a benchmark with the given number of floating-point operations per iteration: in GFLOP/s and, except
// for plain Go, as a percentage of the peak. The peak is the highest speed of independent multiply-adds in several short runs, which
// other processes disturb less than one long run.
func gflops(b *testing.B, operations float64) {
	b.Helper()
	speed := operations * float64(b.N) / float64(b.Elapsed().Nanoseconds())
	b.ReportMetric(speed, "GFLOP/s")
	peak := 0.0
	for range 20 {
		start := time.Now()
		operations := Peak(20_000)
		peak = max(peak, operations/float64(time.Since(start).Nanoseconds()))
	}
	if peak > 0 {
		b.ReportMetric(100*speed/peak, "%peak")
	}
}

// BenchmarkProduct measures the dense products of a step of the 117–100–100–2
// network with batches of 512, and those of predictions of 20 rows.
func BenchmarkProduct(b *testing.B) {
	for _, s := range []struct {
		name       string
		m, n, k    int
		transposed bool
	}{
		{"forward", 512, 100, 100, false},
		{"weights", 100, 100, 512, true},
		{"output", 512, 2, 100, false},
		{"outputWeights", 2, 100, 512, true},
		{"outputInput", 512, 100, 2, false},
		{"predict", 20, 100, 100, false},
		{"predictOutput", 20, 2, 100, false},
		{"even", 512, 112, 112, false},
	} {
		c, a, w := random[float32](source(1), s.m*s.n, 0), random[float32](source(2), s.m*s.k, 0), random[float32](source(3), s.k*s.n, 0)
		for i := range w {
			w[i] *= 0.01
		}
		ars, acs := s.k, 1
		if s.transposed {
			ars, acs = 1, s.m
		}
		b.Run(fmt.Sprintf("%s/%dx%dx%d", s.name, s.m, s.n, s.k), func(b *testing.B) {
			eachKernel(b, func(b *testing.B) {
				for b.Loop() {
					MulAdd(c, s.n, a, ars, acs, w, s.n, s.m, s.n, s.k, Ends{})
				}
				gflops(b, float64(2*s.m*s.n*s.k))
			})
		})
	}
}

// BenchmarkParts measures the other parts of a step of the network of BenchmarkProduct. Here each input has 22 ones, and about half
// of the hidden units are zero.
func BenchmarkParts(b *testing.B) {
	const batch, ones, in, wide, dim = 512, 22, 117, 100, 22_102
	off, idx := make([]int32, batch+1), make([]int32, batch*ones)
	for i := range batch {
		off[i+1] = int32((i + 1) * ones)
		for j := range ones { // one-hot: one of five inputs for each of 22 attributes
			idx[i*ones+j] = int32(j*in/ones + (i*7+j)%5)
		}
	}
	h, d, other := random[float32](source(1), batch*wide, 0), random[float32](source(2), batch*wide, 0), make([]float32, batch*wide)
	ReLU(h)
	ReLUGrad(d, h)
	w, g, bias := random[float32](source(3), in*wide, 0), make([]float32, in*wide), make([]float32, wide)
	x, grad, v, noise := random[float32](source(4), dim, 0), random[float32](source(5), dim, 0), make([]float32, dim), make([]float32, dim)
	step := Langevin{Step: 3e-7, Multiplier: 1, NoiseScale2: 1.8e-7, Alpha: .01, Rho: 1e-3, InvScale: 1. / 512, Precondition: true}
	multiply := func(e Ends) { MulAdd(other, wide, h, wide, 1, w, wide, batch, wide, wide, e) }
	for _, p := range []struct {
		name string
		f    func()
	}{
		{"SumRows", func() { SumRows(other, wide, bias, w, wide, off, idx) }},
		{"AddRows", func() { AddRows(g, wide, d, wide, off, idx) }},
		{"ColumnSums", func() { ColumnSums(bias, d, wide, batch, wide) }},
		{"MulBiasReLU", func() { multiply(Ends{Bias: bias, ReLU: true}) }},
		{"SkipMulBiasReLU", func() { multiply(Ends{Skip: true, Bias: bias, ReLU: true}) }},
		{"SkipMulReLUGrad", func() { multiply(Ends{Skip: true, Clear: true, H: h, LDH: wide}) }},
		{"SkipMulAdd", func() { MulAdd(g, wide, h, 1, wide, d, wide, wide, wide, batch, Ends{Skip: true}) }},
		{"MulReLUGrad", func() { multiply(Ends{Clear: true, H: h, LDH: wide}) }},
		{"ReLU", func() { ReLU(other) }},
		{"Transpose", func() { Transpose(g, wide, w, wide, wide, wide) }},
		{"normals", func() { Normals(noise, 1, 2, 3) }},
		{"langevin", func() { LangevinUpdate(x, grad, v, noise, &step) }},
	} {
		b.Run(p.name, func(b *testing.B) {
			eachKernel(b, func(b *testing.B) {
				for b.Loop() {
					p.f()
				}
			})
		})
	}
}
