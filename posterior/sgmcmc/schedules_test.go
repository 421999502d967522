package sgmcmc

import (
	"math"
	"slices"
	"testing"

	"banditsim/internal/checktest"
)

func TestCosine(t *testing.T) {
	for i := range 1001 {
		x := float64(i) / 1000
		checktest.Near(t, "cos", cosine(x), math.Cos(math.Pi*x), 1e-15)
	}
}

func TestMedian(t *testing.T) {
	r := checktest.Stream("median")
	for n := range 60 {
		v := make([]float64, n)
		for i := range v {
			v[i] = float64(r.IntN(20))
		}
		sorted := slices.Sorted(slices.Values(v))
		want := 0.0
		if n > 0 {
			want = sorted[n/2]
		}
		if got := median(v); got != want {
			t.Fatalf("median of %v is %g, want %g", sorted, got, want)
		}
	}
}

// TestOmega: ω_k = min(ω, 1/(k^a + b)).
func TestOmega(t *testing.T) {
	o := ContourOptions{Bins: 100, Width: 10}
	o.Omega, o.OmegaExponent, o.OmegaOffset = 0.003, 0.6, 100
	h := newHistogram(o, 1, 1)
	for _, c := range []struct {
		k    int
		want float64
	}{{1, 0.003}, {1000, 0.003}, {100_000, 1 / (1000.0 + 100)}, {1_000_000, 1 / (math.Pow(1e6, 0.6) + 100)}} {
		h.moves = c.k
		checktest.Near(t, "ω_k/want", h.omega()/c.want, 1, 1e-12)
	}
}

// TestForwardDifference: the multiplier of the authors' simulation of CSGLD.
func TestForwardDifference(t *testing.T) {
	var o ContourOptions
	o.Bins, o.Width, o.Zeta, o.Difference = 3, 1, 4, "forward"
	h := newHistogram(o, 0.5, 1)
	if err := h.setTheta([]float64{6, 3, 1}); err != nil {
		t.Fatal(err)
	}
	for j, want := range []float64{1, 1 + 2*math.Log(.3/.6), 1 + 2*math.Log(.1/.3), 1} {
		checktest.Near(t, "M", h.multiplier(j), want, 1e-12)
	}
	for _, wrong := range [][]float64{{1, 1}, {1, 0, 1}, {1, math.NaN(), 1}, {1, math.Inf(1), 1}} {
		if h.setTheta(wrong) == nil {
			t.Errorf("θ = %v is accepted", wrong)
		}
	}
	checktest.Near(t, "θ(1) after refused ones", h.theta[0], 0.6, 1e-15)
}
