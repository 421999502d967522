package posterior

import (
	"fmt"
	"math"
	"testing"

	"banditsim/internal/kernel"
)

// TestO9Preconditioner: under a constant gradient,
//
//	V_k = .99^k V₀ + (1 − .99^k)(g/s)²,
//
// and each drift uses the new V, the first one V₁.
func TestO9Preconditioner(t *testing.T) {
	const alpha, rho, scale, eps = 0.01, 1e-3, 4, 0.1
	gradients := []float64{0, 1, -40, 0.001, 1000}
	target := function{len(gradients), func(grad, x []float32) float64 {
		for i, g := range gradients {
			grad[i] = float32(g)
		}
		return 0
	}}
	pre := &RMSProp{Alpha: alpha, Rho: rho, Scale: scale}
	s := &Langevin{LearningRate: eps, Preconditioner: pre}
	chains := []Chain{NewChain(target, make([]float32, len(gradients)))}

	// The twin in float64 has twelve digits.
	x, v := make([]float64, len(gradients)), make([]float64, len(gradients))
	fill(v, 1)
	want := make([]float64, len(gradients))
	for k := 1; k <= 300; k++ {
		advance(t, s, chains, 1)
		kernel.LangevinPlain(x, gradients, v, nil, &kernel.Langevin[float64]{
			Step: eps, Multiplier: 1, Precondition: true, Alpha: alpha, Rho: rho, InvScale: 1. / scale,
		})
		rest := math.Pow(1-alpha, float64(k))
		for i, g := range gradients {
			vk := rest + (1-rest)*(g/scale)*(g/scale)
			want[i] -= eps * g / (rho + math.Sqrt(vk))
			checkNear(t, fmt.Sprintf("step %d: V of gradient %g", k, g), float64(pre.v[0][i]), vk, 1e-5)
			checkNear(t, fmt.Sprintf("step %d: x of gradient %g", k, g), float64(chains[0].X[i]), want[i], 2e-5)
			checkNear(t, fmt.Sprintf("step %d: float64 V of gradient %g", k, g), v[i], vk, 1e-12)
			checkNear(t, fmt.Sprintf("step %d: float64 x of gradient %g", k, g), x[i], want[i], 1e-12)
		}
	}
}

// fixedContour is a Contour that multiplies all drifts by a number.
type fixedContour float64

func (c fixedContour) Meet(m, energies []float64) { fill(m, float64(c)) }
func (c fixedContour) Weights(w []float64)        { fill(w, 1) }
func (c fixedContour) State() ([]float64, []int)  { return nil, nil }

// TestO9WhichGradient: V learns from g in the profile 'paper', from M·g in
// 'authors'. The noise knows G and not M.
func TestO9WhichGradient(t *testing.T) {
	for _, multiplied := range []bool{false, true} {
		const g, m, eps, temp, w = 3.0, -2.0, 0.25, 0.5, 1.5
		pre := &RMSProp{Alpha: 0.25, Rho: 0.125, Scale: 2, Multiplied: multiplied}
		s := &Langevin{LearningRate: eps, Temperature: temp, Preconditioner: pre, Contour: fixedContour(m),
			Noise: []Normals{&script{[][]float32{{w}}}}}
		target := function{1, func(grad, x []float32) float64 { grad[0] = g; return 0 }}
		chains := []Chain{NewChain(target, []float32{1})}
		advance(t, s, chains, 1)
		v := 0.75 + 0.25*(g/2)*(g/2)
		if multiplied {
			v = 0.75 + 0.25*(m*g/2)*(m*g/2)
		}
		G := 1 / (0.125 + math.Sqrt(v))
		checkNear(t, "V", float64(pre.v[0][0]), v, 1e-6)
		checkNear(t, "x", float64(chains[0].X[0]), 1-eps*m*G*g+math.Sqrt(2*temp*eps*G)*w, 1e-6)
		checkNear(t, "multiplier", chains[0].Multiplier, m, 0)
	}
}
