package neural

import (
	"math"
	"slices"
	"testing"
)

// TestInputs: columns of numbers are standardized by all contexts observed, categories stay.
func TestInputs(t *testing.T) {
	in := newInputs(3)
	for _, c := range [][]float32{{2, 0, 7}, {4, 1, 7}, {9, 1, 7}} {
		in.observe(c)
	}
	if !in.due() {
		t.Fatal("not due after the first contexts")
	}
	in.renew()
	if in.due() {
		t.Error("due without a new context")
	}
	got := make([]float32, 3)
	in.standardize(got, []float32{9, 1, 8})
	sd := math.Sqrt((9 + 1 + 16) / 3.) // about the mean 5
	for j, want := range []float64{4 / sd, 1, 1} {
		if !(math.Abs(float64(got[j])-want) < 1e-6) {
			t.Errorf("column %d: %g, want %g", j, got[j], want)
		}
	}
}

// TestLimit: what is farther from the mean than the limit counts as that far.
func TestLimit(t *testing.T) {
	in := newInputs(3)
	in.limit = 2
	for _, c := range [][]float32{{2, 3, 7}, {4, 5, 9}} {
		in.observe(c)
	}
	in.renew()
	got := make([]float32, 3)
	in.standardize(got, []float32{6, 1, 8.5})
	if want := []float32{2, -2, 0.5}; !slices.Equal(got, want) {
		t.Errorf("%g, want %g", got, want)
	}
}

// TestChannelMoments: mean and deviation of all pixels of a channel in all images.
func TestChannelMoments(t *testing.T) {
	in := newInputs(4) // two pixels of two channels
	in.channels = 2
	for _, c := range [][]float32{{2, 0, 4, 1}, {6, 1, 8, 1}} {
		in.observe(c)
	}
	in.renew()
	got := make([]float32, 4)
	in.standardize(got, []float32{2, 1, 10, 0})
	sd := math.Sqrt(5) // of 2 4 6 8
	for j, want := range []float64{-3 / sd, 1, 5 / sd, 0} {
		if !(math.Abs(float64(got[j])-want) < 1e-6) {
			t.Errorf("column %d: %g, want %g", j, got[j], want)
		}
	}
}
