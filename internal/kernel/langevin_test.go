package kernel

import (
	"fmt"
	"slices"
	"testing"

	"banditsim/internal/must"
)

// langevinCase compares the kernel in use with LangevinPlain.
func langevinCase(t testing.TB, b *borders, n, lead, rare int, silent bool, p Langevin, seed uint64) {
	t.Helper()
	r := source(seed)
	x, g, v, w := random[float32](r, n, rare), random[float32](r, n, rare), random[float32](r, n, rare), random[float32](r, n, rare)
	if rare == 0 {
		for i := range v {
			v[i] *= v[i]
		}
	}
	wantX, wantV := slices.Clone(x), slices.Clone(v)
	gotX, gotV := clone(b, x, lead), clone(b, v, lead+1)
	gg, gw := clone(b, g, lead+2), clone(b, w, lead+3)
	if silent {
		w, gw = nil, nil
	}
	if !p.Precondition {
		wantV, gotV = nil, nil
	}
	LangevinPlain(wantX, g, wantV, w, &p)
	LangevinUpdate(gotX, gg, gotV, gw, &p)
	what := fmt.Sprintf("n=%d silent=%v %+v", n, silent, p)
	same(t, what+": x", gotX, wantX)
	same(t, what+": v", gotV, wantV)
	b.check()
}

func TestLangevinUpdate(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		b := &borders{t: t}
		for n := 0; n <= 1000; n++ {
			p := Langevin{
				Step: 3e-3, Multiplier: []float32{1, -0.386, 48}[n%3], NoiseScale2: 1.8e-3, Alpha: 0.01, Rho: 1e-3, InvScale: 1. / 512,
				Precondition: n%7 != 0, MultipliedV: n%2 == 0,
			}
			langevinCase(t, b, n, n%16, []int{0, 20}[n%4/3], n%5 == 0, p, uint64(n))
		}
		langevinCase(t, b, 150_001, 0, 0, false, Langevin{Step: 1, Multiplier: 1, NoiseScale2: 1}, 1)
	})
}

func FuzzLangevinUpdate(f *testing.F) {
	f.Add(uint16(100), uint8(3), float32(3e-7), float32(1), float32(1.8e-7), float32(.01), float32(1e-3), float32(1./512), uint64(1))
	b := &borders{t: f}
	f.Fuzz(func(t *testing.T, n uint16, bits uint8, step, mult, noise, alpha, rho, inv float32, seed uint64) {
		p := Langevin{
			Step: step, Multiplier: mult, NoiseScale2: noise, Alpha: alpha, Rho: rho, InvScale: inv,
			Precondition: bits&1 != 0, MultipliedV: bits&2 != 0,
		}
		defer restoreKernel(t, Name())
		defer func() { b.t = f }()
		b.t = t
		for _, name := range Available() {
			restoreKernel(t, name)
			langevinCase(t, b, int(n)%200, int(seed%16), int(bits&8), bits&4 != 0, p, seed)
		}
	})
}

// TestLangevinByHand compares steps with results computed by hand.
func TestLangevinByHand(t *testing.T) {
	p := Langevin{Step: 0.5, Multiplier: 3, NoiseScale2: 4, Precondition: true, Alpha: 0.5, Rho: 1, InvScale: 2}
	for _, c := range []struct {
		name               string
		multiplied, pre    bool
		v, w, wantX, wantV float32
	}{
		// q = g/s = 1·2 = 2, V = ½·14 + ½·2² = 9, G = 1/(1+3) = ¼, x = 10 − ½·¼·3·1 + √(4·¼)·2 = 10 − 0.375 + 2.
		{"V from g", false, true, 14, 2, 11.625, 9},
		// q = 6, V = ½·14 + ½·6² = 25, G = 1/(1+5).
		{"V from M·g", true, true, 14, 0, 10 - 0.25, 25},
		// G = 1, x = 10 − ½·3 + √4·2.
		{"without the preconditioner", true, false, 14, 2, 12.5, 14},
	} {
		p.MultipliedV, p.Precondition = c.multiplied, c.pre
		x, v := []float32{10}, []float32{c.v}
		LangevinPlain(x, []float32{1}, v, []float32{c.w}, &p)
		must.That(t, x[0] == c.wantX && v[0] == c.wantV, "%s: x, V = %v, %v, want %v, %v", c.name, x[0], v[0], c.wantX, c.wantV)
	}
}

func TestLangevinPanics(t *testing.T) {
	x, y := make([]float32, 3), make([]float32, 2)
	p := &Langevin{Precondition: true}
	mustPanic(t, "kernel: g has length 2, want 3", func() { LangevinUpdate(x, y, x, x, p) })
	mustPanic(t, "kernel: v has length 2, want 3", func() { LangevinUpdate(x, x, y, x, p) })
	mustPanic(t, "kernel: w has length 2, want 3", func() { LangevinUpdate(x, x, x, y, p) })
	mustPanic(t, "kernel: v has length 0, want 3", func() { LangevinUpdate(x, x, nil, x, p) })
}
