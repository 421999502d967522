package claims

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"banditsim/bandit/stream"
	"banditsim/internal/verify"
	"banditsim/lab/density"
	"banditsim/posterior"
)

// A gaussianCase is a Gaussian U = kx²/2 with a step size.
type gaussianCase struct {
	name         string
	k, temp, eps float64
	noise        float64 // variance v of the gradient noise
	long         bool    // only in the long grade
}

// gaussianCases have step sizes so large that the discretization error of the variance is many standard errors.
var gaussianCases = []gaussianCase{
	{name: "unit", k: 1, temp: 1, eps: 0.5},
	{name: "narrow and hot", k: 4, temp: 3, eps: 0.125},
	{name: "very noisy gradient", k: 0.5, temp: 0.5, eps: 1, noise: 4},
	{name: "no temperature, noisy gradient", k: 1, temp: 0, eps: 0.5, noise: 1},
	{name: "wide and cold", k: 0.25, temp: 0.3, eps: 1, long: true},
	{name: "noisy gradient", k: 1, temp: 1, eps: 0.5, noise: 2, long: true},
	{name: "no temperature, wide", k: 0.25, temp: 0, eps: 1, noise: 0.5, long: true},
}

// exactCases are for samplers that are exact at any step size if the gradient has no noise. With these step
// sizes about 90 % of the moves of a long vector are accepted.
var exactCases = []gaussianCase{
	{name: "unit", k: 1, temp: 1, eps: 0.2},
	{name: "narrow and hot", k: 4, temp: 3, eps: 0.05},
	{name: "wide and cold", k: 0.25, temp: 0.3, eps: 0.8, long: true},
}

// checkVariance compares the stationary mean, variance, autocorrelation and momentum variance on Gaussians with the
// claimed closed forms. Without a claimed Variance, it compares the mean with 0 and the variance for ε → 0 with T/k.
func checkVariance(j *judge, s Sampler) {
	c := &s.Claims
	if c.Variance == nil {
		checkLimit(j, s)
		return
	}
	cases := gaussianCases
	if c.Exact {
		cases = exactCases
	}
	for _, g := range cases {
		if (!g.long || j.Long()) && (g.temp == 0 && c.ZeroTemperature || g.temp > 0 && c.Density) {
			j.gaussian(s, g)
		}
	}
}

// gaussian compares one case with its closed forms.
func (j *judge) gaussian(s Sampler, g gaussianCase) {
	c := &s.Claims
	want := c.Variance(g.k, g.noise, g.eps, g.temp)
	var lags []int
	if c.Autocorrelation != nil {
		lags = []int{1, 2, 4}
	}
	m := j.moments(s, g, math.Sqrt(want), lags)
	j.Sharp("variance, "+g.name, verify.MeanOf(m.square), want)
	j.Statistic("mean, "+g.name, verify.MeanOf(m.sum), 0)
	j.Together("autocorrelation, "+g.name, func() {
		for i, lag := range lags {
			j.Statistic(fmt.Sprint("lag ", lag), verify.RatioOf(m.product[i], m.square), c.Autocorrelation(g.k, g.eps, lag))
		}
	})
	if c.MomentumVariance != nil {
		j.Sharp("momentum variance, "+g.name, verify.MeanOf(m.momentum), c.MomentumVariance(g.k, g.noise, g.eps, g.temp))
	}
}

// checkLimit compares the variance, extrapolated from two step sizes to ε = 0, with T/k. Samplers with a thermostat
// also get gradient noise of variance 1/ε. Without a thermostat this noise would raise the temperature by the same
// amount at both step sizes (1/(2c) for SGHMC with friction c), which the extrapolation would not remove.
func checkLimit(j *judge, s Sampler) {
	cases := []gaussianCase{{name: "cool", k: 1, temp: 0.5}, {name: "narrow and cold", k: 4, temp: 0.3, long: true}} // not τ = 1, where τ² is τ
	if s.Claims.Thermostat {
		cases = append(cases, gaussianCase{name: "very noisy gradient", k: 1, temp: 0.5, noise: 1})
	}
	for _, g := range cases {
		if g.long && !j.Long() {
			continue
		}
		power := g.noise
		var v [2]verify.Estimate
		for i := range v {
			g.eps = 4 * s.Claims.FineRate / g.k / float64(1+i)
			g.noise = power / g.eps
			m := j.moments(s, g, math.Sqrt(g.temp/g.k), nil)
			v[i] = verify.MeanOf(m.square)
			j.Statistic(fmt.Sprintf("mean, %s, ε = %g", g.name, g.eps), verify.MeanOf(m.sum), 0)
		}
		j.Sharp("variance extrapolated to ε = 0, "+g.name, verify.Extrapolated(v[0], v[1]), g.temp/g.k)
	}
}

// gaussianMoments are means over time, by replicate, of x, x², the squared momentum and products of x at two times.
type gaussianMoments struct {
	sum, square, momentum []float64
	product               [][]float64 // of x_t·x_{t−lag}, by lag and replicate
}

// moments runs a sampler on a Gaussian, from starts with standard deviation sd.
func (j *judge) moments(s Sampler, g gaussianCase, sd float64, lags []int) *gaussianMoments {
	n, r := s.parts(4000), j.Rand(g.name, g.eps)
	c := s.ensemble(n, 1, s.setup(g.eps, g.temp, 0, 1), r, gaussian(g.k, g.noise), normals(r.Child("start"), sd))
	c.step(s.warmup(g.k, g.eps))
	steps := j.span(s, n, g.k, g.eps)
	all := table(3+len(lags), c.replicates)
	m := &gaussianMoments{sum: all[0], square: all[1], momentum: all[2], product: all[3:]}
	parts := 0.0 // number of parts in a replicate
	var past [][]float32
	for step := range steps {
		c.step(1)
		var now []float32
		var owner []int // replicate of each element of now
		parts = 0
		c.each((*run).places, func(i int, x []float32) {
			v := float64(x[0])
			m.sum[i] += v
			m.square[i] += float64(v * v)
			if i == 0 {
				parts++
			}
			if lags != nil {
				now, owner = append(now, x[0]), append(owner, i)
			}
		})
		for i, lag := range lags {
			if step < lag { // There is no position to multiply with. The factor steps/(steps − lag) in later steps makes up for it.
				continue
			}
			for k, x := range past[step-lag] {
				m.product[i][owner[k]] += float64(x) * float64(now[k]) * float64(steps) / float64(steps-lag)
			}
		}
		if past = append(past, now); step >= 4 {
			past[step-4] = nil
		}
		if s.Claims.MomentumVariance != nil {
			c.each((*run).momenta, func(i int, p []float32) { m.momentum[i] += float64(p[0]) * float64(p[0]) })
		}
	}
	for _, v := range all {
		floats.Scale(1/(float64(steps)*parts), v)
	}
	return m
}

// momenta returns the momentum of each chain.
func (g *run) momenta() [][]float32 {
	h, ok := g.sampler.(interface{ Momentum() [][]float32 })
	if !ok {
		verify.Failf("a MomentumVariance is claimed, but %T has no method Momentum() [][]float32", g.sampler)
	}
	return h.Momentum()
}

// gaussian returns targets with U = kx²/2 in each part and gradient noise of variance v.
func gaussian(k, v float64) product {
	return func(n int, r *stream.Stream) posterior.Target {
		return density.NewGaussian(slices.Repeat([]float64{k}, n), v, r)
	}
}
