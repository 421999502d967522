package neural

import (
	"testing"

	"banditsim/bandit/stream"
	"banditsim/internal/checktest"
	"banditsim/internal/must"
	"banditsim/posterior"
)

// TestLastLayerByHand compares means and variances with values computed by hand: one hidden unit h = max(0, 2x + 1), output 3h − 1, λ =
// 2, noise 3. At x = 1, φ = (3, 1). Before any reward, the mean is 0 for NeuralLinear and 8, the network's output, for LastLayerLaplace,
// and the variance is 9·10/2. After a reward of 5 at x = 1, A = 2I + φφᵀ and φᵀA⁻¹φ = (10/2)/(1 + 10/2) = 5/6, and NeuralLinear's mean is
// 5·5/6.
func TestLastLayerByHand(t *testing.T) {
	for _, k := range []posterior.Kind[lastLayerOptions]{NeuralLinear(), LastLayerLaplace()} {
		o := k.SmallDefaults()
		o.Hidden, o.Lambda, o.Noise = []int{1}, 2, 3
		l := must.Get(k.New(o, posterior.Setup{Dim: 1, Arms: 1, Rounds: 1, Stream: stream.Root(1)}))(t).(*lastLayer)
		copy(l.chains[0].X, []float32{2, 1, 3, -1})
		one := [][]float32{{1}}
		check := func(wantMean, wantVariance float64) {
			t.Helper()
			mean, sd := predict(t, l, one, posterior.Mean), [1]float64{}
			must.OK(t, l.Spread(sd[:], one))
			if k.Name == LastLayerLaplace().Name {
				wantMean = 8
			}
			checktest.Near(t, k.Name+": mean", mean[0], wantMean, 1e-12)
			checktest.Near(t, k.Name+": variance", sd[0]*sd[0], wantVariance, 1e-12)
		}
		check(0, 9*5)
		must.OK(t, l.Observe(one[0], 0, 5))
		check(5*5./6, 9*5./6)

		// Joint draws at x = 1 and x = 2, φ = (5, 1): A⁻¹ = (I − φφᵀ/12)/2.
		checkDraws(t, l, [][]float32{{1}, {2}}, 0, 9*5./6, 9*(16-160./12)/2, 9*(26-256./12)/2, l.DrawJoint)
	}
}

// TestLastLayerRefit checks that after training the regressions are those of all rows held, with features of the trained network, for
// one-hot and dense contexts and for more rows than fit in a pass.
func TestLastLayerRefit(t *testing.T) {
	for _, dense := range []bool{false, true} {
		o := NeuralLinear().SmallDefaults()
		observe := func(p posterior.Posterior, first, end int) {
			for i := first; i < end; i++ {
				c, arm, reward := smallRow(i)
				if dense {
					c[9] = 0.5
				}
				must.OK(t, p.Observe(c, arm, reward))
			}
		}
		o.LastDecayLimit = 3 // without own_scale it has no effect
		build := func() *lastLayer { return must.Get(NeuralLinear().New(o, smallSetup(stream.Root(1))))(t).(*lastLayer) }
		l, fresh := build(), build()
		for round := range 3 {
			observe(l, 70*round, 70*round+70)
			update(t, l, 1)
		}
		copy(fresh.chains[0].X, l.chains[0].X)
		observe(fresh, 210-o.Buffer, 210) // what the buffer holds
		for arm := range l.heads {
			checktest.Vector(t, "weights", l.heads[arm].w, fresh.heads[arm].w, 1e-7)
		}
		contexts := smallContexts(5)
		var sd [2][5 * smallArms]float64
		for i, q := range []*lastLayer{l, fresh} {
			must.OK(t, q.Spread(sd[i][:], contexts))
		}
		checktest.Vector(t, "standard deviations", sd[0][:], sd[1][:], 1e-7)
	}
}

// TestNoSteps checks that without gradient steps the regressions follow the unit of the rewards, and that no arm has to be pulled for ever.
func TestNoSteps(t *testing.T) {
	o := NeuralLinear().SmallDefaults()
	o.Steps, o.OwnScale, o.Coverage = 0, true, 1
	l := must.Get(NeuralLinear().New(o, smallSetup(stream.Root(1))))(t).(*lastLayer)
	var need [smallArms]float64
	contexts := smallContexts(1)
	must.OK(t, l.Explore(need[:], contexts))
	must.That(t, need[0] > 0 && need[1] > 0, "need of a pull before any reward: %v", need)
	for i := range 100 {
		c, arm, reward := smallRow(i)
		must.OK(t, l.Observe(c, arm, reward+1e6))
	}
	update(t, l, 1)
	checktest.Near(t, "value/1e6", predict(t, l, contexts, posterior.Mean)[0]/1e6, 1, 1e-3)
	must.OK(t, l.Explore(need[:], contexts))
	must.Equal(t, "need of a pull", need, [smallArms]float64{})
}
