package neural

import (
	"math"
	"testing"

	"banditsim/internal/checktest"
)

// TestReducedEnergy: at every position the reduced energy has the mean of the batch's energy, which is the energy of
// the whole buffer, and less variance the nearer the position is to the reference.
func TestReducedEnergy(t *testing.T) {
	o := smallOptions()
	o.Sampler.Contour.Energy, o.Sampler.Contour.EnergyRefresh = "reduced", 1_000_000
	n := newSmall(t, o, 1, 64)
	target := n.chains[0].Target.(*regression)
	reduced := target.reference
	start := append([]float32(nil), n.chains[0].X...)
	grad := make([]float32, len(start))
	energies := func(x []float32) []float64 {
		u := make([]float64, 10_000)
		for i := range u {
			var err error
			if u[i], err = target.EnergyGrad(grad, x); err != nil {
				t.Fatal(err)
			}
		}
		return u
	}
	energies(start) // the reference is here
	variance := func(u []float64) float64 {
		_, se := meanSE(u)
		return se * se * float64(len(u))
	}
	previous := -1.0
	for _, away := range []float32{0, 0.01, 0.1} {
		x := append([]float32(nil), start...)
		for i := range x {
			x[i] += away * float32(1-2*(i%2))
		}
		// The truth: the energies of all rows.
		target.reference = nil
		truth := &reference{every: 1}
		truth.renew(target, n.model.NewPass(o.Batch), x)
		whole := o.DataSize / 64 * truth.sum
		batch := energies(x)
		target.reference = reduced
		got := energies(x)

		mean, se := meanSE(got)
		checktest.SE(t, "reduced energy", mean, whole, max(se, 1e-9*math.Abs(whole)))
		mean, se = meanSE(batch)
		checktest.SE(t, "energy of a batch", mean, whole, se)
		ratio := variance(got) / variance(batch)
		t.Logf("%g away from the reference the variance is %.3g of the batch's", away, ratio)
		if !(ratio < 0.5) || !(ratio > previous) {
			t.Errorf("%g away from the reference the variance is %g of the batch's, and %g nearer: want it below half, and growing", away, ratio, previous)
		}
		previous = ratio
	}
	if reduced.age < 30_000 {
		t.Errorf("the reference was renewed %d steps ago, want none within 30,000", reduced.age)
	}
	// A new row, and every q steps: a new reference.
	context, arm, reward := smallRow(3)
	must(t, n.Observe(context, arm, reward))
	if _, err := target.EnergyGrad(grad, start); err != nil || reduced.age != 1 {
		t.Errorf("after a new row the reference is %d steps old, error %v", reduced.age, err)
	}
	reduced.every = 5
	for range 5 {
		if _, err := target.EnergyGrad(grad, start); err != nil {
			t.Fatal(err)
		}
	}
	if reduced.age != 1 {
		t.Errorf("with q = 5 the reference is %d steps old after 6", reduced.age)
	}
}

// TestSquaredError compares the energy and its derivative with the formula.
func TestSquaredError(t *testing.T) {
	out := []float32{1, 2, 3, 4, 5, 6}
	energy := squaredError(out, []int32{2, 0}, []float64{1, 4.5}, nil, 1.5)
	checktest.Near(t, "energy", energy, 1.5*(2*2+0.5*0.5), 1e-15)
	checktest.Bits(t, "derivative", out, []float32{0, 0, 2 * 1.5 * 2, -2 * 1.5 * 0.5, 0, 0})

	// The first row counts three times, the second a half.
	out = []float32{1, 2, 3, 4, 5, 6}
	energy = squaredError(out, []int32{2, 0}, []float64{1, 4.5}, []float64{3, 0.5}, 1.5)
	checktest.Near(t, "weighted energy", energy, 1.5*(3*2*2+0.5*0.5*0.5), 1e-15)
	checktest.Bits(t, "its derivative", out, []float32{0, 0, 3 * 2 * 1.5 * 2, -0.5 * 2 * 1.5 * 0.5, 0, 0})
}
