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
	s := must(NewLangevin(Plain(0.5, 1), Setup{Chains: 1, Noise: []posterior.Normals{checktest.NewScript([][]float32{{1}, {1}, {1}})}}))
	chains := []posterior.Chain{posterior.NewChain(flat, []float32{0})}
	want := 0.0
	for _, c := range []struct{ eps, temp float64 }{{0.5, 1}, {0.02, 1}, {0.02, 0.25}} {
		s.LearningRate, s.Temperature = c.eps, c.temp
		checktest.Advance(t, s, chains, 1)
		want += math.Sqrt(2 * c.temp * c.eps)
		checktest.Near(t, "x", float64(chains[0].X[0]), want, 1e-6)
	}
}

// fixedContour is a Contour that multiplies all drifts by a number.
type fixedContour float64

func (c fixedContour) Meet(m, energies []float64) { fill(m, float64(c)) }
func (c fixedContour) Weights(w []float64)        { fill(w, 1) }
func (c fixedContour) State() ([]float64, []int)  { return nil, nil }

// TestWhichGradient: V is updated by g, or by M·g where Multiplied. The noise depends on G and not on M.
func TestWhichGradient(t *testing.T) {
	for _, multiplied := range []bool{false, true} {
		const g, m, eps, temp, w = 3.0, -2.0, 0.25, 0.5, 1.5
		o := PreconditionerOptions{Kind: "rmsprop", Alpha: 0.25, Rho: 0.125, Scale: 2, Multiplied: multiplied}
		l := Plain(eps, temp)
		l.Preconditioner = o
		s := must(NewLangevin(l, Setup{Chains: 1, Noise: []posterior.Normals{checktest.NewScript([][]float32{{w}})}}))
		s.Contour = fixedContour(m)
		target := posterior.TargetFunc(1, func(grad, x []float32) float64 { grad[0] = g; return 0 })
		chains := []posterior.Chain{posterior.NewChain(target, []float32{1})}
		checktest.Advance(t, s, chains, 1)
		v := 0.75 + 0.25*(g/2)*(g/2)
		if multiplied {
			v = 0.75 + 0.25*(m*g/2)*(m*g/2)
		}
		G := 1 / (0.125 + math.Sqrt(v))
		checktest.Near(t, "V", float64(s.v[0][0]), v, 1e-6)
		checktest.Near(t, "x", float64(chains[0].X[0]), 1-eps*m*G*g+math.Sqrt(2*temp*eps*G)*w, 1e-6)
		checktest.Near(t, "multiplier", chains[0].Multiplier, m, 0)
	}
}
