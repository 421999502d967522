package posterior

import (
	"fmt"
	"math"
	"testing"

	"banditsim/bandit/stream"
)

// smallestNormal is the smallest float64 that is not denormal.
const smallestNormal = 0x1p-1022

func sumOf(x []float64) (sum float64) {
	for _, v := range x {
		sum += v
	}
	return sum
}

func checkTheta(t *testing.T, name string, theta []float64) {
	t.Helper()
	if got := sumOf(theta); !near(got, 1, 1e-12) {
		t.Errorf("%s: Σθ − 1 = %g", name, got-1)
	}
	for i, v := range theta {
		if !(v >= smallestNormal) {
			t.Errorf("%s: θ(%d) = %g", name, i+1, v)
		}
	}
}

// TestO10SumOfTheta does 10⁶ updates over bins that are all visited.
func TestO10SumOfTheta(t *testing.T) {
	for _, field := range []string{"theta", "theta^zeta"} {
		t.Run(field, func(t *testing.T) {
			t.Parallel()
			const chains = 4
			o := ContourOptions{Bins: 30, Width: 2, Zeta: 2, Omega: 0.03, Overflow: "skip", Field: field, Weights: "theta"}
			h := NewHistogram(o, 1, chains)
			r := stream.Root(6).Child("energies")
			energies, m := make([]float64, chains), make([]float64, chains)
			for range 1_000_000 {
				for p := range energies {
					u := r.Float64()
					energies[p] = 65 * u * u // low bins more often, now and then none
				}
				h.Meet(m, energies)
			}
			checkTheta(t, field, h.theta)
		})
	}
}

// TestO10OneBinAbsorbsEverything: the other bins end at the floor, where
// logarithms are finite, and come back once they are visited.
func TestO10OneBinAbsorbsEverything(t *testing.T) {
	o := ContourOptions{Bins: 100, Width: 10, Zeta: 20, Omega: 0.03, Overflow: "skip", Field: "theta", Weights: "theta"}
	h := NewHistogram(o, 0.3, 1)
	m := make([]float64, 1)
	for _, bin := range []int{1, 50, 100, 2} {
		energy := []float64{10*float64(bin) - 5}
		for range 250_000 {
			h.Meet(m, energy)
			if math.IsNaN(m[0]) || math.IsInf(m[0], 0) {
				t.Fatalf("bin %d: multiplier %g", bin, m[0])
			}
		}
		checkTheta(t, fmt.Sprint("all in bin ", bin), h.theta)
		checkNear(t, fmt.Sprint("θ of bin ", bin), h.theta[bin-1], 1, 1e-12)
		if got := h.theta[(bin+9)%100]; got != smallestTheta {
			t.Errorf("all in bin %d: θ of another bin is %g, want the floor %g", bin, got, smallestTheta)
		}
	}
}
