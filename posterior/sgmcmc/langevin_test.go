package sgmcmc

import (
	"fmt"
	"math"
	"testing"

	"banditsim/internal/checktest"
	"banditsim/internal/must"
	"banditsim/posterior"
)

// TestTemperatureAndStepMayChange checks that the noise follows the current ε and τ.
func TestTemperatureAndStepMayChange(t *testing.T) {
	flat := posterior.TargetFunc(1, func(grad, x []float32) float64 { grad[0] = 0; return 0 })
	s := valid(NewLangevin(Plain(0.5, 1), Setup{Chains: 1, Noise: []posterior.Normals{checktest.NewScript([][]float32{{1}, {1}, {1}})}}))
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

// TestWhichGradient checks that V is updated with g, or with M·g if Multiplied is set, and that the noise depends on G but not on M.
func TestWhichGradient(t *testing.T) {
	for _, multiplied := range []bool{false, true} {
		const g, m, eps, temp, w = 3.0, -2.0, 0.25, 0.5, 1.5
		o := PreconditionerOptions{Kind: "rmsprop", Alpha: 0.25, Rho: 0.125, Scale: 2, Multiplied: multiplied}
		l := Plain(eps, temp)
		l.Preconditioner = o
		s := valid(NewLangevin(l, Setup{Chains: 1, Noise: []posterior.Normals{checktest.NewScript([][]float32{{w}})}}))
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

// TestAcceptanceIsThatOfTheMoves checks that the mean of the recorded acceptance probabilities is the share of steps in which the chain
// moves.
func TestAcceptanceIsThatOfTheMoves(t *testing.T) {
	const steps = 4000
	s := valid(newHamiltonian(HamiltonianOptions{LearningRate: 1.2, Decay: 1, Temperature: 1, Leapfrog: 1}, Setup{Chains: 1, Dim: 2, Noise: []posterior.Normals{checktest.Stream("acceptance")}}))
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
	must.Hold(t, moved != steps && moved != 0, "%g moves: the test shows nothing", moved)
	checktest.SE(t, "recorded acceptance", recorded/steps, moved/steps, math.Sqrt(0.25/steps))
}

// TestParticlesInOnePlace checks that particles at one position move together, down the gradient. Their median distance is 0 and cannot
// scale the kernel.
func TestParticlesInOnePlace(t *testing.T) {
	s := valid(newStein(SVGDOptions{LearningRate: 0.1, Decay: 1, Temperature: 1, Smoothing: 0.9, Rho: 1}, Setup{}))
	slope := posterior.TargetFunc(1, func(grad, x []float32) float64 { grad[0] = 1; return float64(x[0]) })
	var chains []posterior.Chain
	for range 3 {
		chains = append(chains, posterior.NewChain(slope, []float32{2}))
	}
	checktest.Advance(t, s, chains, 2)
	for i := range chains {
		// φ = −1 at both steps and H = 1: ε/(ρ + 1) each.
		checktest.Near(t, "particle", float64(chains[i].X[0]), 2-2*0.1/2, 1e-6)
		must.Equal(t, fmt.Sprintf("particle %d and the first", i), chains[i].X, chains[0].X)
	}
}

func TestCosine(t *testing.T) {
	for i := range 1001 {
		x := float64(i) / 1000
		checktest.Near(t, "cos", cosine(x), math.Cos(math.Pi*x), 1e-15)
	}
}

// TestOmega checks that ω_k is min(ω, 1/(k^a + b)).
func TestOmega(t *testing.T) {
	o := ContourOptions{Bins: 100, Width: 10}
	o.Omega, o.OmegaExponent, o.OmegaOffset = 0.003, 0.6, 100
	h := newHistogram(o, 1, 1)
	for _, c := range []struct {
		k    int
		want float64
	}{{1, 0.003}, {1000, 0.003}, {100_000, 1 / (1000.0 + 100)}, {1_000_000, 1 / (math.Pow(1e6, 0.6) + 100)}} {
		h.moves = c.k
		checktest.Near(t, "ω_k/want", h.omega()/c.want, 1, 1e-12)
	}
}

// TestForwardDifference checks the multiplier with forward difference, as in the authors' simulation of CSGLD, and that setTheta returns
// an error for an invalid θ.
func TestForwardDifference(t *testing.T) {
	var o ContourOptions
	o.Bins, o.Width, o.Zeta, o.Difference = 3, 1, 4, "forward"
	h := newHistogram(o, 0.5, 1)
	must.OK(t, h.setTheta([]float64{6, 3, 1}))
	for j, want := range []float64{1, 1 + 2*math.Log(.3/.6), 1 + 2*math.Log(.1/.3), 1} {
		checktest.Near(t, "M", h.multiplier(j), want, 1e-12)
	}
	for _, wrong := range [][]float64{{1, 1}, {1, 0, 1}, {1, math.NaN(), 1}, {1, math.Inf(1), 1}} {
		must.That(t, h.setTheta(wrong) != nil, "θ = %v is accepted", wrong)
	}
	checktest.Near(t, "θ(1) after refused ones", h.theta[0], 0.6, 1e-15)
}
