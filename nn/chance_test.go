package nn

import (
	"fmt"
	"math"
	"testing"

	"banditsim/bandit/stream"
)

// TestInitReachesItsBound: of n uniform numbers on ±b the largest is below b(1 − 20/n) with
// probability e⁻²⁰, in weights and in biases, at both ends. Layers that widen and narrow tell
// fan-in from fan-out.
func TestInitReachesItsBound(t *testing.T) {
	m, err := New(4, 3000, 7, 2000)
	if err != nil {
		t.Fatal(err)
	}
	x := make([]float32, m.Dim())
	m.Init(x, stream.Root(1))
	for i, l := range m.layers {
		for what, part := range map[string][]float32{"weights": l.weights(x), "biases": l.bias(x)} {
			if len(part) < 1000 {
				continue
			}
			low, high := math.Inf(1), math.Inf(-1)
			for _, v := range part {
				low, high = min(low, float64(v)), max(high, float64(v))
			}
			bound := 1 / math.Sqrt(float64(l.in))
			near := func(v float64) bool { return v <= bound*(1+1e-6) && v > bound*(1-20/float64(len(part))) }
			if !near(high) || !near(-low) {
				t.Errorf("layer %d: %s from %g to %g, want ±%g", i, what, low, high, bound)
			}
		}
	}
}

// TestDropoutKeepsByTheWord: a mask keeps a unit where the next 16 bits of the stream, as a
// fraction, are at least the rate. There are so many units that each value of the bits occurs.
func TestDropoutKeepsByTheWord(t *testing.T) {
	const rows, width = 160, 4096
	p := newProblem(t, rows, false, 1, width, 1)
	ws := p.net.newWorkspace(rows)
	for _, rate := range []float64{0.5, 0.25, 0.3, 1. / 65536, 65535. / 65536} {
		t.Run(fmt.Sprint(rate), func(t *testing.T) {
			ws.Forward(p.x, p.dense(), &Dropout{Rate: rate, Samples: 1, Rand: stream.Root(5)})
			words := stream.Root(5)
			resolved := math.Round(rate*65536) / 65536
			var word uint64
			kept, edge := 0, 0
			for i, factor := range factors(ws) {
				if i%4 == 0 {
					word = words.Uint64()
				}
				u := float64(word&0xFFFF) / 65536
				word >>= 16
				want := 0.0
				if u >= resolved {
					want = 1 / (1 - rate)
					kept++
				}
				if u == resolved {
					edge++
				}
				if !near(float64(factor), want, 1e-6*want) {
					t.Fatalf("unit %d: factor %g at %g, want %g", i, factor, u, want)
				}
			}
			if edge == 0 {
				t.Error("no number at the edge: the test shows nothing")
			}
			n := float64(rows * width)
			if got, se := float64(kept)/n, math.Sqrt(rate*(1-rate)/n); !near(got, 1-resolved, 6*se) {
				t.Errorf("%g of the units kept, want %g", got, 1-resolved)
			}
		})
	}
}
