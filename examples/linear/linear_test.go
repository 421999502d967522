package main

import (
	"math"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/posterior"
)

// TestLinear compares the posterior with its closed form in one dimension. For prior N(0, p²) and n rewards r with noise of
// standard deviation σ in context 1, the mean is Σr/(n + σ²/p²) and the variance σ²/(n + σ²/p²).
func TestLinear(t *testing.T) {
	const p, sigma, n = 2., 3., 10
	l, err := New(Options{Prior: p, Noise: sigma}, posterior.Setup{Dim: 1, Arms: 2, Rounds: 1, Stream: stream.Root(1)})
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for i := range n {
		sum += float64(i)
		if err := l.Observe([]float32{1}, 1, float64(i)); err != nil {
			t.Fatal(err)
		}
	}
	mean, sd := sum/(n+sigma*sigma/(p*p)), math.Sqrt(sigma*sigma/(n+sigma*sigma/(p*p)))
	var dst [2]float64
	contexts := [][]float32{{1}}
	if err := l.Predict(dst[:], contexts, posterior.Mean); err != nil {
		t.Fatal(err)
	}
	if dst[0] != 0 || !(math.Abs(dst[1]-mean) < 1e-12) {
		t.Errorf("means %v, want 0 and %g", dst, mean)
	}
	const draws = 20_000
	var s, ss float64
	for range draws {
		if err := l.Predict(dst[:], contexts, posterior.Draw); err != nil {
			t.Fatal(err)
		}
		s += dst[1] - mean
		ss += (dst[1] - mean) * (dst[1] - mean)
	}
	if got, se := s/draws, sd/math.Sqrt(draws); !(math.Abs(got) < 5*se) {
		t.Errorf("the draws' mean is off by %g, standard error %g", got, se)
	}
	if got, se := ss/draws, sd*sd*math.Sqrt(2./draws); !(math.Abs(got-sd*sd) < 5*se) {
		t.Errorf("the draws' variance is %g, want %g ± %g", got, sd*sd, se)
	}
}
