// Package density has test densities with known properties, computed in closed form or by
// quadrature, without code of any sampler.
//
// Gaussian, Mixture and Landscape are posterior.Targets: an energy U = −log π, up to a constant,
// with its gradient. A target with noise has its own stream and must be used by one chain only. A target without noise
// may be used by several chains, but not concurrently.
//
// For contour samplers on a one-dimensional density, Contour.FixedPoint returns the equilibrium θ*,
// and Contour.Law the stationary law of a chain with a finite step size.
//
// exp, log and cos come from package math and may differ in the last bit between machines.
package density

import (
	"fmt"
	"math"

	"banditsim/bandit/stream"
)

// Gaussian has independent coordinates with mean 0:
//
//	U(x) = Σ kᵢ·xᵢ²/2,  Var xᵢ = 1/kᵢ
//
// The gradient may have independent normal noise. The energy has none.
type Gaussian struct {
	precision []float32
	sd        float32 // standard deviation of the noise in each coordinate of the gradient
	rand      *Buffered
	noise     []float32
}

// NewGaussian returns a Gaussian with the given precisions kᵢ. The noise of its gradient has the given variance and is
// drawn from r, which may be nil if variance is 0. NewGaussian panics unless all kᵢ > 0 and variance ≥ 0.
func NewGaussian(precision []float64, variance float64, r *stream.Stream) *Gaussian {
	if !(variance >= 0) {
		panic(fmt.Sprintf("density: a variance of %g of the gradient's noise", variance))
	}
	g := &Gaussian{sd: float32(math.Sqrt(variance))}
	for i, k := range precision {
		if !(k > 0) {
			panic(fmt.Sprintf("density: precision %g of coordinate %d", k, i))
		}
		g.precision = append(g.precision, float32(k))
	}
	if variance > 0 {
		g.rand = NewBuffered(r)
		g.noise = make([]float32, len(precision))
	}
	return g
}

// Dim returns the number of coordinates.
func (g *Gaussian) Dim() int { return len(g.precision) }

// EnergyGrad returns U(x) and sets grad to the gradient plus noise.
func (g *Gaussian) EnergyGrad(grad, x []float32) (float64, error) {
	sum := 0.0
	for i, k := range g.precision {
		grad[i] = k * x[i]
		sum += float64(grad[i]) * float64(x[i])
	}
	if g.rand != nil {
		g.rand.Normals(g.noise)
		for i, n := range g.noise {
			grad[i] += float32(g.sd * n)
		}
	}
	return sum / 2, nil
}

// Mixture is .4 N(−6, 1) + .6 N(4, 1), from the ICSGLD paper (Deng et al., ICLR 2022), section 'Empirical validation of
// reduced variance'. The energy is U(x) = −log π(x) of the normalized density, without noise. The minimum of U is 1.43,
// and a barrier of height 12 separates the two wells.
type Mixture struct{}

// The means of the two components, and the weight of the first component.
const (
	mixtureLeft   = -6.0
	mixtureRight  = 4.0
	mixtureWeight = 0.4
)

var _ Line = Mixture{}

// Dim returns 1.
func (Mixture) Dim() int { return 1 }

// EnergyGrad returns U(x) and sets grad to its derivative.
func (m Mixture) EnergyGrad(grad, x []float32) (float64, error) {
	u, du := m.At(float64(x[0]))
	grad[0] = float32(du)
	return u, nil
}

// At returns U(x) and its derivative.
func (Mixture) At(x float64) (u, du float64) {
	const logNorm = 0.91893853320467274178 // ½ log 2π
	left, right := x-mixtureLeft, x-mixtureRight
	// low and high are the energies of the two components. U = low − log(1 + e^(low−high)).
	low := left*left/2 + logNorm - logMixtureWeight
	high := right*right/2 + logNorm - logMixtureRest
	if high < low {
		left, right, low, high = right, left, high, low
	}
	e := math.Exp(low - high)
	return low - math.Log1p(e), (left + float64(e*right)) / (1 + e)
}

var (
	logMixtureWeight = math.Log(mixtureWeight)
	logMixtureRest   = math.Log(1 - mixtureWeight)
)

// Support returns [−22, 20]: outside, U is above 100.
func (Mixture) Support() (low, high float64) { return -22, 20 }

// normalize divides v by its sum.
func normalize(v []float64) {
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	for i := range v {
		v[i] /= sum
	}
}

// A Buffered returns standard normal numbers from a stream in vectors of any length: successive parts of one long
// vector. stream.Stream.Normals consumes a whole chunk of numbers per call, which is wasteful for vectors of one or two
// elements. Nothing else may draw from the stream. A Buffered is not safe for concurrent use and cannot be saved.
type Buffered struct {
	rand *stream.Stream
	left []float32
	all  [4096]float32
}

// NewBuffered returns a buffer over s.
func NewBuffered(s *stream.Stream) *Buffered { return &Buffered{rand: s} }

// Normals fills dst with the next standard normal numbers.
func (b *Buffered) Normals(dst []float32) {
	for len(dst) > 0 {
		if len(b.left) == 0 {
			b.rand.Normals(b.all[:])
			b.left = b.all[:]
		}
		n := copy(dst, b.left)
		dst, b.left = dst[n:], b.left[n:]
	}
}
