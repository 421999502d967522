package kernel

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
)

// A productCase describes a product of random matrices.
type productCase struct {
	m, n, k    int
	c, a, b, h int // the matrices' leading dimensions minus numbers of columns
	transposed bool
	padded     bool // the rows of B are padded to whole cache lines
	rare       int
	lead       int
	variant    int // index into productVariants
	seed       uint64
}

// A variant reports which fields of Ends are set.
type variant struct{ skip, clear, bias, relu, grad bool }

// The variants from index 4 on skip zeros.
var productVariants = []variant{
	{}, {bias: true}, {bias: true, relu: true}, {clear: true, grad: true},
	{skip: true}, {skip: true, bias: true, relu: true}, {skip: true, clear: true, grad: true},
}

// run compares every available kernel with the loop in the comment of MulAdd, with separate steps for the options of Ends.
func (p productCase) run(t testing.TB, b *borders) {
	t.Helper()
	r := source(p.seed)
	ldc, ldb, ldh := p.n+p.c, p.n+p.b, p.n+p.h
	lenb := size(p.k, p.n, ldb)
	if p.padded {
		ldb = (p.n + 15) &^ 15
		lenb = p.k * ldb
	}
	ars, acs, lena := p.k+p.a, 1, size(p.m, p.k, p.k+p.a)
	if p.transposed {
		ars, acs, lena = 1, p.m+p.a, size(p.k, p.m, p.m+p.a)
	}
	c, a, bb := random[float32](r, size(p.m, p.n, ldc), p.rare), random[float32](r, lena, p.rare), random[float32](r, lenb, p.rare)
	is := productVariants[p.variant]
	if is.skip {
		for i := range a {
			if r.IntN(2) == 0 {
				a[i] = special[float32]()[r.IntN(2)] // 0 or −0
			}
		}
	}
	bias, h := random[float32](r, p.n, p.rare), random[float32](r, size(p.m, p.n, ldh), p.rare)

	want := slices.Clone(c)
	for i := range p.m {
		for j := range p.n {
			v := want[i*ldc+j]
			if is.bias {
				v = bias[j]
			} else if is.clear {
				v = 0
			}
			for q := range p.k {
				if x := a[i*ars+q*acs]; x != 0 || !is.skip {
					v = FMA32(x, bb[q*ldb+j], v)
				}
			}
			one := []float32{v}
			if is.relu {
				reluPlain(one)
			}
			if is.grad {
				reluGradPlain(one, h[i*ldh+j:][:1])
			}
			want[i*ldc+j] = one[0]
		}
	}

	defer restoreKernel(t, Name())
	for _, name := range Available() {
		restoreKernel(t, name)
		what := fmt.Sprintf("%s: %+v %+v", name, is, p)
		got := clone(b, c, p.lead)
		ga, gb := clone(b, a, p.lead+1), clone(b, bb, p.lead+2)
		e := Ends{Skip: is.skip, Clear: is.clear, ReLU: is.relu, LDH: ldh}
		if is.bias {
			e.Bias = clone(b, bias, p.lead+3)
		}
		if is.grad {
			e.H = clone(b, h, p.lead)
		}
		MulAdd(got, ldc, ga, ars, acs, gb, ldb, p.m, p.n, p.k, e)
		same(t, what, got, want)
		same(t, what+": a", ga, a)
		same(t, what+": b", gb, bb)
		b.check()
	}
}

// size returns the smallest length of a rows×cols matrix with leading dimension ld.
func size(rows, cols, ld int) int {
	if rows == 0 || cols == 0 {
		return 0
	}
	return (rows-1)*ld + cols
}

func randomProduct(r *rand.Rand) productCase {
	return productCase{
		c: r.IntN(4), a: r.IntN(4), b: r.IntN(4), h: r.IntN(4),
		transposed: r.IntN(2) == 0, padded: r.IntN(3) == 0, rare: []int{0, 0, 50}[r.IntN(3)], lead: r.IntN(16),
		variant: r.IntN(len(productVariants)), seed: r.Uint64(),
	}
}

func TestProducts(t *testing.T) {
	b := &borders{t: t}
	r := source(1)
	try := func(variant, m, n, k int) {
		p := randomProduct(r)
		p.m, p.n, p.k = m, n, k
		if variant >= 0 {
			p.variant = variant
		}
		p.run(t, b)
	}
	for m := 0; m <= 20; m++ {
		for n := 0; n <= 40; n++ {
			for _, k := range []int{0, 1, 2, 3, 5} {
				try(-1, m, n, k)
			}
		}
	}
	for range 300 {
		try(-1, r.IntN(41), r.IntN(41), r.IntN(41))
	}
	for n := 1; n <= 250; n++ { // all widths of panels
		try(r.IntN(4), 1+r.IntN(9), n, 1+r.IntN(3))
		try(4+r.IntN(3), 1+r.IntN(9), n, 1+r.IntN(3))
	}
	for k := 1; k <= 200; k++ { // the bits of a row of A in one word and in several
		try(4+r.IntN(3), 1+r.IntN(140), 1+r.IntN(20), k)
	}
	// The shapes of the network with batches of 512, 20 and 1, and a product that needs several calls of the assembly.
	for _, s := range [][3]int{{512, 100, 100}, {512, 2, 100}, {512, 100, 2}, {100, 100, 512}, {100, 2, 512},
		{2, 100, 512}, {20, 100, 100}, {20, 2, 100}, {1, 100, 100}, {1, 2, 100}, {40, 24, 5000}} {
		for variant := range productVariants {
			try(variant, s[0], s[1], s[2])
		}
	}
}

func FuzzMulAdd(f *testing.F) {
	f.Add(uint8(4), uint8(100), uint8(7), uint8(0), uint64(1))
	f.Add(uint8(9), uint8(17), uint8(1), uint8(0xff), uint64(2))
	b := &borders{t: f}
	f.Fuzz(func(t *testing.T, m, n, k, bits uint8, seed uint64) {
		p := productCase{
			m: int(m) % 50, n: int(n), k: int(k) % 150,
			c: int(bits & 1), a: int(bits >> 1 & 1), b: int(bits >> 2 & 1), h: int(bits >> 3 & 1),
			transposed: bits>>4&1 == 1, rare: int(bits>>5&1) * 20, variant: int(seed % uint64(len(productVariants))),
			padded: seed>>8&1 == 1, seed: seed, lead: int(seed % 16),
		}
		defer func() { b.t = f }()
		b.t = t
		p.run(t, b)
	})
}

func TestProductPanics(t *testing.T) {
	const quarter = 1 << (bits.UintSize - 2) // the size of the matrix overflows an int
	x, short, none := make([]float32, 100), make([]float32, 99), Ends{}
	for _, c := range []struct {
		want     string
		c        []float32
		ldc      int
		a        []float32
		ars, acs int
		b        []float32
		m, n     int
		e        Ends
	}{
		{"m is -1, want at least 0", x, 10, x, 10, 1, x, -1, 10, none},
		{"c: leading dimension 9 is less than the 10 columns", x, 9, x, 10, 1, x, 10, 10, none},
		{"c: length 99 is too short for 10×10 with leading dimension 10", short, 10, x, 10, 1, x, 10, 10, none},
		{"b: length 99 is too short for 10×10 with leading dimension 10", x, 10, x, 10, 1, short, 10, 10, none},
		{"a: length 99 is too short for 10×10 with strides 10 and 1", x, 10, short, 10, 1, x, 10, 10, none},
		{"a: length 99 is too short for 10×10 with strides 1 and 10", x, 10, short, 1, 10, x, 10, 10, none},
		{"a: strides -1 and 1, want at least 0", x, 10, x, -1, 1, x, 10, 10, none},
		{"bias has length 9, want 10", x, 10, x, 10, 1, x, 10, 10, Ends{Bias: x[:9]}},
		{"h: length 50 is too short for 10×10 with leading dimension 10", x, 10, x, 10, 1, x, 10, 10, Ends{H: x[:50], LDH: 10}},
		{fmt.Sprintf("c: length 100 is too short for %d×2 with leading dimension %d", quarter+1, quarter),
			x, quarter, x, 10, 1, x, quarter + 1, 2, none},
	} {
		mustPanic(t, "kernel: "+c.want, func() { MulAdd(c.c, c.ldc, c.a, c.ars, c.acs, c.b, 10, c.m, c.n, 10, c.e) })
	}
}
