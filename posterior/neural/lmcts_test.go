package neural

import (
	"math"
	"testing"

	"banditsim/internal/checktest"
	"banditsim/internal/must"
	"banditsim/posterior"
	"banditsim/posterior/neural/internal/replay"
)

// newLMC returns a linear model of one input for some arms, with the rows (2, 5) and (−1, 1) of arm 0.
func newLMC(t *testing.T, arms int, o lmcOptions) *langevinMonteCarlo {
	t.Helper()
	o.Hidden = nil
	p := must.Get(o.build(posterior.Setup{Dim: 1, Arms: arms, Rounds: 10, Stream: checktest.Stream("lmc")}))(t)
	for _, row := range [][2]float64{{2, 5}, {-1, 1}} {
		must.OK(t, p.Observe([]float32{float32(row[0])}, 0, row[1]))
	}
	return p
}

// TestLMCTSStep compares steps with values computed by hand: f = wx + b at w = 1, b = −1 with the rows (2, 5) and (−1, 1), λ = 2, τ = 3,
// ε = .02. The residuals are −4 and −3, and the gradient of the squared errors is (−16 + 6, −8 − 6). With (2, −2) of the prior, the
// gradient is (−8, −16) for loss sum, with the step η = ε/2, and (−3, −9) for loss mean.
func TestLMCTSStep(t *testing.T) {
	noise := make([]float32, 4)
	r := checktest.Stream("lmc").Child("chain", 0, "noise")
	r.Normals(noise[:2])
	r.Normals(noise[2:])
	for _, c := range []struct {
		loss, dynamics string
		friction, eta  float64
		grad           [2]float64
	}{
		{"sum", "overdamped", 0.3, 0.01, [2]float64{-8, -16}},
		{"mean", "overdamped", 0.3, 0.02, [2]float64{-3, -9}},
		{"sum", "underdamped", 1, 0.01, [2]float64{-8, -16}},
		{"sum", "underdamped", 0.25, 0.01, [2]float64{-8, -16}},
		{"sum", "metropolis", 1, 0.01, [2]float64{-8, -16}},
	} {
		o := LMCTS().Defaults()
		o.Steps, o.LearningRate, o.Temperature, o.WeightDecay = 1, 0.02, 3, 2
		o.Loss, o.Dynamics, o.Friction = c.loss, c.dynamics, c.friction
		l := newLMC(t, 1, o)
		x := l.chains[0].X
		copy(x, []float32{1, -1})
		update(t, l, 1)
		variance := 2 * c.eta * 3
		if c.dynamics == "underdamped" {
			variance *= c.friction
		}
		var want, momentum [2]float64
		for i, start := range []float64{1, -1} {
			momentum[i] = -c.eta*c.grad[i] + math.Sqrt(variance)*float64(noise[i])
			want[i] = start + momentum[i]
		}
		must.That(t, c.dynamics != "metropolis" || x[0] != 1, "the proposal was rejected: the test shows nothing")
		checktest.Vector(t, c.loss+" "+c.dynamics, checktest.Wide(x), want[:], 1e-6)
		if c.dynamics != "underdamped" {
			continue
		}
		// The second step keeps the share 1 − friction of the momentum.
		r1, r2 := 2*want[0]+want[1]-5, -want[0]+want[1]-1
		grad := [2]float64{2*(2*r1-r2) + 2*want[0], 2*(r1+r2) + 2*want[1]}
		update(t, l, 1)
		for i := range want {
			want[i] += (1-c.friction)*momentum[i] - c.eta*grad[i] + math.Sqrt(variance)*float64(noise[2+i])
		}
		checktest.Vector(t, "second step of "+c.dynamics, checktest.Wide(x), want[:], 1e-6)
	}
}

// TestLMCTSLaw checks that, with Metropolis' correction, a chain on a linear model samples the posterior of Bayesian linear regression at
// any step size. With λ = 2 the precision is A/τ, A = 2Σ(x, 1)(x, 1)ᵀ + λI = ((12, 2), (2, 6)), its inverse ((6, −2), (−2, 12))/68, and
// the mean A⁻¹·2Σr(x, 1) = A⁻¹(18, 12) = (84, 108)/68.
func TestLMCTSLaw(t *testing.T) {
	for dynamics, rate := range map[string]float64{"metropolis": 0.18, "hamiltonian": 0.02} {
		o := LMCTS().Defaults()
		o.Steps, o.LearningRate, o.Temperature, o.WeightDecay, o.Dynamics = 4, rate, 3, 2, dynamics
		l := newLMC(t, 1, o)
		x := l.chains[0].X
		const blocks, rounds = 100, 250
		mean, moments := [2]float64{84. / 68, 108. / 68}, [5][]float64{}
		update(t, l, 100)
		for range blocks {
			var sum [5]float64
			for range rounds {
				update(t, l, 1)
				a, b := float64(x[0])-mean[0], float64(x[1])-mean[1]
				for i, v := range [5]float64{a, b, a * a, a * b, b * b} {
					sum[i] += v / rounds
				}
			}
			for i, v := range sum {
				moments[i] = append(moments[i], v)
			}
		}
		for i, want := range [5]float64{0, 0, 3 * 6. / 68, 3 * -2. / 68, 3 * 12. / 68} {
			got, se := meanSE(moments[i])
			name := dynamics + ": " + []string{"mean of w", "mean of b", "variance of w", "covariance", "variance of b"}[i]
			checktest.SE(t, name, got, want, se)
		}
	}
}

// TestFeelGood compares the term and its slope with values computed by hand, for two arms with the outputs 3 and −2 and µ = ½. The hard
// term is −½·2 with slope 0 at b = 2, and −½·3 with slope −½ at b = 4. The smooth term at b = 4 is −½(4 − log(1 + e)) with slope −½·e/(1
// + e) at s = 1, and −½(4 − log(1 + e²)/2) with slope −½·e²/(1 + e²) at s = 2. The gradient of the whole energy is compared with finite
// differences.
func TestFeelGood(t *testing.T) {
	e := math.E
	for _, c := range []struct {
		kind                        string
		cap, sharpness, term, slope float64
	}{
		{"off", 2, 1, 0, 0}, {"hard", 2, 1, -1, 0}, {"hard", 4, 1, -1.5, -0.5},
		{"smooth", 4, 1, -0.5 * (4 - math.Log(1+e)), -0.5 * e / (1 + e)},
		{"smooth", 4, 2, -0.5 * (4 - math.Log(1+e*e)/2), -0.5 * e * e / (1 + e*e)},
	} {
		f := feelGood{feelGoodOptions: feelGoodOptions{Kind: c.kind, Weight: 0.5, Cap: c.cap, Sharpness: c.sharpness}}
		checktest.Near(t, c.kind+": term", f.begin([]float32{3, -2}, 2, 1), c.term, 1e-7)
		delta := []float32{1, 1}
		f.add(delta, 2)
		checktest.Vector(t, c.kind+": slope", checktest.Wide(delta), []float64{1 + c.slope, 1}, 1e-7)

		o := LMCTS().Defaults()
		o.FeelGood, o.WeightDecay = f.feelGoodOptions, 0
		l := newLMC(t, 2, o)
		x := []float32{0.625, 0.75, 1, -0.25} // no output is at a cap
		target := l.chains[0].Target
		_, grad := energyGrad(t, target, x)
		for i := range x {
			want := slope(x, i, 1./256, func() float64 { return must.Get(target.EnergyGrad(make([]float32, len(x)), x))(t) })
			checktest.Near(t, c.kind+": gradient", float64(grad[i]), want, 1e-3)
		}
	}
	oneArm := LMCTS().Defaults()
	oneArm.FeelGood.Kind = "hard"
	_, err := oneArm.build(posterior.Setup{Dim: 1, Arms: 1, Rounds: 1, Stream: checktest.Stream("one arm")})
	must.That(t, err != nil, "feel-good over one output: no error")
}

// TestWholeBuffer checks that a buffer with more rows than a pass gives the energy and gradient of a regression with all rows in one
// batch.
func TestWholeBuffer(t *testing.T) {
	for _, loss := range []string{"sum", "mean"} {
		o := LMCTS().SmallDefaults()
		o.Memory, o.Loss, o.WeightDecay = 2*wholeRows+10, loss, 3
		p := must.Get(o.build(posterior.Setup{Dim: smallDim, Arms: smallArms, Rounds: 1, Stream: checktest.Stream("whole")}))(t)
		observeSmall(t, p, 0, o.Memory+5)
		all := *p.chains[0].Target.(*whole).regression
		all.passes, all.batch, all.batchSize = newPasses(p.model, o.Memory), replay.Batch{}, o.Memory
		if loss == "sum" {
			all.dataSize = float64(o.Memory)
		}
		x := p.chains[0].X
		u, got := energyGrad(t, p.chains[0].Target, x)
		v, want := energyGrad(t, &all, x)
		checktest.Near(t, loss+": energy", u/v, 1, 1e-6)
		scale := 0.0
		for _, g := range want {
			scale = max(scale, math.Abs(float64(g)))
		}
		for i := range got {
			checktest.Near(t, loss+": gradient", float64(got[i])/scale, float64(want[i])/scale, 1e-5)
		}
	}
}
