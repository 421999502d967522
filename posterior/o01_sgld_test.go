package posterior

import (
	"fmt"
	"math"
	"testing"

	"banditsim/bandit/stream"
)

// moments runs a sampler on a target of independent coordinates and returns
// the mean of x_t·x_{t+lag} for each lag over all coordinates and n steps.
func moments(t *testing.T, s *Langevin, target Target, lags []int, n int) (m []float64) {
	t.Helper()
	const warmup = 100 // the slowest chain here forgets by 0.75 a step: to 3e-13
	chains := []Chain{NewChain(target, make([]float32, target.Dim()))}
	advance(t, s, chains, warmup)
	past := make([][]float32, lags[len(lags)-1]+1) // x_{t−lag} at lag
	for i := range past {
		past[i] = make([]float32, target.Dim())
	}
	m = make([]float64, len(lags))
	for step := range n + len(past) {
		advance(t, s, chains, 1)
		oldest := past[len(past)-1]
		copy(past[1:], past)
		past[0] = oldest
		copy(past[0], chains[0].X)
		if step < len(past) {
			continue
		}
		for i, lag := range lags {
			for j, x := range past[0] {
				m[i] += float64(x) * float64(past[lag][j])
			}
		}
	}
	for i := range m {
		m[i] /= float64(n * target.Dim())
	}
	return m
}

// varianceSE is the relative standard error of the variance of n draws of a
// Gaussian AR(1) chain with coefficient a (algorithms.md, section 5).
func varianceSE(a, n float64) float64 {
	return math.Sqrt(2 * (1 + a*a) / (n * (1 - a*a)))
}

// correlationSE is the standard error of the autocorrelation at a lag of n
// draws of an AR(1) chain (Bartlett: On the theoretical specification and
// sampling properties of autocorrelated time-series, JRSS 1946).
func correlationSE(a float64, lag int, n float64) float64 {
	b := math.Pow(a, 2*float64(lag))
	return math.Sqrt(((1+a*a)*(1-b)/(1-a*a) - 2*float64(lag)*b) / n)
}

// TestO1SGLD holds the sampler of the bandit to the variance and the
// autocorrelation of SGLD on U = x²/(2s²), with exact and with noisy gradients:
//
//	Var = s²(T + εv/2)/(1 − ε/(2s²)),  ρ(l) = (1 − ε/s²)^l
func TestO1SGLD(t *testing.T) {
	for _, c := range []struct {
		name         string
		s2, temp     float64
		eps, noise   float64 // ε, v
		withVariance float64 // the closed form, worked out by hand
	}{
		{"unit", 1, 1, 0.5, 0, 1 / 0.75},
		{"wide and cold", 4, 0.3, 1, 0, 4 * 0.3 / 0.875},
		{"narrow and hot", 0.25, 3, 0.125, 0, 0.25 * 3 / 0.75},
		{"noisy gradient", 1, 1, 0.5, 2, 1.5 / 0.75},
		{"very noisy gradient", 2, 0.5, 1, 4, 2 * 2.5 / 0.75},
	} {
		t.Run(c.name, func(t *testing.T) { checkAR1(t, c.s2, c.temp, c.eps, c.noise, c.withVariance) })
	}
}

// checkAR1 compares variance and autocorrelation with the closed forms.
func checkAR1(t *testing.T, s2, temp, eps, noise, variance float64) {
	const dim, n = 1000, 1000
	root := stream.Root(1).Child(t.Name())
	target := &gaussian{k: float32(1 / s2), variance: noise, rand: root.Child("gradient"), dim: dim}
	s := &Langevin{LearningRate: eps, Temperature: temp, Noise: []Normals{root.Child("noise")}}
	lags := []int{0, 1, 2, 4}
	m := moments(t, s, target, lags, n)
	a := 1 - eps/s2
	checkSharp(t, "variance", m[0], variance, variance*varianceSE(a, dim*n))
	checkSharp(t, "autocorrelation 1", m[1]/m[0], a, correlationSE(a, 1, dim*n))
	for i, lag := range lags[2:] {
		checkSE(t, fmt.Sprint("autocorrelation ", lag), m[i+2]/m[0], math.Pow(a, float64(lag)), correlationSE(a, lag, dim*n))
	}
}

// TestTemperatureAndStepMayChange: the noise follows the current ε and τ.
func TestTemperatureAndStepMayChange(t *testing.T) {
	flat := function{1, func(grad, x []float32) float64 { grad[0] = 0; return 0 }}
	s := &Langevin{LearningRate: 0.5, Temperature: 1, Noise: []Normals{&script{[][]float32{{1}, {1}, {1}}}}}
	chains := []Chain{NewChain(flat, []float32{0})}
	want := 0.0
	for _, c := range []struct{ eps, temp float64 }{{0.5, 1}, {0.02, 1}, {0.02, 0.25}} {
		s.LearningRate, s.Temperature = c.eps, c.temp
		advance(t, s, chains, 1)
		want += math.Sqrt(2 * c.temp * c.eps)
		checkNear(t, "x", float64(chains[0].X[0]), want, 1e-6)
	}
}
