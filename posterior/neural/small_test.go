package neural

import (
	"testing"

	"banditsim/bandit/stream"
	"banditsim/posterior"
	"banditsim/posterior/sgmcmc"
)

// smallOptions are those of a network of a few hundred parameters on ten contexts, whose energies
// fall into many bins.
func smallOptions() LangevinOptions {
	o := LangevinOptions{paperNetwork(), sgmcmc.Plain(0, 0)}
	o.Hidden, o.Chains, o.Steps, o.Batch = []int{12, 8}, 3, 4, 16
	o.Buffer, o.TrainAfter, o.DataSize = 64, 20, 64
	o.Sampler.LearningRate, o.Sampler.Temperature = 1e-4, 0.5
	o.Sampler.Preconditioner.Kind, o.Sampler.Preconditioner.Scale = "rmsprop", 16
	o.Sampler.Contour.Kind, o.Sampler.Contour.Bins, o.Sampler.Contour.Width = "paper", 20, 50
	o.Sampler.Contour.Zeta, o.Sampler.Contour.ThetaWarmup = 5, 0
	return o
}

const (
	smallDim  = 10
	smallArms = 3
)

// smallRow returns row i of the fixed data: a context with two ones, an arm and a reward.
func smallRow(i int) (context []float32, arm int, reward float64) {
	context = make([]float32, smallDim)
	context[i%5], context[5+(i/5)%5] = 1, 1
	return context, i % smallArms, float64(i%5) - 2*float64(i%smallArms)
}

// newSmall returns a network posterior, with n rows observed.
func newSmall(t testing.TB, o LangevinOptions, seed uint64, n int) *Network {
	t.Helper()
	p, err := PICSGLD().New(o, posterior.Setup{Dim: smallDim, Arms: smallArms, Rounds: 20, Stream: stream.Root(seed)})
	if err != nil {
		t.Fatal(err)
	}
	network := p.(*Network)
	for i := range n {
		context, arm, reward := smallRow(i)
		if err := network.Observe(context, arm, reward); err != nil {
			t.Fatal(err)
		}
	}
	return network
}

// langevin returns the sampler of a network.
func langevin(n *Network) *sgmcmc.Langevin { return n.sampler.(*sgmcmc.Langevin) }

// moved fails if θ is still flat: then a test of the contour tests nothing.
func moved(t *testing.T, n *Network) {
	t.Helper()
	theta, _ := langevin(n).Contour.State()
	for _, v := range theta {
		if v != theta[0] {
			return
		}
	}
	t.Error("θ is still flat: the test tests nothing")
}

// testNoise is the noise of a chain of newSmall.
func testNoise(seed uint64, chain int) *stream.Stream {
	return stream.Root(seed).Child("chain", chain, "noise")
}

// setAll sets all elements to v.
func setAll(dst []float64, v float64) {
	for i := range dst {
		dst[i] = v
	}
}
