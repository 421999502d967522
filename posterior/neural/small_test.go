package neural

import (
	"context"
	"math"
	"slices"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/internal/checktest"
	"banditsim/internal/must"
	"banditsim/internal/verify"
	"banditsim/posterior"
	"banditsim/posterior/sgmcmc"
)

// smallOptions are the options of a network of a few hundred parameters for smallRow, whose energies fall into many bins.
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

// newSmall returns a network posterior that has observed n rows of the fixed data.
func newSmall(t testing.TB, o LangevinOptions, seed uint64, n int) *Network {
	t.Helper()
	network := must.Get(PICSGLD().New(o, posterior.Setup{Dim: smallDim, Arms: smallArms, Rounds: 20, Stream: stream.Root(seed)}))(t).(*Network)
	observeSmall(t, network, 0, n)
	return network
}

// langevin returns the sampler of a network.
func langevin(n *Network) *sgmcmc.Langevin { return n.sampler.(*sgmcmc.Langevin) }

// moved fails the test if θ is still flat, because a test of the contour would then test nothing.
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

// update calls p.Update for a number of rounds.
func update(t testing.TB, p posterior.Posterior, rounds int) {
	t.Helper()
	for range rounds {
		must.OK(t, p.Update(context.Background()))
	}
}

// checkSharp is checktest.SE for a test that must detect an error of 5 %: it fails if 9 standard errors exceed the 5 %.
func checkSharp(t *testing.T, name string, got, want, se float64) {
	t.Helper()
	must.That(t, 9*se <= 0.05*math.Abs(want),
		"%s: a standard error of %g is too large to detect a fault of 5 %% in %g at 9 of them", name, se, want)
	checktest.SE(t, name, got, want, se)
}

// checkDraws compares draws of an arm's values in two contexts with the given variances and covariance about the means that p predicts.
// Draws of Predict must be uncorrelated; those of joint must have the covariance.
func checkDraws(t *testing.T, p posterior.Posterior, contexts [][]float32, arm int, variance1, covariance, variance2 float64, joint func([]float64, [][]float32) error) {
	t.Helper()
	mean := predict(t, p, contexts, posterior.Mean)
	v, second := make([]float64, len(mean)), len(mean)/2+arm
	check := func(name string, covariance float64, draw func() error) {
		t.Helper()
		const n = 20_000
		var s11, s12, s22 float64
		for range n {
			must.OK(t, draw())
			a, b := v[arm]-mean[arm], v[second]-mean[second]
			s11, s12, s22 = s11+a*a/n, s12+a*b/n, s22+b*b/n
		}
		checktest.SE(t, name+": variance of the first", s11, variance1, variance1*math.Sqrt(2./n))
		checktest.SE(t, name+": covariance", s12, covariance, math.Sqrt((variance1*variance2+covariance*covariance)/n))
		checktest.SE(t, name+": variance of the second", s22, variance2, variance2*math.Sqrt(2./n))
	}
	check("draws", 0, func() error { return p.Predict(v, contexts, posterior.Draw) })
	check("joint draws", covariance, func() error { return joint(v, contexts) })
}

// slope returns the central difference quotient of f in x[i], with step h.
func slope(x []float32, i int, h float32, f func() float64) float64 {
	v := x[i]
	x[i] = v + h
	up := f()
	x[i] = v - h
	down := f()
	x[i] = v
	return (up - down) / (2 * float64(h))
}

// meanSE returns the mean of independent replicates and its standard error.
func meanSE(x []float64) (mean, se float64) {
	n := float64(len(x))
	for _, v := range x {
		mean += v / n
	}
	for _, v := range x {
		se += (v - mean) * (v - mean)
	}
	return mean, math.Sqrt(se / (n - 1) / n)
}

func (n *Network) numberOfArms() int { return n.arms }

// predict returns the predictions of a posterior over a network.
func predict(t testing.TB, p posterior.Posterior, contexts [][]float32, how posterior.Prediction) []float64 {
	t.Helper()
	dst := slices.Repeat([]float64{math.NaN()}, len(contexts)*p.(interface{ numberOfArms() int }).numberOfArms())
	must.OK(t, p.Predict(dst, contexts, how))
	return dst
}

// energyGrad returns the energy of a chain at x, and its gradient.
func energyGrad(t testing.TB, target posterior.Target, x []float32) (energy float64, grad []float32) {
	t.Helper()
	grad = make([]float32, len(x))
	return must.Get(target.EnergyGrad(grad, x))(t), grad
}

// smallSetup returns the setup of posteriors for the fixed data.
func smallSetup(r *stream.Stream) posterior.Setup {
	return posterior.Setup{Dim: smallDim, Arms: smallArms, Rounds: 30, Stream: r}
}

// TestContract checks the contract of networks with options that no registered posterior has.
func TestContract(t *testing.T) {
	small := PICSGLD().Kind
	for _, c := range []struct {
		name   string
		build  func(posterior.Setup) (posterior.Posterior, error)
		rounds int
		spread bool
	}{
		{"RMSProp", EpsGreedy().Subject().New, 150, false},
		{"no hidden layer", builder(small, func(o *LangevinOptions) { o.Hidden = nil }), 150, true},
		// Here every step ends a round: predictions follow it, not another evaluation of the energy.
		{"one step per round", builder(small, func(o *LangevinOptions) { o.Steps = 1 }), 1200, true},
		{"reduced energy, falling ω", builder(small, func(o *LangevinOptions) {
			o.Sampler.Contour.Energy, o.Sampler.Contour.EnergyRefresh = "reduced", 7
			o.Sampler.Contour.OmegaExponent, o.Sampler.Contour.OmegaOffset = 0.6, 100
		}), 150, true},
		{"weights Ψ^ζ", builder(small, func(o *LangevinOptions) { o.Sampler.Contour.Weights = "psi" }), 150, true},
		{"decay, field θ^ζ, last bin", builder(small, func(o *LangevinOptions) {
			o.Sampler.Decay, o.Sampler.Contour.Field, o.Sampler.Contour.Overflow = 0.99, "theta^zeta", "lastbin"
		}), 150, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			claims := posterior.Claims{Rounds: c.rounds, Spread: c.spread}
			checktest.Checks(t, verify.Posterior(posterior.Subject{Name: c.name, New: c.build, Claims: claims}))
		})
	}
}
