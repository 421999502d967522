package neural

import (
	"fmt"
	"math"
	"testing"

	"banditsim/internal/checktest"
	"banditsim/posterior"
)

// newSWAG returns four networks that have learned from rounds of rows.
func newSWAG(t *testing.T, set func(*swagOptions), rounds int) *swagNetwork {
	t.Helper()
	o := SWAG().SmallDefaults()
	o.Chains = 4
	set(&o)
	p := get(o.build(smallSetup(checktest.Stream("swag"))))(t)
	observeSmall(t, p, 80)
	update(t, p, rounds)
	return p
}

// TestSWAGPredicts: before training a draw is that of a network, then the mean is the network at µ and draws of one
// context have the mean and the covariance of the Gaussians' mixture, estimated here by forward passes of their own.
func TestSWAGPredicts(t *testing.T) {
	contexts := [][]float32{make([]float32, smallDim)}
	contexts[0][1] = 1
	s := newSWAG(t, func(o *swagOptions) { o.Chains = 1 }, 0)
	checktest.Vector(t, "a draw before training", predict(t, s, contexts, posterior.Draw), predict(t, s, contexts, posterior.Mean), 0)
	s = newSWAG(t, func(o *swagOptions) { o.Memory, o.Rank = 5, 3 }, 12)
	mean := predict(t, s, contexts, posterior.Mean)
	must(t, s.encode(contexts))
	want := make([]float64, smallArms)
	const n = 4000
	var moments, drawn [2][]float64
	for i := range moments {
		moments[i], drawn[i] = make([]float64, smallArms), make([]float64, smallArms)
	}
	r, x := checktest.Stream("swag draws"), make([]float32, s.model.Dim())
	for _, g := range s.fits {
		g.Mean(x)
		for a, f := range s.predictor.Forward(x, &s.rows, nil) {
			want[a] += float64(f) / 4
		}
		for range n {
			g.Draw(x, r)
			for a, f := range s.predictor.Forward(x, &s.rows, nil) {
				moments[0][a] += float64(f) / (4 * n)
				moments[1][a] += float64(f) * float64(f) / (4 * n)
			}
		}
	}
	checktest.Vector(t, "mean", mean, want, 1e-6)
	for range 4 * n {
		for a, f := range predict(t, s, contexts, posterior.Draw) {
			drawn[0][a] += f / (4 * n)
			drawn[1][a] += f * f / (4 * n)
		}
	}
	for a := range smallArms {
		variance := moments[1][a] - moments[0][a]*moments[0][a]
		checktest.SE(t, "mean of draws", drawn[0][a], moments[0][a], math.Sqrt(2*variance/(4*n)))
		checktest.SE(t, "variance of draws", drawn[1][a]-drawn[0][a]*drawn[0][a], variance, 2*variance*math.Sqrt(2./(4*n)))
	}
}

// TestSWAGFollowsTheUnit: networks that do not move but for the change of units have that place as their mean, and no
// variance, when rewards in another unit have come in.
func TestSWAGFollowsTheUnit(t *testing.T) {
	s := newSWAG(t, func(o *swagOptions) { o.OwnScale, o.Skip, o.Memory, o.LearningRate = true, true, 100, 0 }, 1)
	sd := s.scale.sd
	for i := range 20 {
		context, arm, reward := smallRow(i)
		must(t, s.Observe(context, arm, 3+float64(i)*reward))
		update(t, s, 1)
	}
	if s.scale.sd < 2*sd {
		t.Fatalf("the unit went from %g to %g, want twice as much", sd, s.scale.sd)
	}
	x := make([]float32, s.model.Dim())
	for c, g := range s.fits {
		if g.N() != 21 {
			t.Errorf("chain %d has %d snapshots, want 21", c, g.N())
		}
		g.Mean(x)
		checktest.Vector(t, fmt.Sprintf("µ of chain %d", c), wide(x), wide(s.chains[c].X), 1e-5)
		g.Draw(x, checktest.Stream("unit"))
		checktest.Vector(t, fmt.Sprintf("a draw of chain %d", c), wide(x), wide(s.chains[c].X), 1e-4)
	}
}
