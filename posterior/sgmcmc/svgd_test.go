package sgmcmc

import (
	"math"
	"slices"
	"testing"

	"banditsim/internal/checktest"
	"banditsim/posterior"
)

// TestParticlesInOnePlace: where more than half of the distances are 0 there is no median to scale
// the kernel by. Particles in one place then move as one, down the gradient.
func TestParticlesInOnePlace(t *testing.T) {
	s := must(newStein(SVGDOptions{LearningRate: 0.1, Decay: 1, Temperature: 1, Smoothing: 0.9, Rho: 1}, Setup{}))
	slope := posterior.TargetFunc(1, func(grad, x []float32) float64 { grad[0] = 1; return float64(x[0]) })
	var chains []posterior.Chain
	for range 3 {
		chains = append(chains, posterior.NewChain(slope, []float32{2}))
	}
	checktest.Advance(t, s, chains, 2)
	for i := range chains {
		// φ = −1 at both steps and H = 1: ε/(ρ + 1) each.
		checktest.Near(t, "particle", float64(chains[i].X[0]), 2-2*0.1/2, 1e-6)
		if !slices.Equal(chains[i].X, chains[0].X) {
			t.Errorf("particle %d is at %v, the first at %v", i, chains[i].X, chains[0].X)
		}
	}
}

// TestTwoParticles: at 0 and 2 the median of the squared distances is 4, h = 4/log 3 and k = 1/3. On a flat target
// φ = ∓½·(2/h)·k·2 = ∓log(3)/6: they move apart. With the gradients 1 and 3 at τ = 2 the first term adds
// −½(1 + 3/3)/2 = −½ and −½(1/3 + 3)/2 = −5/6. The first step is ε·φ/(ρ + |φ|).
func TestTwoParticles(t *testing.T) {
	for _, c := range []struct {
		name   string
		slopes [2]float32
		drift  [2]float64
	}{{"flat", [2]float32{}, [2]float64{}}, {"sloping", [2]float32{1, 3}, [2]float64{-0.5, -5. / 6}}} {
		s := must(newStein(SVGDOptions{LearningRate: 0.1, Decay: 1, Temperature: 2, Smoothing: 0.9, Rho: 1}, Setup{}))
		var chains []posterior.Chain
		for i, slope := range c.slopes {
			target := posterior.TargetFunc(1, func(grad, x []float32) float64 { grad[0] = slope; return float64(slope * x[0]) })
			chains = append(chains, posterior.NewChain(target, []float32{2 * float32(i)}))
		}
		checktest.Advance(t, s, chains, 1)
		for i := range chains {
			apart := math.Log(3) / 6 * float64(2*i-1)
			phi := c.drift[i] + apart
			checktest.Near(t, c.name, float64(chains[i].X[0]), 2*float64(i)+0.1*phi/(1+math.Abs(phi)), 1e-6)
		}
	}
}
