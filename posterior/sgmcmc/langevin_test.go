package sgmcmc

import (
	"math"
	"testing"

	"banditsim/internal/checktest"
	"banditsim/posterior"
)

// TestTemperatureAndStepMayChange: the noise follows the current ε and τ.
func TestTemperatureAndStepMayChange(t *testing.T) {
	flat := posterior.TargetFunc(1, func(grad, x []float32) float64 { grad[0] = 0; return 0 })
	s := &Langevin{Schedule: Constant(0.5), Temperature: 1, Noise: []posterior.Normals{checktest.NewScript([][]float32{{1}, {1}, {1}})}}
	chains := []posterior.Chain{posterior.NewChain(flat, []float32{0})}
	want := 0.0
	for _, c := range []struct{ eps, temp float64 }{{0.5, 1}, {0.02, 1}, {0.02, 0.25}} {
		s.LearningRate, s.Temperature = c.eps, c.temp
		checktest.Advance(t, s, chains, 1)
		want += math.Sqrt(2 * c.temp * c.eps)
		checktest.Near(t, "x", float64(chains[0].X[0]), want, 1e-6)
	}
}
