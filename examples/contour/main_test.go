package main

import (
	"slices"
	"testing"

	"banditsim/posterior/sgmcmc"
)

func contour() sgmcmc.ContourOptions {
	o := sgmcmc.PICSGLD().Defaults().Contour
	o.ThetaWarmup = 0
	return o
}

// TestEqualChains checks that separate histograms agree with a shared one while all chains are in the same bin.
func TestEqualChains(t *testing.T) {
	const chains, steps = 3, 500
	apart, err := NewApart(contour(), 0.3, chains)
	if err != nil {
		t.Fatal(err)
	}
	shared, err := sgmcmc.NewHistogram(contour(), 0.3, chains)
	if err != nil {
		t.Fatal(err)
	}
	a, b := make([]float64, chains), make([]float64, chains)
	moved := false
	for k := range steps {
		u := []float64{0, 0, 0}
		for i := range u {
			u[i] = float64((k*7919)%900) + 0.5 + float64(i)/10
		}
		apart.Meet(a, u)
		shared.Meet(b, u)
		if !slices.Equal(a, b) {
			t.Fatalf("step %d: multipliers %v, want %v", k, a, b)
		}
		moved = moved || a[0] != 1
	}
	if !moved {
		t.Error("no multiplier has moved")
	}
	apart.Weights(a)
	shared.Weights(b)
	if !slices.Equal(a, b) {
		t.Errorf("weights %v, want %v", a, b)
	}
}

// TestNoInteraction checks that the energy of one chain does not affect the multiplier of another.
func TestNoInteraction(t *testing.T) {
	one, err := NewApart(contour(), 0.3, 2)
	if err != nil {
		t.Fatal(err)
	}
	other, err := NewApart(contour(), 0.3, 2)
	if err != nil {
		t.Fatal(err)
	}
	a, b := make([]float64, 2), make([]float64, 2)
	differ := false
	for k := range 500 {
		u := float64((k * 7919) % 900)
		one.Meet(a, []float64{u, u})
		other.Meet(b, []float64{u, 1000 - u})
		if a[0] != b[0] {
			t.Fatalf("step %d: %g and %g", k, a[0], b[0])
		}
		differ = differ || a[1] != b[1]
	}
	if !differ {
		t.Error("the second chains have met the same")
	}
}
