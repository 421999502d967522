package neural

import (
	"fmt"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/internal/checktest"
	"banditsim/internal/kernel"
	"banditsim/posterior"
	"banditsim/posterior/sgmcmc"
)

// Bit for bit, on trajectories of all parameters of a network that learns from fixed rows.

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

// population returns a network whose chains play the given roles, in that order.
func population(t testing.TB, o LangevinOptions, roles ...int) *Network {
	t.Helper()
	o.Chains = len(roles)
	n := newSmall(t, o, 1, 64)
	n.chains, langevin(n).Noise = nil, nil
	passes := newPasses(n.model, o.Batch)
	for _, role := range roles {
		r := stream.Root(1).Child("chain", role)
		n.addChain(passes, r, plainTarget)
		langevin(n).Noise = append(langevin(n).Noise, r.Child("noise"))
	}
	return n
}

// follow moves two populations by 60 steps and compares chain i of the first with chain pair[i]
// of the second after each.
func follow(t *testing.T, a, b *Network, pair []int) {
	t.Helper()
	for step := range 60 {
		checktest.Advance(t, a.sampler, a.chains, 1)
		checktest.Advance(t, b.sampler, b.chains, 1)
		for i, j := range pair {
			checktest.Bits(t, fmt.Sprintf("step %d, chain %d", step, i), a.chains[i].X, b.chains[j].X)
		}
	}
}

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

func TestContourThatDoesNothing(t *testing.T) {
	for _, c := range []struct {
		name string
		set  func(*LangevinOptions)
	}{
		{"ζ = 0", func(o *LangevinOptions) { o.Sampler.Contour.Zeta = 0 }},
		{"T = 0", func(o *LangevinOptions) { o.Sampler.Temperature = 0 }},
	} {
		for _, kind := range []string{"paper", "authors"} {
			t.Run(c.name+" "+kind, func(t *testing.T) {
				o := smallOptions()
				c.set(&o)
				o.Sampler.Contour.Kind = kind
				on := population(t, o, 0, 1, 2)
				o.Sampler.Contour.Kind = "off"
				off := population(t, o, 0, 1, 2)
				follow(t, on, off, []int{0, 1, 2})
				moved(t, on)
			})
		}
	}
}

// TestOneChainIsCSGLD: with one chain the shared histogram follows CSGLD,
//
//	θ ← θ + ωθ(J)(1_{i=J} − θ),
//
// written here for one chain; and pCSGLD is pICSGLD with one chain.
func TestOneChainIsCSGLD(t *testing.T) {
	o := smallOptions()
	n := population(t, o, 0)
	c := o.Sampler.Contour
	theta := make([]float64, c.Bins)
	setAll(theta, 1/float64(c.Bins))
	x := append([]float32(nil), n.chains[0].X...)
	twin := population(t, o, 0).chains[0].Target // the same batches
	noise := stream.Root(1).Child("chain", 0, "noise")
	v, grad, w := make([]float32, len(x)), make([]float32, len(x)), make([]float32, len(x))
	for i := range v {
		v[i] = 1
	}
	for step := range 60 {
		energy, err := twin.EnergyGrad(grad, x)
		if err != nil {
			t.Fatal(err)
		}
		m := 1.0
		j := 0
		for float64(j+1)*c.Width < energy {
			j++
		}
		if j < c.Bins {
			if step > 0 {
				f := theta[j]
				for i := range theta {
					theta[i] -= c.Omega * (f * theta[i])
				}
				theta[j] += c.Omega * f
			}
			if j > 0 {
				m += c.Zeta * o.Sampler.Temperature / c.Width * (kernel.Log(theta[j]) - kernel.Log(theta[j-1]))
			}
		}
		noise.Normals(w)
		kernel.LangevinPlain(x, grad, v, w, &kernel.Langevin[float32]{
			Step: float32(o.Sampler.LearningRate), Multiplier: float32(m), NoiseScale2: float32(2 * o.Sampler.Temperature * o.Sampler.LearningRate),
			Precondition: true, Alpha: 0.01, Rho: 1e-3, InvScale: 1. / 16,
		})
		checktest.Advance(t, n.sampler, n.chains, 1)
		got, _ := langevin(n).Contour.State()
		for i := range theta {
			checktest.Near(t, fmt.Sprintf("step %d: θ(%d)", step, i+1), got[i], theta[i], 1e-14)
		}
		checktest.Bits(t, fmt.Sprint("step ", step), n.chains[0].X, x)
	}
	moved(t, n)
}

// TestWithoutTemperatureItIsSGD: x ← x − εg, in one fused operation.
func TestWithoutTemperatureItIsSGD(t *testing.T) {
	o := smallOptions()
	o.Sampler.Temperature, o.Sampler.Preconditioner.Kind, o.Sampler.Contour.Kind = 0, "off", "off"
	n := population(t, o, 0)
	x := append([]float32(nil), n.chains[0].X...)
	grad := make([]float32, len(x))
	twin := population(t, o, 0).chains[0].Target
	for step := range 60 {
		if _, err := twin.EnergyGrad(grad, x); err != nil {
			t.Fatal(err)
		}
		for i := range x {
			x[i] = kernel.FMA32(-float32(o.Sampler.LearningRate), grad[i], x[i])
		}
		checktest.Advance(t, n.sampler, n.chains, 1)
		checktest.Bits(t, fmt.Sprint("step ", step), n.chains[0].X, x)
	}
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
