package exact

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"banditsim/internal/checktest"
	"banditsim/internal/must"
	"banditsim/internal/verify"
	"banditsim/posterior"
)

// withLikelihood returns a posterior with the likelihood l, which set puts into its options, as a subject of the contract's checks.
func withLikelihood[O any](k posterior.Kind[O], l Likelihood, set func(*O)) posterior.Subject {
	o := k.Defaults()
	set(&o)
	c := k.Subject()
	c.Name += " " + l.Kind
	c.New = func(s posterior.Setup) (posterior.Posterior, error) { return k.New(o, s) }
	return c
}

// TestLikelihoodContracts checks the posterior contract for those kinds that admit the rewards of the checks, which have up to 51
// values.
func TestLikelihoodContracts(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine, and no assembly")
	}
	values := Likelihood{Kind: categorical}
	known := Likelihood{Kind: gaussian, Noise: 0.1}
	for _, c := range []posterior.Subject{
		withLikelihood(GP(), known, func(o *GPOptions) { o.Likelihood = known }),
		withLikelihood(GP(), values, func(o *GPOptions) { o.Likelihood = values }),
		withLikelihood(Logistic(), values, func(o *LogisticOptions) { o.Likelihood = values }),
		withLikelihood(Trees(), Likelihood{Kind: gaussian}, func(o *TreesOptions) { o.Likelihood.Kind = gaussian }),
		withLikelihood(Trees(), values, func(o *TreesOptions) { o.Likelihood = values }),
		withLikelihood(DPMM(), values, func(o *DPMMOptions) { o.Likelihood = values }),
		withLikelihood(DPMM(), Likelihood{Kind: "linear"}, func(o *DPMMOptions) { o.Linear = true }),
	} {
		t.Run(c.Name, func(t *testing.T) { checktest.Checks(t, verify.Posterior(c)) })
	}
}

// TestGaussianProcess compares GP with gaussian rewards with exact Gaussian process regression, whose mean is
// m + kᵀ(K + noise²I)⁻¹(y − m) and whose variance is k₀ − kᵀ(K + noise²I)⁻¹k.
func TestGaussianProcess(t *testing.T) {
	const dim, n, known = 4, 40, 30
	o := gpOptions()
	o.Likelihood = Likelihood{Kind: gaussian, Noise: 0.5}
	contexts := scattered(n, dim)
	g := newGP(t, o, dim, 1)
	kernel, y := mat.NewSymDense(known, nil), mat.NewVecDense(known, nil)
	for i := range known {
		reward := 3*float64(contexts[i][0]) - float64(i%3)
		must.OK(t, g.Observe(contexts[i], 0, reward))
		y.SetVec(i, reward-o.PriorMean)
		for j := range i + 1 {
			kernel.SetSym(i, j, o.covariance(contexts[i], contexts[j]))
		}
		kernel.SetSym(i, i, kernel.At(i, i)+o.Likelihood.Noise*o.Likelihood.Noise)
	}
	var c mat.Cholesky
	must.That(t, c.Factorize(kernel), "the kernel is singular")
	mean, sd := predict(t, g, 1, contexts...)
	for i := range contexts {
		column, solved := mat.NewVecDense(known, nil), mat.NewVecDense(known, nil)
		for j := range known {
			column.SetVec(j, o.covariance(contexts[i], contexts[j]))
		}
		must.OK(t, c.SolveVecTo(solved, column))
		m, s := o.PriorMean+mat.Dot(solved, y), math.Sqrt(o.PriorSD*o.PriorSD-mat.Dot(solved, column))
		must.Near(t, fmt.Sprint("mean in context ", i), mean[i], m, 1e-6)
		must.Near(t, fmt.Sprint("deviation in context ", i), sd[i], s, 1e-6)
	}
}

// integrate returns the integral over f of N(f; mean, sd²)·g(f) by Simpson's rule.
func integrate(mean, sd float64, g func(f float64) float64) float64 {
	const n = 20_000
	const width = 20.
	sum := 0.0
	for i := range n + 1 {
		z := width * (2*float64(i)/n - 1)
		w := float64(2 + 2*(i%2))
		if i == 0 || i == n {
			w = 1
		}
		sum += w * math.Exp(-z*z/2) * g(mean+sd*z)
	}
	return sum * (2 * width / n) / 3 / math.Sqrt(2*math.Pi)
}

// TestBernoulliSite compares the mean and variance of f after one reward with those of the product of prior and likelihood, for
// expected and surprising rewards.
func TestBernoulliSite(t *testing.T) {
	for _, c := range []struct{ mean, sd float64 }{{0, 1}, {0.5, 4}, {-3, 2}, {-20, 4}, {30, 1}, {-100, 10}, {2, 10}, {0, 0.1}} {
		for _, y := range []float64{0, 1} {
			sigma := func(f float64) float64 { return 1 / (1 + math.Exp(f*(1-2*y))) }
			total := integrate(c.mean, c.sd, sigma)
			mean := integrate(c.mean, c.sd, func(f float64) float64 { return (f - c.mean) * sigma(f) }) / total
			variance := integrate(c.mean, c.sd, func(f float64) float64 { return (f - c.mean - mean) * (f - c.mean - mean) * sigma(f) }) / total
			q, r := bernoulliSite(y, c.mean, c.sd*c.sd)
			gotMean, gotVariance := q*c.sd*c.sd, c.sd*c.sd*(1+r*c.sd*c.sd)
			if q == 0 && r == 0 { // the reward is ignored
				must.That(t, math.Abs(mean) <= 1.01*negligible*c.sd && 1-variance/c.sd/c.sd <= 1.01*negligible,
					"y = %g is ignored at N(%g, %g²), where it moves the mean by %g", y, c.mean, c.sd, mean)
				continue
			}
			at := fmt.Sprintf(" after y = %g at N(%g, %g²)", y, c.mean, c.sd)
			must.Near(t, "mean"+at, gotMean, mean, 1e-6*c.sd)
			must.Near(t, "variance"+at, gotVariance, variance, 1e-6*c.sd*c.sd)
		}
	}
}

// TestCategorical checks that function k equals a two-valued process that learns, from the rewards of at least value k, whether they
// were higher, in whatever order values appeared, and compares the mean and standard deviation of the value with those of the
// product by quadrature.
func TestCategorical(t *testing.T) {
	const dim = 3
	o := gpOptions()
	contexts := scattered(40, dim)
	values := []float64{-35, 0, 5}
	o.Likelihood = Likelihood{Kind: categorical}
	g := newGP(t, o, dim, 1)
	o.Likelihood = Likelihood{Kind: twoValued}
	steps := []*gp{newGP(t, o, dim, 1), newGP(t, o, dim, 1)}
	for i, c := range contexts {
		v := []int{2, 0, 2, 1, 0, 2, 1, 2}[i%8]
		must.OK(t, g.Observe(c, 0, values[v]))
		for k, s := range steps {
			if v >= k {
				must.OK(t, s.Observe(c, 0, float64(min(1, v-k))))
			}
		}
	}
	mean, sd := predict(t, g, 1, contexts...)
	odds := func(f float64) float64 { return 1 / (1 + math.Exp(-f)) }
	for i, c := range contexts {
		m0, v0 := g.at(0, c)
		m1, v1 := g.at(1, c)
		for k, got := range [][2]float64{{m0, v0}, {m1, v1}} {
			if m, v := steps[k].at(0, c); m != got[0] || v != got[1] {
				t.Fatalf("function %d in context %d: N(%g, %g), want N(%g, %g)", k+1, i, got[0], got[1], m, v)
			}
		}
		if i > 5 {
			continue // the integrals below are slow
		}
		p0, s0 := integrate(m0, math.Sqrt(v0), odds), integrate(m0, math.Sqrt(v0), func(f float64) float64 { return odds(f) * odds(f) })
		p1, s1 := integrate(m1, math.Sqrt(v1), odds), integrate(m1, math.Sqrt(v1), func(f float64) float64 { return odds(f) * odds(f) })
		// The value is −35(1−a) + 0·a(1−b) + 5ab with independent a and b.
		want := -35*(1-p0) + 5*p0*p1
		square := 35*35*(1-2*p0+s0) - 2*35*5*(p0-s0)*p1 + 25*s0*s1
		must.Near(t, fmt.Sprint("mean in context ", i), mean[i], want, 1e-4)
		must.Near(t, fmt.Sprint("deviation in context ", i), sd[i], math.Sqrt(square-want*want), 1e-4)
	}
}

// TestLikelihoodRefuses checks that kinds that a posterior does not support, and rewards that a kind excludes, are errors that say
// what to do.
func TestLikelihoodRefuses(t *testing.T) {
	gpWith := func(l Likelihood, sd float64) error {
		return refusal(GP(), func(o *GPOptions) { o.Likelihood, o.PriorSD = l, sd })
	}
	for want, err := range map[string]error{
		`likelihood.kind: "poisson", want one of gaussian, two-valued, categorical`: gpWith(Likelihood{Kind: "poisson"}, 1),
		"likelihood.noise: 0, want":      gpWith(Likelihood{Kind: gaussian}, 1),
		"likelihood.noise: 1, want none": gpWith(Likelihood{Kind: twoValued, Noise: 1}, 1),
		"likelihood.noise: 2, want none": gpWith(Likelihood{Noise: 2}, 1),
		"likelihood.values: 3 values, want at least 2 and at most 2 with likelihood.kind two-valued": gpWith(Likelihood{Kind: twoValued, Values: []float64{0, 1, 2}}, 1),
		"likelihood.values: 1 after 2, want ascending values":                                        gpWith(Likelihood{Kind: categorical, Values: []float64{0, 2, 1}}, 1),
		"likelihood.values: 4 values, want none":                                                     gpWith(Likelihood{Kind: gaussian, Noise: 1, Values: []float64{0, 2, 3, 4}}, 1),
		"likelihood.values: 2 values, want none":                                                     gpWith(Likelihood{Values: []float64{0, 2}}, 1),
		"prior_sd, prior_mean: 11 and 0, want at most 10 and from -100 to 100":                       gpWith(Likelihood{Kind: twoValued}, 11),
		"prior: 0, want a number above 0":                                                            refusal(Trees(), func(o *TreesOptions) { o.Prior, o.Likelihood.Kind = 0, twoValued }),
		`likelihood.kind: "gaussian", want two-valued or categorical, or the posterior Linear`:       refusal(Logistic(), func(o *LogisticOptions) { o.Likelihood.Kind = gaussian }),
		`likelihood.kind: "gaussian", want two-valued or categorical, or none`:                       refusal(DPMM(), func(o *DPMMOptions) { o.Likelihood.Kind = gaussian }),
	} {
		must.Fail(t, err, want)
	}

	p := changed(t, Logistic(), 1, 2, func(o *LogisticOptions) { o.Likelihood.Kind = twoValued }).(*logistic)
	c := []float32{1}
	for _, reward := range []float64{-35, 5, -35} {
		must.OK(t, p.Observe(c, 1, reward))
	}
	before := slices.Clone(p.models[1].rewards)
	err := p.Observe(c, 1, 0)
	const want = "exact: observe: a reward of 0 of arm 1 after 2 other ones, [-35 5]: want one of these, or another likelihood.kind than two-valued"
	must.That(t, err != nil && err.Error() == want && slices.Equal(p.models[1].rewards, before),
		"the error is %v with the rewards %v, want %s and %v", err, p.models[1].rewards, want, before)
	must.Want(t, "the other arm has values of its own", p.Observe(c, 0, 0), "")
	trees := changed(t, Trees(), 1, 2, func(o *TreesOptions) { o.Likelihood.Kind = twoValued })
	must.That(t, trees.Observe(c, 0, 0) == nil && trees.Observe(c, 1, 5) == nil && trees.Observe(c, 0, 5) == nil &&
		trees.Observe(c, 0, 3) != nil, "trees: the values of both arms together are not two")
	l := Likelihood{Kind: categorical}
	values := make([]float64, maxValues)
	must.That(t, l.admit(values[1:], 0, 7) == nil && l.admit(values, 0, 0) == nil && l.admit(values, 0, 7) != nil,
		"a categorical reward is refused unless it is the %dth value or known", maxValues+1)
}

// TestLeaves compares a tree without splits with closed forms, and its draws with its moments. With rewards of 0 four times and 5
// once, and prior weights of 2, two values have the posterior 5·Beta(3, 6). For gaussian rewards the posterior is integrated
// numerically over mean and precision; docs/algorithms.md has the prior and the likelihood.
func TestLeaves(t *testing.T) {
	rewards := []float64{0, 0, 5, 0, 0}
	const prior, half = 2., 2.5
	var weight, mean, square float64
	for i := range 400 { // precisions on a logarithmic scale, then means from −10 to 15
		tau := math.Exp(float64(i)/40 - 8)
		for j := range 1000 {
			mu := -10 + float64(j)/40
			// log of Gamma(τ; 1+w, w·half²)·N(μ; half, 1/(2wτ))·∏N(r; μ, 1/τ), and dτ = τ·d(log τ)
			log := (prior+0.5)*math.Log(tau) - prior*half*half*tau - prior*tau*(mu-half)*(mu-half) + math.Log(tau)
			for _, r := range rewards {
				log += math.Log(tau)/2 - tau*(r-mu)*(r-mu)/2
			}
			w := math.Exp(log)
			weight += w
			mean += w * mu
			square += w * mu * mu
		}
	}
	mean /= weight
	for _, c := range []struct {
		kind     string
		mean, sd float64
	}{
		{twoValued, 5. * 3 / 9, 5 * math.Sqrt(6.*3/81/10)},
		{categorical, 5. * 3 / 9, 5 * math.Sqrt(6.*3/81/10)},
		{gaussian, mean, math.Sqrt(square/weight - mean*mean)},
	} {
		p := build(t, Trees(), TreesOptions{Models: 3, Leaf: 1, Bins: 2, Growth: 1, Prior: prior, Likelihood: Likelihood{Kind: c.kind}}, 1, 1).(*trees)
		for i, r := range rewards {
			must.OK(t, p.Observe([]float32{0}, 0, r))
			if i == 2 { // the other rewards come after a fit
				must.OK(t, p.Update(t.Context()))
			}
		}
		contexts := [][]float32{{0}, {1}}
		got, sd := predict(t, p, 1, contexts...)
		must.Near(t, c.kind+": mean", got[0], c.mean, 1e-6)
		must.Near(t, c.kind+": deviation", sd[0], c.sd, 1e-6)
		must.OK(t, p.DrawJoint(got, contexts))
		must.That(t, got[0] == got[1], "%s: contexts in one leaf have the draws %v", c.kind, got)
		checkDraws(t, p, 1, contexts, draws(p, contexts)) // the kurtosis of t with 11 degrees of freedom is 3.9, that of a beta less
	}
}

// TestValues checks that an arm may give values that are listed and that it has not given yet, that a list makes no difference once
// it has given all, and that other values are refused.
func TestValues(t *testing.T) {
	contexts := scattered(12, 2)
	for name, with := range map[string]func(l Likelihood) posterior.Posterior{
		"GP": func(l Likelihood) posterior.Posterior {
			return changed(t, GP(), 2, 2, func(o *GPOptions) { *o, o.Likelihood = gpOptions(), l })
		},
		"Logistic": func(l Likelihood) posterior.Posterior {
			return changed(t, Logistic(), 2, 2, func(o *LogisticOptions) { o.Likelihood = l })
		},
		"Trees": func(l Likelihood) posterior.Posterior {
			return changed(t, Trees(), 2, 2, func(o *TreesOptions) { o.Likelihood = l })
		},
	} {
		listed, came := with(Likelihood{Kind: categorical, Values: []float64{-35, 0, 5}}), with(Likelihood{Kind: categorical})
		observe := func(reward float64, i int) {
			for _, p := range []posterior.Posterior{listed, came} {
				for arm := range 2 {
					must.OK(t, p.Observe(contexts[i], arm, reward))
				}
			}
		}
		both := func(p posterior.Posterior) []float64 {
			mean, sd := predict(t, p, 2, contexts...)
			return append(mean, sd...)
		}
		for i := range 4 {
			observe(0, i)
		}
		a, b := both(listed), both(came)
		must.That(t, b[0] == 0 && b[24] == 0 && a[0] != 0 && a[24] > 0,
			"%s, rewards of 0: %g ± %g, with the values listed %g ± %g; want 0 ± 0 and more", name, b[0], b[24], a[0], a[24])
		must.Fail(t, listed.Observe(contexts[0], 0, 3), "likelihood.values, which are [-35 0 5]")
		for i, reward := range []float64{-35, 5, 5} {
			observe(reward, 4+i)
		}
		for i, v := range both(listed) {
			must.Near(t, name+" with the values listed", v, both(came)[i], 1e-12)
		}
	}
}

// TestLikelihoodIsZero checks that options without a likelihood are encoded without it, even when settings have replaced nil by an
// empty list.
func TestLikelihoodIsZero(t *testing.T) {
	o := GP().Defaults()
	o.Likelihood.Values = []float64{}
	b, err := json.Marshal(o)
	must.That(t, err == nil && !strings.Contains(string(b), "likelihood"), "%s, %v: want no likelihood", b, err)
}
