package exact

import (
	"fmt"
	"math"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/internal/must"
	"banditsim/posterior"
)

// checkSample compares the mean and covariance of samples with those given, within 6 standard errors. If inverse is not nil, it is
// applied to each value of a sample first.
func checkSample(t *testing.T, name string, p posterior.SampleDrawer, contexts [][]float32, inverse func(float64) float64, mean []float64, cov func(i, j int) float64) {
	t.Helper()
	const n = 20_000
	k := len(mean)
	v, sum, products, worst := make([]float64, k), make([]float64, k), make([]float64, k*k), 0.0
	for range n {
		must.OK(t, p.DrawSamples(v, contexts))
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
		must.Near(t, fmt.Sprint(name, ": mean of number ", i, ", standard errors off"), off, 0, 6)
		for j := range i + 1 {
			c := cov(i, j)
			off := (products[i*k+j] - c) / math.Sqrt((c*c+cov(i, i)*cov(j, j))/n)
			worst = max(worst, math.Abs(off))
			must.Near(t, fmt.Sprint(name, ": covariance of numbers ", i, " and ", j, ", standard errors off"), off, 0, 6)
		}
	}
	t.Logf("%s: at most %.1f standard errors off", name, worst)
}

// TestSampleOfGP checks that the log-odds of samples have the mean and covariance of the Kalman filter.
func TestSampleOfGP(t *testing.T) {
	g, contexts, mean, cov := kalman(t)
	which := []int{3, 17, 35, 36, 3} // contexts 35 and 36 have no rewards
	var five [][]float32
	var means []float64
	for _, i := range which {
		five, means = append(five, contexts[i]), append(means, mean.AtVec(i))
	}
	logit := func(v float64) float64 { return math.Log((v + 35) / (5 - v)) }
	checkSample(t, "GP", g, five, logit, means, func(i, j int) float64 { return cov.At(which[i], which[j]) })
}

// TestSampleOfLikelihoods checks that samples have the means and standard deviations of the predictions, and are equal in equal
// contexts. Arm 1 has no rewards.
func TestSampleOfLikelihoods(t *testing.T) {
	contexts := scattered(9, 3)
	for _, l := range []Likelihood{{Kind: gaussian, Noise: 2}, {Kind: categorical}} {
		o := gpOptions()
		o.Likelihood = l
		g := newGP(t, o, 3, 2)
		for i, c := range contexts {
			must.OK(t, g.Observe(c, 0, []float64{5, -35, 5, 0, -35}[i%5]))
		}
		same := [][]float32{contexts[4], contexts[4]}
		mean, sd := predict(t, g, 2, same...)
		checkSample(t, l.Kind, g, same, nil, mean, func(i, j int) float64 {
			if i%2 != j%2 {
				return 0
			}
			return sd[i] * sd[j]
		})
	}
}

// TestSampleOfLogistic checks that the log-odds of samples are those of independent weights.
func TestSampleOfLogistic(t *testing.T) {
	p := build(t, Logistic(), LogisticOptions{Lambda: 0.5, Spread: 1.5, Intercept: true}, 2, 1).(*logistic)
	r, c := stream.Root(4), make([]float32, 2)
	for i := range 50 {
		r.Normals(c)
		must.OK(t, p.Observe(c, 0, 3+2*float64(i%2)))
	}
	contexts := [][]float32{{1, 2}, {-0.5, 1}, {0, 0}}
	x := [][]float64{{1, 2, 1}, {-0.5, 1, 1}, {0, 0, 1}}
	f := p.models[0].f[0].(*classifier)
	m, q := f.m, f.q
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

// TestSampleOfLocal checks the covariance of samples in the contexts 2 and 0.4. Their two nearest neighbors have one in common (at 1),
// so the covariance is noise²/4; kernel regression has noise²(λ + Σ√(ww'))/((λ + Σw)(λ + Σw')). Arm 1 has no rewards.
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
		observe(t, c.p, [][2]float64{{0, 1}, {1, 5}, {3, 3}, {10, 9}})
		mean, _ := predict(t, c.p, 2, contexts...)
		checkSample(t, c.name, c.p.(posterior.SampleDrawer), contexts, nil, mean, func(i, j int) float64 {
			switch {
			case i%2 != j%2:
				return 0
			case i%2 == 1:
				return c.prior
			}
			return c.cov(i/2, j/2)
		})
		again, _ := predict(t, c.p, 2, contexts...)
		must.That(t, again[0] == mean[0], "%s: the mean is %g after samples, want %g", c.name, again[0], mean[0])
	}
}
