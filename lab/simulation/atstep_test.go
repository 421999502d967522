package simulation

import (
	"fmt"
	"math"
	"testing"

	"banditsim/internal/checktest"
	"banditsim/lab/density"
)

// TestAtStep compares θ of the finite step with that of 100 chains of CSGLD of 10⁷ steps, seed 1
// (docs/samplers.md): their means are known to a tenth of their standard deviations. The
// tolerance is 4 of these errors. The limit ε → 0 is further off than that in bins 1 and 4 to 8.
func TestAtStep(t *testing.T) {
	theta := atStep(0.02)
	if len(theta) != 9 {
		t.Fatalf("%d bins, want 9: bin 10 goes by where the bins end", len(theta))
	}
	for i, c := range []struct{ mean, twoSD float64 }{
		{0.889, 0.0187}, {0.0625, 0.0134}, {0.0411, 0.00587}, {0.00393, 0.000782},
		{0.00319, 0.000554}, {0.000278, 6.66e-05}, {0.000278, 5.41e-05}, {1.7e-05, 1.26e-05},
	} {
		checktest.Near(t, fmt.Sprint("θ", i+1), theta[i], c.mean, 4*c.twoSD/2/10)
	}
}

// TestAtStepTendsToTheTruth: the smaller the step the nearer; there is none for steps that are too small or too large.
func TestAtStepTendsToTheTruth(t *testing.T) {
	if testing.Short() {
		t.Skip("seconds")
	}
	for eps, want := range map[float64]int{1e-4: 0, 0.025: 7, 0.05: 0, 0.5: 0} {
		if got := len(atStep(eps)); got != want {
			t.Errorf("ε = %g: θ of %d bins, want %d", eps, got, want)
		}
	}
	logTheta, _ := VarianceContour().FixedPoint(density.Mixture{})
	for eps, tolerance := range map[float64]float64{0.01: 0.15, AtStepLeast: 0.02} {
		theta := atStep(eps)
		if len(theta) != AtStepBins {
			t.Fatalf("ε = %g: %d bins, want %d", eps, len(theta), AtStepBins)
		}
		for i, v := range theta {
			checktest.Near(t, fmt.Sprintf("ε = %g: θ%d relative to the truth", eps, i+1), v/math.Exp(logTheta[i]), 1, tolerance)
		}
	}
}
