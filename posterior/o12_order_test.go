package posterior

import (
	"fmt"
	"testing"
)

// TestO12Order is the table of algorithms.md: four steps of two chains on
// U = x² with given noise. It tells the order of things: θ learns from where the
// chains are before the move, the multipliers come from the new θ, and the first
// step does not move θ.
func TestO12Order(t *testing.T) {
	target := function{1, func(grad, x []float32) float64 {
		grad[0] = 2 * x[0]
		return float64(x[0]) * float64(x[0])
	}}
	h := NewHistogram(ContourOptions{
		Bins: 4, Start: 0, Width: 1, Zeta: 2, Omega: 0.25, Overflow: "skip", Field: "theta", Weights: "theta",
	}, 0.5, 2)
	s := &Langevin{LearningRate: 1. / 16, Temperature: 0.5, Contour: h, Noise: []Normals{
		&script{[][]float32{{1}, {-0.5}, {1.5}, {-1}}},
		&script{[][]float32{{2}, {-2}, {0.5}, {1}}},
	}}
	chains := []Chain{NewChain(target, []float32{1.5}), NewChain(target, []float32{-1.25})}
	for k, want := range []struct {
		bins        [2]int
		multipliers [2]float64
		theta       []float64
		x           [2]float64
	}{
		{[2]int{3, 2}, [2]float64{1, 1}, []float64{0.25, 0.25, 0.25, 0.25}, [2]float64{1.5625, -0.59375}},
		{[2]int{3, 1}, [2]float64{1.12516314295, 1}, []float64{0.265625, 0.234375, 0.265625, 0.234375},
			[2]float64{1.21774157364, -1.01953125}},
		{[2]int{2, 2}, [2]float64{1.11035170016, 1.11035170016}, []float64{0.250061035156, 0.279235839844, 0.250061035156, 0.220642089844},
			[2]float64{1.42372639531, -0.753026467899}},
		{[2]int{3, 1}, [2]float64{1.01481335765, 1}, []float64{0.265686034225, 0.261779339053, 0.265686034225, 0.206848592497},
			[2]float64{0.99312432486, -0.408898159412}},
	} {
		advance(t, s, chains, 1)
		name := fmt.Sprintf("step %d: ", k+1)
		for p := range chains {
			if h.bins[p] != want.bins[p] {
				t.Errorf("%sbin %d of chain %d, want %d", name, h.bins[p], p, want.bins[p])
			}
			checkNear(t, name+"multiplier", chains[p].Multiplier, want.multipliers[p], 1e-11)
			checkNear(t, name+"x", float64(chains[p].X[0]), want.x[p], 3e-7) // float32
		}
		checkVector(t, name+"θ", h.theta, want.theta, 1e-11)
	}
}
