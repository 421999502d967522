package neural

import (
	"fmt"
	"math"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/internal/checktest"
	"banditsim/posterior"
	"banditsim/posterior/sgmcmc"
)

// TestEnergyIsScaledByTheRowsAtHand: with fewer rows in the buffer than in a batch every row is
// taken, and Û = N/rows·Σ residual², as g: not N/batch. A batch above the buffer's size is legal,
// and trains on all rows as one of that size does.
func TestEnergyIsScaledByTheRowsAtHand(t *testing.T) {
	for _, c := range []struct{ batch, buffer, observed, rows int }{
		{16, 64, 5, 5}, {16, 64, 16, 16}, {100, 64, 80, 64}, {64, 64, 80, 64},
	} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			o := smallOptions()
			o.Sampler.Contour.Kind, o.TrainAfter, o.WeightDecay = "off", 0, 0
			o.Batch, o.Buffer = c.batch, c.buffer
			n := newSmall(t, o, 1, c.observed)
			contexts := smallContexts(0)
			var arms []int
			var rewards []float64
			for i := c.observed - c.rows; i < c.observed; i++ {
				context, arm, reward := smallRow(i)
				contexts, arms, rewards = append(contexts, context), append(arms, arm), append(rewards, reward)
			}
			chain := &n.chains[0]
			energy := func() (sum float64) {
				for i, v := range outputs(n, contexts)[0] {
					if arm := i % smallArms; arm == arms[i/smallArms] {
						sum += (v - rewards[i/smallArms]) * (v - rewards[i/smallArms])
					}
				}
				return o.DataSize / float64(c.rows) * sum
			}
			got := get(chain.Target.EnergyGrad(chain.Grad, chain.X))(t)
			checktest.Near(t, "energy", got, energy(), 1e-5)
			// The bias of an output is the last parameter but arms: its derivative is that of
			// the energy, which is quadratic in it.
			last := len(chain.X) - 1
			x := chain.X[last]
			chain.X[last] = x + 0.5
			up := energy()
			chain.X[last] = x - 0.5
			checktest.Near(t, "derivative by the last bias", float64(chain.Grad[last]), up-energy(), 1e-4)
		})
	}
}

// TestDrawHasOneMask: under dropout a draw of the prediction is one network with one mask, so
// that a network of one hidden unit has two values, dropped and kept; the mean has Samples masks.
func TestDrawHasOneMask(t *testing.T) {
	o := smallOptions()
	o.Sampler.Contour.Kind, o.Chains, o.Hidden = "off", 1, []int{1}
	o.Dropout.Rate, o.Dropout.Samples = 0.25, 5
	n := newSmall(t, o, 1, 1)
	for i := range n.chains[0].X {
		n.chains[0].X[i] = 1
	}
	// Two ones in a context and the bias: the hidden unit is 3, an output 1 + 3·factor.
	contexts := smallContexts(40_000)
	for how, masks := range map[posterior.Prediction]int{posterior.Mean: o.Dropout.Samples, posterior.Draw: 1} {
		counts := make([]float64, masks+1)
		values := predict(t, n, contexts, how)
		for i := 0; i < len(values); i += smallArms {
			kept := (values[i] - 1) / 3 * (1 - o.Dropout.Rate) * float64(masks)
			k := int(math.Round(kept))
			if math.Abs(kept-float64(k)) > 1e-5 || k < 0 || k > masks {
				t.Fatalf("%d masks: a value of %g, which %g of them would give", masks, values[i], kept)
			}
			counts[k]++
		}
		share, binomial := float64(len(contexts)), 1.0
		for k, count := range counts {
			p := binomial * math.Pow(1-o.Dropout.Rate, float64(k)) * math.Pow(o.Dropout.Rate, float64(masks-k))
			checktest.SE(t, fmt.Sprintf("share of %d of %d masks kept", k, masks), count/share, p, math.Sqrt(p*(1-p)/share))
			binomial *= float64(masks-k) / float64(k+1)
		}
	}
}

// TestExchangeVarianceInANetwork: the energy's variance, 0 at first, moves by varianceSmoothing towards each estimate.
func TestExchangeVarianceInANetwork(t *testing.T) {
	o := Over(sgmcmc.ReSGLD()).Defaults()
	o.NetworkOptions = smallOptions().NetworkOptions
	o.Steps, o.Sampler.EstimateEvery, o.Sampler.EstimateSamples, o.WeightDecay = 1, 1, 5, 0
	build := func() *Network {
		n := get(Over(sgmcmc.ReSGLD()).New(o, smallSetup(stream.Root(1))))(t).(*Network)
		observeSmall(t, n, 64)
		return n
	}
	n, twin := build(), build()
	update(t, n, 1)
	cold := &twin.chains[0]
	var energies []float64
	for range 1 + o.Sampler.EstimateSamples { // the step's, then those of the estimate at the same place
		energies = append(energies, get(cold.Target.EnergyGrad(cold.Grad, cold.X))(t))
	}
	_, se := meanSE(energies[1:])
	checktest.Near(t, "σ²", langevin(n).EnergyVariance(), 0.3*se*se*float64(o.Sampler.EstimateSamples), 1e-10)
}
