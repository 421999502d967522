package neural

import (
	"math"

	"banditsim/bandit/stream"
	"banditsim/internal/kernel"
)

// maxComponents is the greatest M: that of the bits of a z.
const maxComponents = 64

// factors are the ensemble of Ensemble++ over given features: for each arm M components, the columns of a matrix A
// whose random combinations Aζ have the covariance of a Bayesian linear regression, though no covariance is computed.
//
// With φ the features of the arm's rewards, each of which has a random z with E zzᵀ = I/M, and ν the standard deviation
// of a reward about its mean, the m-th column is the ridge regression of ν·z_m that is drawn towards a random start,
//
//	minimize Σ (φ·A_m − ν z_m)² + λ‖A_m − A⁰_m‖²,   A⁰ = (ν/√λ)·S
//
// with E SSᵀ = I. So A = (Σφφᵀ + λI)⁻¹(ν Σφzᵀ + λA⁰), the source's recursion (its equation for A_t), and E AAᵀ =
// ν²(Σφφᵀ + λI)⁻¹. For ζ ~ N(0, I) then w + Aζ is a draw of the posterior. z and the rows of S are drawn evenly from
// the corners of a cube, ±1/√M, one of the source's laws, so that 64 bits hold either.
//
// It holds what does not change: A itself belongs to the caller, as arms × features × M numbers.
type factors struct {
	features, m int
	lambda      float64
	start       []uint64 // signs of S, by arm and feature
	side        float64  // 1/√M
	residual    []float32
}

// newFactors returns the ensemble of so many arms, features, and components (1 to maxComponents), with its A⁰ drawn from r.
func newFactors(arms, features, components int, lambda float64, r *stream.Stream) *factors {
	e := &factors{
		features: features, m: components, lambda: lambda,
		start: make([]uint64, arms*features), side: 1 / math.Sqrt(float64(components)), residual: make([]float32, components),
	}
	r.Uint64s(e.start)
	return e
}

// len returns the length of A.
func (e *factors) len() int { return len(e.start) * e.m }

// corner returns element k of the corner of a cube with these signs.
func (e *factors) corner(signs uint64, k int) float64 {
	if signs>>k&1 == 1 {
		return e.side
	}
	return -e.side
}

// begin sets A to A⁰.
func (e *factors) begin(a []float32, nu float64) {
	for i, signs := range e.start {
		for k := range e.m {
			a[i*e.m+k] = float32(nu / math.Sqrt(e.lambda) * e.corner(signs, k))
		}
	}
}

// prior sets the gradient of scale·λ‖A − A⁰‖².
func (e *factors) prior(grad, a []float32, nu, scale float64) {
	for i, signs := range e.start {
		for k := range e.m {
			start := nu / math.Sqrt(e.lambda) * e.corner(signs, k)
			grad[i*e.m+k] = float32(2 * scale * e.lambda * (float64(a[i*e.m+k]) - start))
		}
	}
}

// add adds the gradient of scale·Σ_m (φ·A_m − ν z_m)² for a reward of an arm, whose z has these signs. The last feature is 1 and
// not in phi.
func (e *factors) add(grad, a, phi []float32, arm int, signs uint64, nu, scale float64) {
	first := arm * e.features * e.m
	for k := range e.residual {
		e.residual[k] = float32(-nu * e.corner(signs, k))
	}
	e.each(phi, func(at int, v float32) { kernel.Axpy(e.residual, v, a[first+at:][:e.m]) })
	for k := range e.residual {
		e.residual[k] *= float32(2 * scale)
	}
	e.each(phi, func(at int, v float32) { kernel.Axpy(grad[first+at:][:e.m], v, e.residual) })
}

// each calls f for the features that are not 0, with their place in A.
func (e *factors) each(phi []float32, f func(at int, v float32)) {
	for j, v := range phi {
		if v != 0 {
			f(j*e.m, v)
		}
	}
	f(len(phi)*e.m, 1)
}

// combine adds Aζ to the weights of a layer, features × arms with the constant's row last.
func (e *factors) combine(weights, a, zeta []float32) {
	arms := len(e.start) / e.features
	for arm := range arms {
		for j := range e.features {
			sum := float32(0)
			for k, z := range zeta {
				sum += float32(z * a[(arm*e.features+j)*e.m+k])
			}
			weights[j*arms+arm] += sum
		}
	}
}
