package neural

import (
	"math"
	"testing"

	"banditsim/internal/checktest"
)

// checkSharp is checktest.SE for a test that must detect a fault of 5 %: such a fault has to lie at least
// 9 standard errors out.
func checkSharp(t *testing.T, name string, got, want, se float64) {
	t.Helper()
	if !(9*se <= 0.05*math.Abs(want)) {
		t.Errorf("%s: a standard error of %g is too large to detect a fault of 5 %% in %g at 9 of them", name, se, want)
	}
	checktest.SE(t, name, got, want, se)
}

// meanSE returns the mean of independent replicates and its standard error.
func meanSE(x []float64) (mean, se float64) {
	n := float64(len(x))
	for _, v := range x {
		mean += v / n
	}
	for _, v := range x {
		se += (v - mean) * (v - mean)
	}
	return mean, math.Sqrt(se / (n - 1) / n)
}

// wide returns x as float64.
func wide(x []float32) []float64 {
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = float64(v)
	}
	return y
}
