package stats

import (
	"math"
	"testing"
)

// TestSimultaneousIntervalByHand: 1 and 3 have the mean 2 and the standard error 1; Student's t with one degree of freedom
// has the quantiles tan(π(p − ½)): 12.7062 at .975, and 25.4517 at 1 − .05/4. One difference has no interval.
func TestSimultaneousIntervalByHand(t *testing.T) {
	for family, half := range map[int]float64{0: math.Tan(math.Pi * 0.475), 1: math.Tan(math.Pi * 0.475), 2: math.Tan(math.Pi * 0.4875), 5: math.Tan(math.Pi * 0.495)} {
		low, high := SimultaneousInterval([]float64{1, 3}, family)
		if !(math.Abs(low-(2-half)) < 1e-6*half) || !(math.Abs(high-(2+half)) < 1e-6*half) {
			t.Errorf("family of %d: [%.6g, %.6g], want 2 ± %.6g", family, low, high, half)
		}
	}
	if low, high := SimultaneousInterval([]float64{1}, 1); !math.IsNaN(low) || !math.IsNaN(high) {
		t.Errorf("one difference has the interval [%g, %g]", low, high)
	}
}
