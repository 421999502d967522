package neural

import (
	"fmt"
	"math"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/internal/checktest"
	"banditsim/internal/must"
	"banditsim/posterior"
	"banditsim/posterior/sgmcmc"
)

// everyOutput returns the Output of each chain.
func everyOutput(t *testing.T, n *Network, contexts [][]float32) [][]float32 {
	t.Helper()
	var all [][]float32
	for c := range n.chains {
		out := make([]float32, len(contexts)*n.arms)
		must.OK(t, n.Output(out, c, contexts, posterior.Mean))
		all = append(all, out)
	}
	return all
}

// TestPriorFunction checks that the output of a chain is that of its trained network plus β times that of a network drawn from a stream
// of the chain, that there is no such network at β = 0, and that the trained network starts from the same parameters either way.
func TestPriorFunction(t *testing.T) {
	o := smallOptions()
	without := newSmall(t, o, 1, 64)
	o.PriorScale = 3
	with := newSmall(t, o, 1, 64)
	contexts := smallContexts(5)
	must.That(t, without.priors == nil, "there is a prior function without prior_scale")
	g, f := everyOutput(t, without, contexts), everyOutput(t, with, contexts)
	for c := range with.chains {
		checktest.Bits(t, "start", with.chains[c].X, without.chains[c].X)
		x := make([]float32, with.model.Dim())
		with.model.Init(x, stream.Root(1).Child("chain", c).Child("prior"))
		checktest.Bits(t, "prior", with.priors.x[c], x)
		must.That(t, c <= 0 || with.priors.x[0][0] != x[0], "chains 0 and %d have the same prior function", c)
		must.OK(t, with.encode(contexts))
		for i, p := range with.priors.pass.Forward(x, &with.rows, nil) {
			checktest.Near(t, fmt.Sprintf("chain %d, output %d", c, i), float64(f[c][i]), float64(g[c][i])+3*float64(p), 1e-6)
		}
	}
}

// TestPriorIsLearnedAround checks that energy and gradient are those of a network without a prior function for rewards minus β·p of the
// arm pulled, also after the buffer has overwritten rows.
func TestPriorIsLearnedAround(t *testing.T) {
	o := smallOptions()
	o.PriorScale, o.Batch, o.Sampler.Contour.Kind = 2, o.Buffer, "off"
	n := newSmall(t, o, 1, 3*o.Buffer/2)
	o.PriorScale = 0
	for c := range n.chains {
		plain := newSmall(t, o, 1, 0)
		for i := range 3 * o.Buffer / 2 {
			context, arm, reward := smallRow(i)
			must.OK(t, n.encode([][]float32{context}))
			p := float64(n.priors.pass.Forward(n.priors.x[c], &n.rows, nil)[arm])
			must.OK(t, plain.Observe(context, arm, reward-2*p))
		}
		want, wanted := energyGrad(t, plain.chains[c].Target, n.chains[c].X)
		got, grad := energyGrad(t, n.chains[c].Target, n.chains[c].X)
		checktest.Near(t, "energy", got, want, 1e-6*want)
		checktest.Vector(t, "gradient", checktest.Wide(grad), checktest.Wide(wanted), 1e-4)
	}
}

// TestPriorInOwnScale checks that when training starts, the outputs of each prior function have mean 0 and deviation 1 over the contexts
// held and all arms, and that later they stay the same when the inputs are standardized anew.
func TestPriorInOwnScale(t *testing.T) {
	o := ownScale()
	o.PriorScale, o.TrainAfter, o.Buffer = 1.5, 19, 64
	n := newScaled(t, o, 3, 2)
	prior := func() (list [][]float64) {
		must.OK(t, n.encode(someContexts[:2]))
		for _, x := range n.priors.x {
			list = append(list, checktest.Wide(n.priors.pass.Forward(x, &n.rows, nil)))
		}
		return list
	}
	teach(t, n, 1, false, 1, 0)
	n.priors.each(n.buffer, 0, n.buffer.N, func(c int, out []float32, _ int) {
		sum, squares := 0.0, 0.0
		for _, v := range out {
			sum += float64(v)
			squares += float64(v) * float64(v)
		}
		count := float64(len(out))
		checktest.Near(t, "mean", sum/count, 0, 1e-5)
		checktest.Near(t, "deviation", math.Sqrt(squares/count), 1, 1e-5)
	})
	before := prior()
	used := n.inputs.used
	teach(t, n, 8, false, 1, 0)
	must.Hold(t, n.inputs.used != used, "the inputs were not standardized anew")
	for c, list := range prior() {
		for i, v := range list {
			checktest.Near(t, fmt.Sprintf("chain %d, output %d", c, i), v, before[c][i], 1e-4)
		}
		n.priors.each(n.buffer, 0, n.buffer.N, func(c int, out []float32, arms int) {
			for i, slot := range n.priors.batch.Slots {
				want := 1.5 * float64(out[i*arms+int(n.priors.batch.Arms[i])])
				checktest.Near(t, "value of a row", n.priors.values[c][slot], want, 1e-4)
			}
		})
	}
}

// TestReducedEnergyInOwnScale checks, with own_scale and a prior function, that the reduced energy at the reference does not depend on
// the batch.
func TestReducedEnergyInOwnScale(t *testing.T) {
	o := ownScale()
	o.PriorScale, o.Batch = 1, 8
	o.Sampler.Contour.Energy, o.Sampler.Contour.EnergyRefresh = "reduced", 1
	n := newScaled(t, o, 3, 2)
	teach(t, n, 6, false, 10, 100)
	c := n.chains[0]
	want := must.Get(c.Target.EnergyGrad(c.Grad, c.X))(t)
	for range 5 {
		got := must.Get(c.Target.EnergyGrad(c.Grad, c.X))(t)
		checktest.Near(t, "reduced energy", got, want, 1e-6*want)
	}
}

// TestPriorAnywhere checks that other posteriors over a network add β times their prior functions to their predictions before any reward.
func TestPriorAnywhere(t *testing.T) {
	for name, build := range map[string]func(scale float64) func(posterior.Setup) (posterior.Posterior, error){
		"NeuralLinear": func(scale float64) func(posterior.Setup) (posterior.Posterior, error) {
			return builder(NeuralLinear(), func(o *lastLayerOptions) { o.PriorScale = scale })
		},
		"LastLayerLaplace": func(scale float64) func(posterior.Setup) (posterior.Posterior, error) {
			return builder(LastLayerLaplace(), func(o *lastLayerOptions) { o.PriorScale = scale })
		},
		"ParamNoise": func(scale float64) func(posterior.Setup) (posterior.Posterior, error) {
			return builder(ParamNoise(), func(o *paramNoiseOptions) { o.PriorScale = scale })
		},
	} {
		for _, how := range []posterior.Prediction{posterior.Mean, posterior.Draw} {
			at := func(scale float64) []float64 { return predict(t, built(t, build(scale)), smallContexts(1), how) }
			none, two, four := at(0), at(2), at(4)
			for i := range none {
				must.That(t, two[i] != none[i], "%s: value %d is the same with a prior function: %g", name, i, none[i])
				// Before any reward NeuralLinear predicts 0 or, with prior functions, the output of the network.
				if name != "NeuralLinear" {
					checktest.Near(t, name, four[i]-none[i], 2*(two[i]-none[i]), 1e-5)
				}
			}
		}
	}
}

// TestPriorFunctionNotExchanged checks that chains that swap positions have no targets of their own.
func TestPriorFunctionNotExchanged(t *testing.T) {
	o := Over(sgmcmc.ReSGLD()).SmallDefaults()
	for _, o.PriorScale = range []float64{0, 1} {
		o.Anchor = o.PriorScale == 0
		must.Refuse(Over(sgmcmc.ReSGLD()).New(o, smallSetup(stream.Root(1))))(t, "anchor and prior_scale: this sampler swaps")
	}
}
