package exact

import (
	"context"
	"errors"
	"math"
	"testing"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/posterior"
)

// checkSample compares mean and covariance of samples, each number by its inverse if that is not nil, with those of their
// law: 6 standard errors.
func checkSample(t *testing.T, name string, p posterior.SampleDrawer, contexts [][]float32, inverse func(float64) float64, mean []float64, cov func(i, j int) float64) {
	t.Helper()
	const n = 20_000
	k := len(mean)
	v, sum, products, worst := make([]float64, k), make([]float64, k), make([]float64, k*k), 0.0
	for range n {
		if err := p.DrawSamples(v, contexts); err != nil {
			t.Fatal(err)
		}
		for i := range v {
			if inverse != nil {
				v[i] = inverse(v[i])
			}
			sum[i] += (v[i] - mean[i]) / n
			for j := range i + 1 {
				products[i*k+j] += (v[i] - mean[i]) * (v[j] - mean[j]) / n
			}
		}
	}
	for i := range v {
		off := sum[i] / math.Sqrt(cov(i, i)/n)
		worst = max(worst, math.Abs(off))
		if !(math.Abs(off) <= 6) {
			t.Errorf("%s: the mean of number %d is %g off, %.1f standard errors", name, i, sum[i], off)
		}
		for j := range i + 1 {
			c := cov(i, j)
			off := (products[i*k+j] - c) / math.Sqrt((c*c+cov(i, i)*cov(j, j))/n)
			worst = max(worst, math.Abs(off))
			if !(math.Abs(off) <= 6) {
				t.Errorf("%s: the covariance of numbers %d and %d is %g, want %g: %.1f standard errors off", name, i, j, products[i*k+j], c, off)
			}
		}
	}
	t.Logf("%s: at most %.1f standard errors off", name, worst)
}

// TestSampleOfGP: the log-odds of samples have the law of the Kalman filter.
func TestSampleOfGP(t *testing.T) {
	g, contexts, mean, cov := kalman(t)
	which := []int{3, 17, 35, 36, 3} // the third and the fourth are without rewards
	var five [][]float32
	var means []float64
	for _, i := range which {
		five, means = append(five, contexts[i]), append(means, mean.AtVec(i))
	}
	logit := func(v float64) float64 { return math.Log((v + 35) / (5 - v)) }
	checkSample(t, "GP", g, five, logit, means, func(i, j int) float64 { return cov.At(which[i], which[j]) })
}

// TestSampleOfLikelihoods: the values of samples have the means and standard deviations of the predictions, and are the same
// in equal contexts; arm 1 has no rewards.
func TestSampleOfLikelihoods(t *testing.T) {
	contexts := scattered(9, 3)
	for _, l := range []Likelihood{{Kind: gaussian, Noise: 2}, {Kind: categorical}} {
		o := gpOptions()
		o.Likelihood = l
		g := newGP(t, o, 3, 2)
		for i, c := range contexts {
			if err := g.Observe(c, 0, []float64{5, -35, 5, 0, -35}[i%5]); err != nil {
				t.Fatal(err)
			}
		}
		same := [][]float32{contexts[4], contexts[4]}
		mean, sd := make([]float64, 4), make([]float64, 4)
		if err := errors.Join(g.Predict(mean, same, posterior.Mean), g.Spread(sd, same)); err != nil {
			t.Fatal(err)
		}
		checkSample(t, l.Kind, g, same, nil, mean, func(i, j int) float64 {
			if i%2 != j%2 {
				return 0
			}
			return sd[i] * sd[j]
		})
	}
}

// TestSampleOfLogistic: the log-odds of samples have the law of independent weights.
func TestSampleOfLogistic(t *testing.T) {
	p := build(t, Logistic(), LogisticOptions{Lambda: 0.5, Spread: 1.5, Intercept: true}, 2, 1).(*logistic)
	r, c := stream.Root(4), make([]float32, 2)
	for i := range 50 {
		r.Normals(c)
		if err := p.Observe(c, 0, 3+2*float64(i%2)); err != nil {
			t.Fatal(err)
		}
	}
	contexts := [][]float32{{1, 2}, {-0.5, 1}, {0, 0}}
	x := [][]float64{{1, 2, 1}, {-0.5, 1, 1}, {0, 0, 1}}
	m, q := p.arms[0].f[0].m, p.arms[0].f[0].q
	means := make([]float64, 3)
	for i := range x {
		for k, v := range x[i] {
			means[i] += v * m[k]
		}
	}
	logit := func(v float64) float64 { return math.Log((v - 3) / (5 - v)) }
	checkSample(t, "Logistic", p, contexts, logit, means, func(i, j int) float64 {
		sum := 0.0
		for k := range q {
			sum += 1.5 * 1.5 * x[i][k] * x[j][k] / q[k]
		}
		return sum
	})
}

// TestSampleOfLocal: with rewards at 0, 1, 3 and 10 and contexts 2 and 0.4, two nearest neighbors have one in common (at 1)
// and the covariance noise²/4; kernel regression has noise²(λ + Σ√(ww'))/((λ + Σw)(λ + Σw')). Arm 1 has no rewards.
func TestSampleOfLocal(t *testing.T) {
	contexts, at := [][]float32{{2}, {0.4}}, []float64{2, float64(float32(0.4))}
	weight := func(x, c float64) float64 { return math.Exp(-(x - c) * (x - c) / 8) }
	total := func(i, j int) float64 {
		sum := 0.25
		for _, x := range []float64{0, 1, 3, 10} {
			sum += math.Sqrt(weight(x, at[i]) * weight(x, at[j]))
		}
		return sum
	}
	for _, c := range []struct {
		name  string
		p     posterior.Posterior
		prior float64 // variance of arm 1
		cov   func(i, j int) float64
	}{
		{"nearest neighbors", build(t, KNN(), KNNOptions{K: 2, Noise: 2, Memory: 10}, 1, 2), 4, func(i, j int) float64 {
			if i == j {
				return 4. / 2
			}
			return 4. / 4
		}},
		{"kernel regression", build(t, KernelRegression(), KernelRegressionOptions{Bandwidth: 2, Lambda: 0.25, Noise: 2, Memory: 10}, 1, 2), 16,
			func(i, j int) float64 { return 4 * total(i, j) / total(i, i) / total(j, j) }},
	} {
		for _, row := range [][2]float64{{0, 1}, {1, 5}, {3, 3}, {10, 9}} {
			if err := c.p.Observe([]float32{float32(row[0])}, 0, row[1]); err != nil {
				t.Fatal(err)
			}
		}
		mean := make([]float64, 4)
		if err := c.p.Predict(mean, contexts, posterior.Mean); err != nil {
			t.Fatal(err)
		}
		checkSample(t, c.name, c.p.(posterior.SampleDrawer), contexts, nil, mean, func(i, j int) float64 {
			switch {
			case i%2 != j%2:
				return 0
			case i%2 == 1:
				return c.prior
			}
			return c.cov(i/2, j/2)
		})
		again := make([]float64, 4)
		if err := c.p.Predict(again, contexts, posterior.Mean); err != nil || again[0] != mean[0] {
			t.Errorf("%s: the mean is %g after samples, %v, want %g", c.name, again[0], err, mean[0])
		}
	}
}

// given is an environment of given contexts and rewards, and the policy that pulls the first arm by a posterior of one.
type given struct {
	contexts [][]float32
	rewards  []float64
	next     int
	p        posterior.SampleDrawer
	now      [2][]float32
}

func (g *given) Spec() bandit.Spec {
	return bandit.Spec{Dim: len(g.contexts[0]), Arms: []string{"a", "b"}, IgnoresActions: true}
}

func (g *given) Next(r *bandit.Round, o *bandit.Outcome) error {
	copy(r.Context, g.contexts[g.next])
	o.Reward[0], o.Reward[1], o.Mean[0], o.Mean[1] = g.rewards[g.next], 0, 0, 0
	g.next++
	return nil
}

func (g *given) Act(bandit.Round) (int, error)          { return 0, nil }
func (g *given) Learn(bandit.Round, int, float64) error { return nil }
func (g *given) Record(*bandit.RoundRecord) error       { return nil }
func (g *given) DrawRewards(dst []float64, rounds []bandit.Round, _ bool) error {
	for i, r := range rounds {
		g.now[i] = r.Context
	}
	v := make([]float64, len(dst)/2)
	err := g.p.DrawSamples(v, g.now[:])
	for i, x := range v {
		dst[2*i] = x
	}
	return err
}

// TestScoreOfGP: log loss and joint log loss are those of the exact law of the log-odds of two contexts, by quadrature.
func TestScoreOfGP(t *testing.T) {
	g, contexts, mean, cov := kalman(t)
	const pairs, draws, noise, step = 20, 10_000, 8.0, 0.2
	reward := func(f float64) float64 { return 40/(1+math.Exp(-f)) - 35 }
	e := &given{contexts: [][]float32{contexts[0]}, rewards: []float64{0}, p: g}
	var want, wantJoint, error2, joint2 float64
	for i := range pairs {
		i, j := i+pairs, 0 // half of which are without rewards, each with the context that it depends on most
		for k := range i {
			if math.Abs(cov.At(i, k))/math.Sqrt(cov.At(k, k)) > math.Abs(cov.At(i, j))/math.Sqrt(cov.At(j, j)) {
				j = k
			}
		}
		a, b, c := cov.At(i, i), cov.At(j, j), cov.At(i, j)
		r, s := reward(mean.AtVec(i)+math.Sqrt(a)), reward(mean.AtVec(j)+c/math.Sqrt(a))
		e.contexts, e.rewards = append(e.contexts, contexts[i], contexts[j]), append(e.rewards, r, s)
		density := func(f, r float64) float64 {
			z := (r - reward(f)) / noise
			return math.Exp(-z*z/2) / math.Sqrt(2*math.Pi) / noise
		}
		var p [3][2]float64 // for the first, the second and both: mean and mean square
		for u := -8.0; u <= 8; u += step {
			first := density(mean.AtVec(i)+math.Sqrt(a)*u, r)
			for v := -8.0; v <= 8; v += step {
				w := step * step * math.Exp(-(u*u+v*v)/2) / (2 * math.Pi)
				second := density(mean.AtVec(j)+c/math.Sqrt(a)*u+math.Sqrt(max(0, b-c*c/a))*v, s)
				for k, x := range []float64{first, second, first * second} {
					p[k][0] += w * x
					p[k][1] += w * x * x
				}
			}
		}
		for k := range p {
			relative := (p[k][1]/(p[k][0]*p[k][0]) - 1) / draws
			if k == 2 {
				wantJoint, joint2 = wantJoint-math.Log(p[k][0])/pairs, joint2+relative/(pairs*pairs)
				continue
			}
			// The draws are the same for the two of a pair, so that their errors may add up.
			want, error2 = want-math.Log(p[k][0])/(2*pairs), error2+2*relative/(4*pairs*pairs)
		}
	}
	trial, err := bandit.NewTrial(e, e, bandit.Protocol{Rounds: 1, Pulls: 1}, stream.Root(7), e)
	if err == nil {
		err = trial.Run(context.Background())
	}
	if err != nil {
		t.Fatal(err)
	}
	got, err := trial.Score(t.Context(), bandit.ScoreOptions{Contexts: 2 * pairs, Draws: draws, Noise: noise})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name                string
		got, want, variance float64
	}{{"log loss", got.LogLoss, want, error2}, {"joint log loss", got.JointLogLoss, wantJoint, joint2}} {
		t.Logf("%s %.5f, want %.5f ± %.5f", c.name, c.got, c.want, 6*math.Sqrt(c.variance))
		if !(math.Abs(c.got-c.want) <= 6*math.Sqrt(c.variance)) {
			t.Errorf("the %s is %g, want %g ± %g", c.name, c.got, c.want, 6*math.Sqrt(c.variance))
		}
	}
	if apart := 2 * want; !(math.Abs(wantJoint-apart) > 10*math.Sqrt(joint2)) {
		t.Errorf("the joint law is hardly another than that of independent contexts: %g and %g", wantJoint, apart)
	}
}
