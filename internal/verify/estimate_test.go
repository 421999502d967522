package verify

import (
	"math"
	"testing"
)

// TestNormalScore compares the tails with tables of Student's t: the two-sided points of .05 are
// 12.7062, 2.0423 and 1.9840 at 1, 30 and 100 degrees of freedom.
func TestNormalScore(t *testing.T) {
	for _, c := range []struct{ t, df, want float64 }{
		{12.7062, 1, 1.95996}, {-2.0423, 30, -1.95996}, {1.9840, 100, 1.95996},
		{0, 5, 0}, {6.5, 1e9, 6.5},
		{3.6460, 30, 3.29053}, // two-sided .001
	} {
		if got := NormalScore(c.t, c.df); !(math.Abs(got-c.want) < 2e-4) {
			t.Errorf("t = %g with %g degrees of freedom is %g normal ones, want %g", c.t, c.df, got, c.want)
		}
	}
	if got := NormalScore(1e200, 50); !(got > 30) {
		t.Errorf("t = 1e200 is %g normal ones", got)
	}
	if got := NormalScore(math.NaN(), 50); !math.IsNaN(got) {
		t.Errorf("NaN is %g", got)
	}
	// It grows, and is below t.
	last := 0.0
	for x := 0.5; x < 100; x += 0.5 {
		got := NormalScore(x, 127)
		if !(got > last && got < x) {
			t.Fatalf("t = %g is %g normal ones after %g", x, got, last)
		}
		last = got
	}
}

func TestEstimates(t *testing.T) {
	// By hand: mean 2, variance 2.5 of five: √(2.5/5).
	e := MeanOf([]float64{0, 1, 2, 3, 4})
	if e.Value != 2 || !(math.Abs(e.SE-math.Sqrt(0.5)) < 1e-15) || e.Replicates != 5 {
		t.Errorf("mean %+v", e)
	}
	// Ratio 2; residuals −1, 1: √(2·2/1)/3.
	r := RatioOf([]float64{1, 5}, []float64{1, 2})
	if r.Value != 2 || !(math.Abs(r.SE-2./3) < 1e-15) {
		t.Errorf("ratio %+v", r)
	}
	x := Extrapolated(Estimate{1.1, 0.3, 9}, Estimate{1.05, 0.2, 7})
	if !(math.Abs(x.Value-1) < 1e-15) || !(math.Abs(x.SE-0.5) < 1e-15) || x.Replicates != 7 {
		t.Errorf("extrapolated %+v", x)
	}
}
