package neural

import (
	"fmt"
	"math"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/internal/checktest"
	"banditsim/internal/must"
	"banditsim/posterior"
)

func newGradient(t *testing.T, covariance string, hidden []int, chains, dim, arms int) *gradient {
	t.Helper()
	o := Gradient().SmallDefaults()
	o.Hidden, o.Chains, o.Covariance, o.Lambda, o.Noise = hidden, chains, covariance, 2, 3
	return must.Get(o.build(posterior.Setup{Dim: dim, Arms: arms, Rounds: 1, Stream: stream.Root(1)}))(t)
}

// TestGradientStep compares means and deviations with values worked out by hand: f = w₂·max(0, w₁x + b₁) + b₂ with w₁ = 2, b₁ = 1, w₂ =
// 3, b₂ = −1. At x = 1 the hidden unit is h = 3 and φ = (w₂x, w₂, h, 1) = (3, 3, 3, 1); λ = 2, ν = 3. Before any reward the variance is
// ν²φᵀφ = 9·28. After a reward at x = 1, U = 2I + φφᵀ: its diagonal is (11, 11, 11, 3), and φᵀU⁻¹φ = (28/2)/(1 + 28/2).
func TestGradientStep(t *testing.T) {
	for covariance, want := range map[string]float64{
		"diagonal": 9 * 2 * (3*9./11 + 1./3),
		"full":     9 * 2 * 14. / 15,
	} {
		// At x = 2, φ' = (6, 3, 5, 1), and U⁻¹ = (I − φφᵀ/30)/2.
		both, second := 9*2*((18+9+15)/11.+1./3), 9*2*((36+9+25)/11.+1./3)
		if covariance == "full" {
			both, second = 9*2*(43-28*43/30.)/2, 9*2*(71-43*43/30.)/2
		}
		g := newGradient(t, covariance, []int{1}, 1, 1, 1)
		copy(g.chains[0].X, []float32{2, 1, 3, -1})
		check := func(want float64) {
			t.Helper()
			mean, sd := predict(t, g, [][]float32{{1}}, posterior.Mean), [1]float64{}
			must.OK(t, g.Spread(sd[:], [][]float32{{1}}))
			must.Near(t, covariance+": mean", mean[0], 8, 0)
			must.Near(t, covariance+": standard deviation", sd[0], math.Sqrt(want), 1e-6)
		}
		check(9 * 28)
		must.OK(t, g.Observe([]float32{1}, 0, 5))
		check(want)
		two := [][]float32{{1}, {2}}
		checktest.Vector(t, covariance+": means", predict(t, g, two, posterior.Mean), []float64{8, 14}, 0)
		checkDraws(t, g, two, 0, want, both, second, g.DrawSamples)
	}
}

// TestGradientFeatures compares φ with finite differences of the predictions, for two hidden layers, two arms and two chains. As the
// prediction is the mean of both chains, φ of a chain is half its gradient, divided by √5.
func TestGradientFeatures(t *testing.T) {
	g := newGradient(t, "diagonal", []int{6, 5}, 2, 3, 2)
	context := []float32{0.5, -1, 0.25}
	for arm := range 2 {
		g.setWeights()
		must.OK(t, g.encode([][]float32{context}))
		g.features(arm)
		phi := append([]float32(nil), g.phi...)
		for c := range g.chains {
			x := g.chains[c].X
			for i := range x {
				want := slope(x, i, 1./256, func() float64 { return predict(t, g, [][]float32{context}, posterior.Mean)[arm] })
				must.Near(t, fmt.Sprintf("arm %d, chain %d, parameter %d", arm, c, i), float64(phi[c*len(x)+i]), want/math.Sqrt(5), 1e-4)
			}
		}
	}
}

// TestGradientTooLarge checks that a full covariance of a large network is an error that names the cure.
func TestGradientTooLarge(t *testing.T) {
	o := Gradient().Defaults()
	o.Covariance = "full"
	must.Refuse(o.build(posterior.Setup{Dim: 117, Arms: 2, Rounds: 1, Stream: stream.Root(1)}))(t, "covariance: full", "hidden")
}
