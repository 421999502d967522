package posterior

import (
	"math"
	"testing"
)

// TestO8Multiplier is the hand case of algorithms.md: θ = (.6, .3, .1), ζτ/Δu = 2.
func TestO8Multiplier(t *testing.T) {
	h := NewHistogram(ContourOptions{Bins: 3, Width: 1, Zeta: 4, Omega: 0.1, Overflow: "skip", Field: "theta", Weights: "theta"}, 0.5, 4)
	copy(h.theta, []float64{0.6, 0.3, 0.1})
	m := make([]float64, 4)
	h.Meet(m, []float64{1.5, 0.5, 2.5, 3.5}) // the first Meet does not move θ
	for p, want := range []float64{
		1 + 2*math.Log(0.3/0.6), // −0.386
		1,                       // the first bin
		1 + 2*math.Log(0.1/0.3),
		1, // no bin
	} {
		checkNear(t, "multiplier", m[p], want, 1e-15)
	}
	checkNear(t, "multiplier", m[0], -0.386, 5e-4)
}
