package neural

import (
	"context"
	"math"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/internal/must"
)

// TestRanks checks that a column of exp(3·normal) is ranked and one with light tails is not. The scores have mean 0 and deviation 1 and
// the order of the values; they are constant beyond the contexts held, and equal quantiles have their mean rank.
func TestRanks(t *testing.T) {
	o := ownScale()
	o.RankTails, o.TrainAfter = 20, 19
	n := newScaled(t, o, 2, 2)
	r := stream.Root(3)
	var z [2]float32
	for i := range 1000 {
		r.Normals(z[:])
		must.OK(t, n.Observe([]float32{float32(math.Exp(3 * float64(z[0]))), z[1]}, i%2, float64(z[0])))
	}
	must.OK(t, n.Update(context.Background()))
	ranks := n.inputs.ranks
	if !ranks.has(0) || ranks.has(1) {
		t.Fatalf("ranked: %t, %t, want the first column alone", ranks.has(0), ranks.has(1))
	}
	sum, squares, last := 0.0, 0.0, math.Inf(-1)
	const steps = 200
	for i := range steps {
		p := (float64(i) + 0.5) / steps
		v := ranks.score(0, math.Exp(3*math.Sqrt2*math.Erfinv(2*p-1)))
		must.That(t, v >= last, "rank score %g after %g", v, last)
		sum, squares, last = sum+v, squares+float64(v*v), v
	}
	must.Near(t, "mean", sum/steps, 0, 5/math.Sqrt(1000)) // five standard errors of the quantiles
	must.Near(t, "square", squares/steps, 1, 0.15)
	if low, high := ranks.score(0, 0), ranks.score(0, 1e30); low != -high || low != ranks.score(0, -1) {
		t.Errorf("beyond the contexts %g and %g", low, high)
	}
	for k := range ranks.knots[0] {
		ranks.knots[0][k] = float64(k / 32) // zeros and ones
	}
	must.Near(t, "zero", ranks.score(0, 0), math.Sqrt(12)*(0.25-0.5), 1e-15)
	must.Near(t, "half", ranks.score(0, 0.5), 0, 1e-15)
}
