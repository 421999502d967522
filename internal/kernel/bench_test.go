package kernel

import (
	"fmt"
	"testing"
	"time"
)

// eachKernelBench runs the benchmark with every available kernel.
func eachKernelBench(b *testing.B, f func(b *testing.B)) {
	defer restoreKernel(b, Name())
	for _, name := range Available() {
		if err := Use(name); err != nil {
			b.Fatal(err)
		}
		b.Run(name, f)
	}
}

// gflops reports the speed of a benchmark with that many floating-point operations
// per iteration, in GFLOP/s and as a percentage of the speed of independent
// multiply-adds, which it measures.
func gflops(b *testing.B, operations float64) {
	b.Helper()
	speed := operations * float64(b.N) / float64(b.Elapsed().Nanoseconds())
	b.ReportMetric(speed, "GFLOP/s")
	if peak := peakGflops(); peak > 0 {
		b.ReportMetric(100*speed/peak, "%peak")
	}
}

// perElement reports nanoseconds per element.
func perElement(b *testing.B, n int, unit string) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/"+unit)
}

// peakGflops returns the largest speed of short runs, which other processes affect
// less than a long run. It is 0 for plain Go.
func peakGflops() float64 {
	const rounds = 20_000
	best := 0.0
	for range 20 {
		start := time.Now()
		operations := Peak(rounds)
		best = max(best, operations/float64(time.Since(start).Nanoseconds()))
	}
	return best
}

func random(seed uint64, n int) []float32 {
	x := make([]float32, n)
	fill(source(seed), x, 0)
	return x
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
		c, a, w := random(1, s.m*s.n), random(2, s.m*s.k), random(3, s.k*s.n)
		for i := range w {
			w[i] *= 0.01
		}
		ars, acs := s.k, 1
		if s.transposed {
			ars, acs = 1, s.m
		}
		b.Run(fmt.Sprintf("%s/%dx%dx%d", s.name, s.m, s.n, s.k), func(b *testing.B) {
			eachKernelBench(b, func(b *testing.B) {
				for b.Loop() {
					MulAdd(c, s.n, a, ars, acs, w, s.n, s.m, s.n, s.k)
				}
				gflops(b, float64(2*s.m*s.n*s.k))
			})
		})
	}
}

// network is the memory of a step of the network. Each input has 22 ones.
type network struct {
	off, idx               []int32
	w1, w2, w3, w2t, w3t   []float32
	b1, b2, b3             []float32
	h1, h2, y, d1, d2, dy  []float32
	g1, g2, g3, gb, params []float32
	grad, v, noise         []float32
}

const (
	batch = 512
	ones  = 22
	in    = 117
	wide  = 100
	out   = 2
	dim   = in*wide + wide + wide*wide + wide + wide*out + out
)

func newNetwork() *network {
	r := source(4)
	n := &network{off: make([]int32, batch+1), idx: make([]int32, batch*ones)}
	for i := range batch {
		n.off[i+1] = int32((i + 1) * ones)
		for j := range ones { // one of about five values per column
			n.idx[i*ones+j] = int32(j*in/ones + r.IntN(5))
		}
	}
	seed := uint64(10)
	mat := func(size int) []float32 {
		seed++
		x := random(seed, size)
		for i := range x {
			x[i] *= 0.1
		}
		return x
	}
	n.w1, n.w2, n.w3 = mat(in*wide), mat(wide*wide), mat(wide*out)
	n.w2t, n.w3t = mat(wide*wide), mat(wide*out)
	n.b1, n.b2, n.b3 = mat(wide), mat(wide), mat(out)
	n.h1, n.h2, n.y = mat(batch*wide), mat(batch*wide), mat(batch*out)
	n.d1, n.d2, n.dy = mat(batch*wide), mat(batch*wide), mat(batch*out)
	n.g1, n.g2, n.g3, n.gb = mat(in*wide), mat(wide*wide), mat(wide*out), mat(wide)
	n.params, n.grad, n.v, n.noise = mat(dim), mat(dim), mat(dim), mat(dim)
	for i := range n.v {
		n.v[i] = 1
	}
	return n
}

func (n *network) forward() {
	SumRows(n.h1, wide, n.b1, n.w1, wide, n.off, n.idx)
	ReLU(n.h1)
	SkipMulBiasReLU(n.h2, wide, n.b2, n.h1, wide, 1, n.w2, wide, batch, wide, wide)
	MulBias(n.y, out, n.b3, n.h2, wide, 1, n.w3, out, batch, out, wide)
}

func (n *network) backward() {
	Transpose(n.w3t, wide, n.w3, out, wide, out)
	Transpose(n.w2t, wide, n.w2, wide, wide, wide)
	clear(n.g1)
	clear(n.g2)
	clear(n.g3)
	clear(n.gb)
	MulAdd(n.g3, wide, n.dy, 1, out, n.h2, wide, out, wide, batch)
	MulReLUGrad(n.d2, wide, n.h2, wide, n.dy, out, 1, n.w3t, wide, batch, wide, out)
	SkipMulAdd(n.g2, wide, n.h1, 1, wide, n.d2, wide, wide, wide, batch)
	ColumnSums(n.gb, n.d2, wide, batch, wide)
	SkipMulReLUGrad(n.d1, wide, n.h1, wide, n.d2, wide, 1, n.w2t, wide, batch, wide, wide)
	AddRows(n.g1, wide, n.d1, wide, n.off, n.idx)
	ColumnSums(n.gb, n.d1, wide, batch, wide)
}

var stepOfPaper = Langevin[float32]{Step: 3e-7, Multiplier: 1, NoiseScale2: 1.8e-7, Alpha: .01, Rho: 1e-3, InvScale: 1. / 512, Precondition: true}

func (n *network) update(block uint64) {
	Normals(n.noise, 1, 2, block)
	LangevinUpdate(n.params, n.grad, n.v, n.noise, &stepOfPaper)
}

func BenchmarkStep(b *testing.B) {
	// The multiply-adds of the three products of hidden layers, including those
	// with zeros, and of the output layer; an addition of the sparse layer counts
	// as a multiply-add.
	const operations = 2 * batch * (3*wide*wide + 3*wide*out + 2*ones*wide)
	eachKernelBench(b, func(b *testing.B) {
		n := newNetwork()
		for b.Loop() {
			n.forward()
			n.backward()
			n.update(0)
		}
		gflops(b, operations)
	})
}

func BenchmarkParts(b *testing.B) {
	n := newNetwork()
	n.forward()
	ReLU(n.d2) // about half of it is zero in training too
	other := make([]float32, len(n.h1))
	for _, p := range []struct {
		name string
		f    func()
	}{
		{"SumRows", func() { SumRows(other, wide, n.b1, n.w1, wide, n.off, n.idx) }},
		{"AddRows", func() { AddRows(n.g1, wide, n.d1, wide, n.off, n.idx) }},
		{"ColumnSums", func() { ColumnSums(n.gb, n.d2, wide, batch, wide) }},
		{"MulBiasReLU", func() { MulBiasReLU(n.h2, wide, n.b2, n.h1, wide, 1, n.w2, wide, batch, wide, wide) }},
		{"SkipMulBiasReLU", func() { SkipMulBiasReLU(n.h2, wide, n.b2, n.h1, wide, 1, n.w2, wide, batch, wide, wide) }},
		{"SkipMulReLUGrad", func() { SkipMulReLUGrad(n.d1, wide, n.h1, wide, n.d2, wide, 1, n.w2t, wide, batch, wide, wide) }},
		{"MulAdd", func() { MulAdd(n.g2, wide, n.h1, 1, wide, n.d2, wide, wide, wide, batch) }},
		{"SkipMulAdd", func() { SkipMulAdd(n.g2, wide, n.h1, 1, wide, n.d2, wide, wide, wide, batch) }},
		{"MulReLUGrad", func() { MulReLUGrad(n.d1, wide, n.h1, wide, n.d2, wide, 1, n.w2t, wide, batch, wide, wide) }},
		{"ReLU", func() { ReLU(n.h1) }},
		{"ReLUGrad", func() { ReLUGrad(n.d1, n.h1) }},
		{"Transpose", func() { Transpose(n.w2t, wide, n.w2, wide, wide, wide) }},
		{"Axpy", func() { Axpy(n.grad, 1e-9, n.params) }},
	} {
		b.Run(p.name, func(b *testing.B) {
			eachKernelBench(b, func(b *testing.B) {
				for b.Loop() {
					p.f()
				}
			})
		})
	}
}

// BenchmarkUpdate measures the update of the parameters of the network.
func BenchmarkUpdate(b *testing.B) {
	n := newNetwork()
	for _, p := range []struct {
		name string
		f    func()
	}{
		{"normals", func() { Normals(n.noise, 1, 2, 3) }},
		{"langevin", func() { LangevinUpdate(n.params, n.grad, n.v, n.noise, &stepOfPaper) }},
		{"both", func() { n.update(0) }},
	} {
		b.Run(p.name, func(b *testing.B) {
			eachKernelBench(b, func(b *testing.B) {
				for b.Loop() {
					p.f()
				}
				perElement(b, dim, "param")
			})
		})
	}
}

func BenchmarkFMA32(b *testing.B) {
	x, y := random(1, 1000), random(2, 1000)
	for b.Loop() {
		axpyPlain(y, 0.5, x)
	}
	perElement(b, len(x), "op")
}
