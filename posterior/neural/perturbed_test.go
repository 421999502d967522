package neural

import (
	"context"
	"fmt"
	"math"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/internal/checktest"
	"banditsim/internal/must"
	"banditsim/posterior"
)

// onLine returns the options of a network f = wx + b, trained on batches of all rows.
func onLine() LangevinOptions {
	o := linearOptions()
	o.Chains, o.TrainAfter, o.WeightDecay = 1, 0, 0
	return o
}

func lineSetup(r *stream.Stream) posterior.Setup {
	return posterior.Setup{Dim: 1, Arms: 1, Rounds: 1000, Stream: r}
}

// TestParamNoise checks that, for f = wx + b, draws at x = 1 and x = 2 have the variances σ²(1 + x²) and joint draws the covariance σ²(1
// + 1·2), and that σ grows if the noise changes the values too little, and shrinks if it changes them too much.
func TestParamNoise(t *testing.T) {
	for _, c := range []struct{ deviation, factor float64 }{{1e6, noiseFactor}, {1e-6, 1 / noiseFactor}} {
		o := paramNoiseOptions{network(onLine()), c.deviation, 0.5}
		p := must.Get(o.build(lineSetup(checktest.Stream("param noise"))))(t)
		checkDraws(t, p, [][]float32{{1}, {2}}, 0, 0.25*2, 0.25*3, 0.25*5, p.DrawJoint)
		update(t, p, 1)
		checktest.Near(t, "σ before training", p.sigma, 0.5, 0)
		must.OK(t, p.Observe([]float32{1}, 0, 1))
		update(t, p, 2)
		checktest.Near(t, "σ after two rounds", p.sigma, 0.5*c.factor*c.factor, 1e-15)
	}
}

// TestSoftplus compares softplus and its derivative with package math, and checks the inverse.
func TestSoftplus(t *testing.T) {
	for _, rho := range []float32{-60, -20, -18, -3, 0, 2, 40} {
		v, slope := softplus(rho)
		checktest.Near(t, "softplus, relative", v/math.Log1p(math.Exp(float64(rho))), 1, 2e-8)
		checktest.Near(t, "its derivative, relative", slope*(1+math.Exp(-float64(rho))), 1, 2e-8)
	}
	for _, v := range []float64{1e-30, 1e-5, 0.02, 1, 50} {
		back, _ := softplus(float32(unsoftplus(v)))
		checktest.Near(t, "inverse, relative", back/v, 1, 1e-5)
	}
}

// TestJointDrawMask checks that all contexts of a joint draw have one mask of dropout.
func TestJointDrawMask(t *testing.T) {
	o := ParamNoise().Defaults()
	o.Dropout.Rate, o.TrainAfter = 0.5, 0
	p := must.Get(ParamNoise().New(o, posterior.Setup{Dim: 1, Arms: 1, Rounds: 10, Stream: stream.Root(6)}))(t)
	var dst [3]float64
	must.OK(t, p.(posterior.JointDrawer).DrawJoint(dst[:], [][]float32{{2}, {2}, {2}}))
	must.That(t, dst[0] == dst[1] && dst[0] == dst[2], "one context has the values %v", dst)
}

func variationalOnLine() bayesByBackpropOptions {
	o, l := BayesByBackprop().Defaults(), onLine()
	o.NetworkOptions, o.Preconditioner, o.Temperature = l.NetworkOptions, l.Sampler.Preconditioner, 3
	return o
}

// TestBayesByBackpropStep compares the gradient with values computed by hand: f = wx + b, one row x = 2, r = 5, so that Û = (2w + b − 5)²
// at w = µ + σe, with ∂Û/∂w = 4(2w + b − 5), ∂Û/∂b = 2(2w + b − 5). µ = (1, −1), σ = (½, ¼), τ = 3.
func TestBayesByBackpropStep(t *testing.T) {
	o := variationalOnLine()
	o.DataSize = 1
	p := must.Get(o.build(lineSetup(checktest.Stream("variational"))))(t)
	must.OK(t, p.Observe([]float32{2}, 0, 5))
	e := make([]float32, 2)
	checktest.Stream("variational").Child("chain", 0, "variational").Normals(e)
	sd := []float64{0.5, 0.25}
	x := []float32{1, -1, float32(unsoftplus(sd[0])), float32(unsoftplus(sd[1]))}
	w, b := 1+sd[0]*float64(e[0]), -1+sd[1]*float64(e[1])
	residual := 2*w + b - 5
	g := []float64{4 * residual, 2 * residual}
	want := append([]float64(nil), g...)
	for i := range g { // dσ/dρ = 1 − exp(−σ)
		want = append(want, (g[i]*float64(e[i])-3/sd[i])*(1-math.Exp(-sd[i])))
	}
	energy, grad := energyGrad(t, p.chains[0].Target, x)
	checktest.Near(t, "energy", energy, residual*residual, 1e-5)
	checktest.Vector(t, "gradient", checktest.Wide(grad), want, 1e-5)
	p.targets[0].rescale(x, 3) // the unit of the rewards becomes a third
	for i := range sd {
		v, _ := softplus(x[2+i])
		checktest.Near(t, "rescaled deviation", v, 3*sd[i], 1e-6)
	}
}

// TestFirstUnit checks that deviations stay as they are when the rewards held begin to differ, because the s of equal rewards is no unit,
// and that they follow the unit after that.
func TestFirstUnit(t *testing.T) {
	o := BayesByBackprop().Defaults()
	o.OwnScale, o.TrainAfter, o.Steps = true, 0, 1
	n := must.Get(o.build(lineSetup(checktest.Stream("first unit"))))(t)
	rho := &n.chains[0].X[n.model.Dim()+n.last().Weights]
	must.OK(t, n.Observe([]float32{1}, 0, 0))
	must.OK(t, n.Update(context.Background()))
	for _, c := range []struct{ reward, ratio float64 }{{2000, 1}, {9000, 3 / math.Sqrt(134)}} { // s = 1, 1,000 and 1,000·√134/3
		before, _ := softplus(*rho)
		must.OK(t, n.Observe([]float32{1}, 0, c.reward))
		n.scale.renew(n.Network)
		after, _ := softplus(*rho)
		checktest.Near(t, "ratio of the deviations", after/before, c.ratio, 1e-5)
	}
}

// TestBayesByBackpropOptimum checks that training reaches the minimum of F. For f = wx + b the energy is quadratic with the precision A =
// 2Σ(x, 1)(x, 1)ᵀ + λI, and F has its minimum at the µ of the ridge regression and σᵢ² = τ/Aᵢᵢ. Rows: r = 1, 2, 5 at x = 1, 2, −1, where
// Σ(x, 1)(x, 1)ᵀ = ((6, 2), (2, 3)) and Σr(x, 1) = (0, 8). With λ = 2, A = ((14, 4), (4, 8)) and µ = A⁻¹(0, 16) = (−64, 224)/96.
func TestBayesByBackpropOptimum(t *testing.T) {
	o := variationalOnLine()
	o.DataSize, o.WeightDecay, o.LearningRate, o.Decay = 3, 2, 0.02, 0.99
	p := must.Get(o.build(lineSetup(checktest.Stream("optimum"))))(t)
	for i, x := range []float32{1, 2, -1} {
		must.OK(t, p.Observe([]float32{x}, 0, []float64{1, 2, 5}[i]))
	}
	update(t, p, 700)
	checktest.Vector(t, "µ", checktest.Wide(p.chains[0].X[:2]), []float64{-64. / 96, 224. / 96}, 0.02)
	checktest.Vector(t, "σ", checktest.Wide(p.sds[0]), []float64{math.Sqrt(3. / 14), math.Sqrt(3. / 8)}, 0.02)
}

// TestParamNoiseDeviation checks that the noise adapts until the root mean square change of the values, over rows and arms, is the
// option's deviation, for few and many arms. σ settles where half of the rounds are above the deviation, which is at the median of a
// random sum of squares, so that the root mean square ends a little above.
func TestParamNoiseDeviation(t *testing.T) {
	for _, arms := range []int{2, 12} {
		const deviation = 0.3
		o := ParamNoise().Defaults()
		o.Hidden, o.Steps, o.Batch, o.TrainAfter, o.LearningRate = []int{}, 1, 1, 0, 0
		o.Deviation, o.InitialSD = deviation, 0.2
		const dim = 6
		p := must.Get(ParamNoise().New(o, posterior.Setup{Dim: dim, Arms: arms, Rounds: 1000, Stream: stream.Root(4)}))(t)
		r := stream.Root(5)
		var rows [][]float32
		for i := range 40 {
			c := make([]float32, dim)
			r.Normals(c)
			rows = append(rows, c)
			must.OK(t, p.Observe(c, i%arms, 1))
		}
		update(t, p, 600)
		mean, squares, n := predict(t, p, rows, posterior.Mean), 0.0, 0.0
		for range 200 {
			for i, v := range predict(t, p, rows, posterior.Draw) {
				squares += (v - mean[i]) * (v - mean[i])
				n++
			}
		}
		if got := math.Sqrt(squares / n); !(got > 0.9*deviation && got < 1.3*deviation) {
			t.Errorf("%d arms: draws differ from the means by %g, want about %g", arms, got, deviation)
		}
	}
}

// newSWAG returns networks, four by default, trained for the given number of rounds.
func newSWAG(t *testing.T, set func(*swagOptions), rounds int) *swagNetwork {
	t.Helper()
	o := SWAG().SmallDefaults()
	o.Chains = 4
	set(&o)
	p := must.Get(o.build(smallSetup(checktest.Stream("swag"))))(t)
	observeSmall(t, p, 0, 80)
	update(t, p, rounds)
	return p
}

// TestSWAGPredicts checks that before training a draw is the output of a network, that after it the mean is that of the networks at their
// µ, and that draws have the mean and the variance of the mixture of Gaussians, estimated here by separate forward passes.
func TestSWAGPredicts(t *testing.T) {
	contexts := [][]float32{make([]float32, smallDim)}
	contexts[0][1] = 1
	s := newSWAG(t, func(o *swagOptions) { o.Chains = 1 }, 0)
	checktest.Vector(t, "a draw before training", predict(t, s, contexts, posterior.Draw), predict(t, s, contexts, posterior.Mean), 0)
	s = newSWAG(t, func(o *swagOptions) { o.Memory, o.Rank = 5, 3 }, 12)
	mean := predict(t, s, contexts, posterior.Mean)
	must.OK(t, s.encode(contexts))
	const n = 4000
	var want [smallArms]float64
	var moments, drawn [2][smallArms]float64
	add := func(to *[2][smallArms]float64, values []float64) {
		for a, f := range values {
			to[0][a] += f / (4 * n)
			to[1][a] += f * f / (4 * n)
		}
	}
	r, x := checktest.Stream("swag draws"), make([]float32, s.model.Dim())
	for _, g := range s.fits {
		g.Mean(x)
		for a, f := range s.predictor.Forward(x, &s.rows, nil) {
			want[a] += float64(f) / 4
		}
		for range n {
			g.Draw(x, r)
			add(&moments, checktest.Wide(s.predictor.Forward(x, &s.rows, nil)))
			add(&drawn, predict(t, s, contexts, posterior.Draw))
		}
	}
	checktest.Vector(t, "mean", mean, want[:], 1e-6)
	for a := range smallArms {
		variance := moments[1][a] - moments[0][a]*moments[0][a]
		checktest.SE(t, "mean of draws", drawn[0][a], moments[0][a], math.Sqrt(2*variance/(4*n)))
		checktest.SE(t, "variance of draws", drawn[1][a]-drawn[0][a]*drawn[0][a], variance, 2*variance*math.Sqrt(2./(4*n)))
	}
}

// TestSWAGFollowsTheUnit checks that the Gaussians of networks with learning rate 0 have their mean at the networks'
// parameters, and no variance, after the units of the rewards and of the contexts, if dense, have changed.
func TestSWAGFollowsTheUnit(t *testing.T) {
	for _, dense := range []bool{false, true} {
		s := newSWAG(t, func(o *swagOptions) { o.OwnScale, o.Skip, o.Memory, o.LearningRate = true, true, 100, 0 }, 1)
		sd := s.scale.sd
		for i := range 20 {
			context, arm, reward := smallRow(i)
			if dense {
				context[0] *= float32(2 + i)
			}
			must.OK(t, s.Observe(context, arm, 3+float64(i)*reward))
			update(t, s, 1)
		}
		must.Hold(t, s.scale.sd >= 2*sd && dense == (s.inputs.used > 80),
			"the unit went from %g to %g, want twice as much; %g contexts give theirs", sd, s.scale.sd, s.inputs.used)
		x := make([]float32, s.model.Dim())
		for c, g := range s.fits {
			must.That(t, dense == (g.N() < 21), "chain %d: %d snapshots, dense %t", c, g.N(), dense)
			g.Mean(x)
			checktest.Vector(t, fmt.Sprintf("µ of chain %d", c), checktest.Wide(x), checktest.Wide(s.chains[c].X), 1e-5)
			g.Draw(x, checktest.Stream("unit"))
			checktest.Vector(t, fmt.Sprintf("a draw of chain %d", c), checktest.Wide(x), checktest.Wide(s.chains[c].X), 1e-4)
		}
	}
}
