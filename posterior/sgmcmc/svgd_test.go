package sgmcmc

import (
	"slices"
	"testing"

	"banditsim/posterior"
	"banditsim/posterior/internal/checktest"
)

// TestParticlesInOnePlace: where more than half of the distances are 0 there is no median to scale
// the kernel by. Particles in one place then move as one, down the gradient.
func TestParticlesInOnePlace(t *testing.T) {
	s := must(NewSVGD(Setup{LangevinOptions: Plain(0.1, 1)}, 0.9, 1))
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
