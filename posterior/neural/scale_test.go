package neural

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/internal/checktest"
	"banditsim/internal/moments"
	"banditsim/internal/must"
	"banditsim/posterior"
	"banditsim/posterior/sgmcmc"
)

// ownScale returns the options of a small network with own_scale.
func ownScale() LangevinOptions {
	o := PICSGLD().SmallDefaults()
	o.OwnScale, o.Skip, o.WeightDecay, o.SkipDecay, o.Coverage = true, true, 0.7, 1, 5
	o.Sampler.LearningRate, o.Sampler.Temperature = 0.1, 0.3
	o.Sampler.Preconditioner.Rho, o.Sampler.Preconditioner.Scale = 0.01, 1
	o.Sampler.Contour.Range, o.Sampler.Contour.Gain, o.Sampler.Contour.Limit = "auto", 0.6, 0.9
	return o
}

func newScaled(t *testing.T, o LangevinOptions, dim, arms int) *Network {
	t.Helper()
	return must.Get(PICSGLD().New(o, posterior.Setup{Dim: dim, Arms: arms, Rounds: 30, Stream: stream.Root(5).Child("policy")}))(t).(*Network)
}

// teach trains n for rounds of twenty rewards factor·(function of context and arm + noise) + constant, in contexts of zeros and ones if
// binary.
func teach(t *testing.T, n *Network, rounds int, binary bool, factor, constant float64) {
	t.Helper()
	r := stream.Root(6).Child("lesson", rounds)
	var z [1]float32
	for range rounds {
		for i := range 20 {
			c := make([]float32, n.dim)
			for j := range c {
				if c[j] = float32(3 + 2*r.Float64()); binary {
					c[j] = float32(r.IntN(2))
				}
			}
			r.Normals(z[:])
			arm := i % n.arms
			reward := float64(c[0])*float64(arm+1) - float64(c[1]) + 0.25*float64(z[0])
			must.OK(t, n.Observe(c, arm, float64(factor*reward)+constant))
		}
		must.OK(t, n.Update(context.Background()))
	}
}

var someContexts = [][]float32{{3, 4, 5}, {4.5, 3.25, 4}, {0, 1, 0}, {1, 1, 1}}

// TestUnits checks that rewards 2ᵏ times as large give predictions exactly 2ᵏ times as large, and that a constant added to the rewards is
// added to the predictions, up to rounding.
func TestUnits(t *testing.T) {
	for _, binary := range []bool{false, true} {
		o := ownScale()
		if binary {
			o.PriorScale = 1
		}
		plain, far := newScaled(t, o, 3, 2), newScaled(t, o, 3, 2)
		teach(t, plain, 12, binary, 1, 0)
		teach(t, far, 12, binary, 1, 64)
		want, shifted := predict(t, plain, someContexts, posterior.Mean), predict(t, far, someContexts, posterior.Mean)
		for i, v := range shifted {
			must.Near(t, fmt.Sprintf("binary %t: with a constant of 64: value %d", binary, i), v, 64+want[i], 0.1)
		}
		for _, k := range []float64{-20, -1, 3, 30} {
			factor := math.Exp2(k)
			n := newScaled(t, o, 3, 2)
			teach(t, n, 12, binary, factor, 0)
			for i, v := range predict(t, n, someContexts, posterior.Mean) {
				must.Equal(t, fmt.Sprintf("binary %t: rewards times 2^%g: value %d", binary, k, i), v, factor*want[i])
			}
		}
	}
}

// TestOwnScaleLearns checks that a network with own_scale learns a linear function with an error below the noise, and that its σ̂² is
// near the share of the noise in the variance of the rewards.
func TestOwnScaleLearns(t *testing.T) {
	o := ownScale()
	o.Buffer, o.Steps = 512, 16
	n := newScaled(t, o, 3, 2)
	teach(t, n, 25, false, 10, -1000)
	for _, c := range [][]float32{{3.5, 4, 4}, {4.5, 3.25, 4}, {4, 4.5, 3.5}} {
		for arm, v := range predict(t, n, [][]float32{c}, posterior.Mean) {
			want := 10*(float64(c[0])*float64(arm+1)-float64(c[1])) - 1000
			must.Near(t, fmt.Sprintf("context %v: value of arm %d", c, arm), v, want, 2.5)
		}
	}
	// Residuals are the noise, of deviation 10·0.25, plus the error of the network.
	share := 10 * 10 * 0.0625 / (n.scale.sd * n.scale.sd)
	got := n.scale.residuals.Variance(n.scale.sd)
	must.That(t, got > share/2 && got < 8*share, "σ̂² is %g, the noise has a share of %g of the variance", got, share)
}

// checkRenewal observes rows with other moments, in contexts that draw returns, and checks that renewing the moments of rewards and
// inputs keeps the predictions.
func checkRenewal(t *testing.T, n *Network, contexts [][]float32, rows int, draw func(r *stream.Stream) []float32) {
	t.Helper()
	before := predict(t, n, contexts, posterior.Mean)
	r := stream.Root(9)
	for range rows {
		must.OK(t, n.Observe(draw(r), r.IntN(2), 1000*r.Float64()))
	}
	sd, used := n.scale.sd, n.inputs.used
	n.scale.renew(n)
	must.Hold(t, n.scale.sd >= 10*sd && n.inputs.used != used, "the moments have not changed: s %g and %g", sd, n.scale.sd)
	checktest.Vector(t, "value", predict(t, n, contexts, posterior.Mean), before, 2e-3)
}

// TestRenewKeepsPredictions checks that new moments of rewards and inputs change predictions only by rounding.
func TestRenewKeepsPredictions(t *testing.T) {
	n := newScaled(t, ownScale(), 3, 2)
	teach(t, n, 8, false, 1, 0)
	checkRenewal(t, n, someContexts, 30, func(r *stream.Stream) []float32 {
		return []float32{float32(10 * r.Float64()), float32(r.Float64() - 5), 100}
	})
}

// TestEqualRewards checks that s is 1 if all rewards are equal.
func TestEqualRewards(t *testing.T) {
	n := newScaled(t, ownScale(), 3, 2)
	teach(t, n, 6, false, 0, 7)
	must.That(t, n.scale.sd == 1 && n.scale.mean == 7, "m = %g, s = %g, want 7 and 1", n.scale.mean, n.scale.sd)
	for i, v := range predict(t, n, someContexts[:2], posterior.Mean) {
		must.Near(t, fmt.Sprint("value ", i), v, 7, 0.5)
	}
}

// TestResidualsByHand checks σ̂² = (5 + Σe²/s²)/(5 + k), where each new residual first multiplies Σe² and k by 1 − 1/(20 + n/4).
func TestResidualsByHand(t *testing.T) {
	var s moments.Noise
	must.Equal(t, "σ̂² before any residual", s.Variance(2), 1)
	s.Add(9, 20) // keep = 1 − 1/25
	s.Add(1, 80) // keep = 1 − 1/40
	residuals, count := 9*(39./40)+1, 39./40+1
	must.Near(t, "σ̂²", s.Variance(2), (5+residuals/4)/(5+count), 1e-15)
}

// TestFarContext checks that a prediction far beyond the rewards held counts as ten times as far from m as the farthest of them.
func TestFarContext(t *testing.T) {
	n := newScaled(t, ownScale(), 3, 2)
	teach(t, n, 8, false, 1, 0)
	far, s, want, limit := []float32{1e6, 4, 5}, n.scale, n.scale.residuals, 0.0
	must.OK(t, n.Observe(far, 0, 1))
	for i := range n.buffer.N {
		limit = max(limit, 10*math.Abs(s.standard(n.buffer.Reward(i))))
	}
	z := s.standard(predict(t, n, [][]float32{far}, posterior.Mean)[0])
	must.Hold(t, math.Abs(z) > limit, "the prediction is only %g deviations from the mean", z)
	e := s.reward(math.Copysign(limit, z)) - 1
	want.Add(float64(e*e), float64(n.buffer.N))
	must.OK(t, s.addResiduals(n))
	must.Equal(t, "σ̂²", s.residuals.Variance(s.sd), want.Variance(s.sd))
}

// TestPrior checks λ of each layer, and that addPrior adds the gradient of Penalty.
func TestPrior(t *testing.T) {
	o := ownScale()
	o.Hidden = []int{4}
	n := newScaled(t, o, 3, 2)
	check := func(want ...penalty) {
		t.Helper()
		for i, p := range n.penalties() {
			if w := want[i]; p.first != w.first || p.end != w.end || p.inputs != w.inputs || !(math.Abs(p.lambda-w.lambda) < 1e-12) {
				t.Errorf("part %d is %v, want %v", i, p, w)
			}
		}
	}
	check(penalty{0, 12, 2.1, true}, penalty{12, 16, 0.7, false}, penalty{16, 24, 2.8, false}, penalty{24, 26, 0.7, false}, penalty{26, 32, 3, true})
	o.OwnScale = false
	n = newScaled(t, o, 3, 2)
	check(penalty{0, 26, 0.7, false}, penalty{26, 32, 1, false})
	x, grad := make([]float32, 32), make([]float32, 32)
	stream.Root(3).Normals(x)
	o.OwnScale, o.MomentDecay = true, true
	n = newScaled(t, o, 3, 2)
	n.scale.square = 0.5
	target := regression{prior: n.penalties(), scale: n.scale, anchor: make([]float32, 32)}
	stream.Root(4).Normals(target.anchor)
	target.addPrior(grad, x)
	for i := range x {
		want := slope(x, i, 1e-2, func() float64 { return target.Penalty(x) })
		must.Near(t, fmt.Sprintf("∂/∂x[%d]", i), float64(grad[i]), want, 1e-4)
	}
}

// TestMomentDecay checks the mean square of the inputs: for a category of four values and a standardized number it is 2/5, because each
// contributes 1 to the sum of squares of the five inputs; for the category alone, in a sparse buffer, it is 1/4.
func TestMomentDecay(t *testing.T) {
	o := ownScale()
	o.MomentDecay, o.TrainAfter = true, 19
	for dim, want := range map[int]float64{5: 2.0 / 5, 4: 1.0 / 4} {
		n := newScaled(t, o, dim, 2)
		for i := range 40 {
			c := make([]float32, dim)
			c[i%4] = 1
			if dim == 5 {
				c[4] = float32(i * i)
			}
			must.OK(t, n.Observe(c, i%2, float64(i)))
		}
		must.OK(t, n.Update(context.Background()))
		must.Near(t, "mean square", n.scale.square, want, 1e-12)
	}
}

// rawSampler is a sampler whose steps are in units of the energy.
type rawSampler struct{ posterior.Sampler }

// TestRawOnly checks that own_scale is an error for samplers whose steps have the unit of the energy, and for regressions on the last
// layer that are not refitted in each round, in which the unit of reward can change.
func TestRawOnly(t *testing.T) {
	setup := posterior.Setup{Dim: 3, Arms: 2, Rounds: 5, Stream: stream.Root(1)}
	_, err := NewNetwork(ownScale().NetworkOptions, setup, func(u sgmcmc.Setup) (posterior.Sampler, error) { return rawSampler{}, nil })
	must.That(t, err != nil, "a sampler in units of the energy: no error")
	for _, k := range []posterior.Kind[lastLayerOptions]{NeuralLinear(), LastLayerLaplace()} {
		o := k.Defaults()
		o.OwnScale, o.Refit = true, 2
		must.Refuse(k.New(o, setup))(t, "refit: 2, want 1")
		o.Refit, o.LastDecayLimit, o.WeightDecay = 1, 3, 0
		must.Refuse(k.New(o, setup))(t, "weight_decay: 0, want above 0")
	}
}

// TestSizeIsRelative checks that SetSize(n) makes a step use ε/n in place of ε and s√n in place of s.
func TestSizeIsRelative(t *testing.T) {
	step := func(size float64) []float32 {
		o := sgmcmc.Plain(0.1, 0)
		o.Preconditioner = sgmcmc.PreconditionerOptions{Kind: "rmsprop", Alpha: 0.01, Rho: 0.01, Scale: 1}
		s := must.Get(sgmcmc.NewLangevin(o, sgmcmc.Setup{Chains: 1, Dim: 1}))(t)
		root := math.Sqrt(size)
		target := posterior.TargetFunc(1, func(grad, x []float32) float64 {
			grad[0] = float32(root) * x[0]
			return 0
		})
		if size > 1 {
			s.SetSize(size)
		}
		chains := []posterior.Chain{posterior.NewChain(target, []float32{1})}
		must.OK(t, s.Step(chains))
		return chains[0].X
	}
	one, many := step(1), step(256)
	// The gradient is 16 times as large, s as well, and ε 1/256: the move is 1/16.
	must.Near(t, "a move", 1-float64(many[0]), (1-float64(one[0]))/16, 1e-6)
}

// TestRateWidth checks that the learning rate is halved for contexts twice as long as rate_width, and unchanged for contexts no longer
// than rate_width.
func TestRateWidth(t *testing.T) {
	after := func(rate, width float64) []float64 {
		o := ownScale()
		o.Sampler.Preconditioner.Kind, o.Sampler.LearningRate, o.RateWidth = "off", rate, width
		n := newScaled(t, o, 3, 2)
		teach(t, n, 4, false, 1, 0)
		return predict(t, n, someContexts, posterior.Mean)
	}
	whole, half := after(0.02, 0), after(0.01, 0)
	for _, c := range []struct {
		width float64
		want  []float64
	}{{1.5, half}, {3, whole}, {128, whole}} {
		must.Equal(t, fmt.Sprintf("rate_width %g: values", c.width), after(0.02, c.width), c.want)
	}
	must.That(t, !slices.Equal(whole, half), "both rates give the same values")
}

// TestInputs checks that columns of numbers are standardized by the contexts observed, those of images by all pixels of a channel, that
// categories stay as they are, and that inputs are clipped to ±limit.
func TestInputs(t *testing.T) {
	for _, c := range []struct {
		name            string
		limit           float64
		channels        int
		contexts        [][]float32
		input           []float32
		want, deviation []float64 // input − mean, clipped in units of the deviation, and the deviation
	}{
		{"columns", 0, 0, [][]float32{{2, 0, 7}, {4, 1, 7}, {9, 1, 7}}, []float32{9, 1, 8}, []float64{4, 1, 1}, []float64{math.Sqrt((9 + 1 + 16) / 3.), 1, 1}},
		{"limit", 2, 0, [][]float32{{2, 3, 7}, {4, 5, 9}}, []float32{6, 1, 8.5}, []float64{2, -2, 0.5}, []float64{1, 1, 1}},
		{"channels", 0, 2, [][]float32{{2, 0, 4, 1}, {6, 1, 8, 1}}, []float32{2, 1, 10, 0}, []float64{-3, 1, 5, 0}, []float64{math.Sqrt(5), 1, math.Sqrt(5), 1}},
	} {
		in := newInputs(len(c.input))
		in.limit, in.channels = c.limit, c.channels
		for _, context := range c.contexts {
			in.observe(context)
		}
		must.That(t, in.due(), "%s: not due after the first contexts", c.name)
		in.renew()
		must.That(t, !in.due(), "%s: due without a new context", c.name)
		got := make([]float32, len(c.input))
		in.standardize(got, c.input)
		for j, v := range got {
			checktest.Near(t, fmt.Sprint(c.name, ", column ", j), float64(v), c.want[j]/c.deviation[j], 1e-6)
		}
	}
}

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
	must.Hold(t, ranks.has(0) && !ranks.has(1), "ranked: %t, %t, want the first column alone", ranks.has(0), ranks.has(1))
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
	low, high := ranks.score(0, 0), ranks.score(0, 1e30)
	must.That(t, low == -high && low == ranks.score(0, -1), "beyond the contexts %g and %g", low, high)
	for k := range ranks.knots[0] {
		ranks.knots[0][k] = float64(k / 32) // zeros and ones
	}
	must.Near(t, "zero", ranks.score(0, 0), math.Sqrt(12)*(0.25-0.5), 1e-15)
	must.Near(t, "half", ranks.score(0, 0.5), 0, 1e-15)
}
