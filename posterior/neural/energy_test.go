package neural

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/internal/checktest"
	"banditsim/internal/must"
	"banditsim/nn"
	"banditsim/posterior"
	"banditsim/posterior/neural/internal/replay"
	"banditsim/posterior/sgmcmc"
)

// TestEnergyIsScaledByTheRowsAtHand checks that if the buffer has fewer rows than a batch, every row is used, and Û and its gradient are
// scaled by N/rows, not by N/batch. A batch larger than the buffer is legal.
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
			got := must.Get(chain.Target.EnergyGrad(chain.Grad, chain.X))(t)
			checktest.Near(t, "energy", got, energy(), 1e-5)
			// The energy is quadratic in the last bias: the central difference is exact.
			last := len(chain.X) - 1
			checktest.Near(t, "derivative by the last bias", float64(chain.Grad[last]), slope(chain.X, last, 0.5, energy), 1e-4)
		})
	}
}

// TestDrawHasOneMask checks that, under dropout, a drawn prediction uses one mask, so that a network of one hidden unit has two values,
// and that the mean uses Samples masks.
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

// TestExchangeVarianceInANetwork checks that the energy's variance, 0 at first, moves by the share varianceSmoothing towards an estimate.
func TestExchangeVarianceInANetwork(t *testing.T) {
	o := Over(sgmcmc.ReSGLD()).Defaults()
	o.NetworkOptions = smallOptions().NetworkOptions
	o.Steps, o.Sampler.EstimateEvery, o.Sampler.EstimateSamples, o.WeightDecay = 1, 1, 5, 0
	build := func() *Network {
		n := must.Get(Over(sgmcmc.ReSGLD()).New(o, smallSetup(stream.Root(1))))(t).(*Network)
		observeSmall(t, n, 0, 64)
		return n
	}
	n, twin := build(), build()
	update(t, n, 1)
	cold := &twin.chains[0]
	var energies []float64
	for range 1 + o.Sampler.EstimateSamples { // the energy of the step, then the energies of the estimate, at one position
		energies = append(energies, must.Get(cold.Target.EnergyGrad(cold.Grad, cold.X))(t))
	}
	_, se := meanSE(energies[1:])
	checktest.Near(t, "σ²", langevin(n).EnergyVariance(), 0.3*se*se*float64(o.Sampler.EstimateSamples), 1e-10)
}

// TestReducedEnergy checks that at every position the reduced energy has the same mean as the batch's energy, which is the energy of the
// whole buffer, and less variance the nearer the position is to the reference.
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
			u[i] = must.Get(target.EnergyGrad(grad, x))(t)
		}
		return u
	}
	energies(start) // sets the reference to start
	previous := -1.0
	for _, away := range []float32{0, 0.01, 0.1} {
		x := append([]float32(nil), start...)
		for i := range x {
			x[i] += away * float32(1-2*(i%2))
		}
		// The exact energy, of all rows.
		target.reference = nil
		truth := &reference{refresh: 1}
		truth.renew(target, n.model.NewPass(o.Batch), x)
		whole := o.DataSize / 64 * truth.sum
		batch := energies(x)
		target.reference = reduced
		got := energies(x)

		mean, se := meanSE(got)
		checktest.SE(t, "reduced energy", mean, whole, max(se, 1e-9*math.Abs(whole)))
		mean, batchSE := meanSE(batch)
		checktest.SE(t, "energy of a batch", mean, whole, batchSE)
		ratio := se * se / (batchSE * batchSE)
		t.Logf("%g away from the reference the variance is %.3g of the batch's", away, ratio)
		if !(ratio < 0.5) || !(ratio > previous) {
			t.Errorf("%g away from the reference the variance is %g of the batch's, and %g nearer: want it below half, and growing", away, ratio, previous)
		}
		previous = ratio
	}
	must.That(t, reduced.age >= 30_000, "the reference was renewed %d steps ago, want none within 30,000", reduced.age)
	// The reference is renewed after a new row, and every q steps.
	observeSmall(t, n, 3, 4)
	_, err := target.EnergyGrad(grad, start)
	must.That(t, err == nil && reduced.age == 1, "after a new row the reference is %d steps old, error %v", reduced.age, err)
	reduced.refresh = 5
	for range 5 {
		must.Get(target.EnergyGrad(grad, start))(t)
	}
	must.Equal(t, "age of the reference after 6 steps with q = 5", reduced.age, 1)
}

// TestSquaredError compares the energy and its derivative with the formula.
func TestSquaredError(t *testing.T) {
	b := &replay.Batch{Arms: []int32{2, 0}, Rewards: []float64{1, 4.5}, Slots: []int32{1, 0}}
	out := []float32{1, 2, 3, 4, 5, 6}
	checktest.Near(t, "energy", squaredError(out, b, nil, 1.5), 1.5*(2*2+0.5*0.5), 1e-15)
	checktest.Bits(t, "derivative", out, []float32{0, 0, 2 * 1.5 * 2, -2 * 1.5 * 0.5, 0, 0})

	// The first row counts three times, the second a half.
	out = []float32{1, 2, 3, 4, 5, 6}
	checktest.Near(t, "weighted energy", squaredError(out, b, []float64{0.5, 3}, 1.5), 1.5*(3*2*2+0.5*0.5*0.5), 1e-15)
	checktest.Bits(t, "its derivative", out, []float32{0, 0, 3 * 2 * 1.5 * 2, -0.5 * 2 * 1.5 * 0.5, 0, 0})
}

// TestFixture compares energy and gradient of a 2–2–2 network on a batch of three rows with those of testdata/langevin-mlp.json, which
// another program computed to 12 digits. The fixture stores the weights of a layer as out × in, package nn as in × out. Package worked
// has steps that start from this fixture.
func TestFixture(t *testing.T) {
	data := must.Get(os.ReadFile("testdata/langevin-mlp.json"))(t)
	var all []struct {
		Sizes    []int
		X0       []float64
		Contexts [][]float64
		Arms     []int32
		Rewards  []float64
		N        float64 `json:"N"`
		Batch    float64 `json:"n"`
		Lambda   float64
		Energy   float64
		Gradient []float64 `json:"g"`
	}
	err := json.Unmarshal(data, &all)
	must.Hold(t, err == nil && len(all) == 1, "%d fixtures, %v", len(all), err)
	f := all[0]
	net := must.Get(nn.New(f.Sizes...))(t)
	ours := func(x []float64) []float32 {
		y := checktest.Narrow(x)
		for _, l := range net.Layers() {
			for i := range l.In * l.Out {
				y[l.Weights+i%l.In*l.Out+i/l.In] = float32(x[l.Weights+i])
			}
		}
		return y
	}
	n := len(f.Contexts)
	target := &regression{
		model: net, passes: newPasses(net, n), buffer: replay.New(n, f.Sizes[0], 2),
		batchSize: n, dataSize: f.N, prior: []penalty{{0, net.Dim(), f.Lambda, false}}, rand: checktest.Stream("fixture"),
		scale: newScale(0),
	}
	for i, context := range f.Contexts {
		must.OK(t, target.buffer.Add(checktest.Narrow(context), int(f.Arms[i]), f.Rewards[i]))
	}
	grad := make([]float32, net.Dim())
	energy := must.Get(target.EnergyGrad(grad, ours(f.X0)))(t)
	// float32 has 7 digits, of which sums lose one.
	checktest.Near(t, "energy", energy, f.Energy, 2e-6)
	checktest.Vector(t, "gradient", checktest.Wide(grad), checktest.Wide(ours(f.Gradient)), 2e-6)
}
