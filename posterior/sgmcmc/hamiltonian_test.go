package sgmcmc

import (
	"math"
	"testing"

	"banditsim/internal/checktest"
	"banditsim/posterior"
)

// TestAcceptanceIsThatOfTheMoves: the probability that is recorded of each step has the mean of how often the chain moves.
func TestAcceptanceIsThatOfTheMoves(t *testing.T) {
	const steps = 4000
	s := must(newHamiltonian(HamiltonianOptions{LearningRate: 1.2, Decay: 1, Temperature: 1, Leapfrog: 1}, Setup{Chains: 1, Dim: 2, Noise: []posterior.Normals{checktest.Stream("acceptance")}}))
	bowl := posterior.TargetFunc(2, func(grad, x []float32) float64 {
		copy(grad, x)
		return float64(x[0]*x[0]+x[1]*x[1]) / 2
	})
	chains := []posterior.Chain{posterior.NewChain(bowl, []float32{1, -1})}
	moved, recorded := 0.0, 0.0
	for range steps {
		before := chains[0].X[0]
		checktest.Advance(t, s, chains, 1)
		if chains[0].X[0] != before {
			moved++
		}
		recorded += s.Series()[0].Values[0]
	}
	if moved == steps || moved == 0 {
		t.Fatalf("%g moves: the test shows nothing", moved)
	}
	checktest.SE(t, "recorded acceptance", recorded/steps, moved/steps, math.Sqrt(0.25/steps))
}
