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
// Its gradient may carry independent normal noise. The energy is exact.
type Gaussian struct {
	precision []float32
	sd        float32 // standard deviation of the gradient's noise
	rand      *stream.Buffered
	noise     []float32
}

// NewGaussian returns a Gaussian with the given precisions kᵢ and a gradient noise of the given
// variance, drawn from r, which may be nil without noise. It panics if a precision is not above 0
// or the variance is negative.
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
		g.rand = stream.NewBuffered(r)
		g.noise = make([]float32, len(precision))
	}
	return g
}

// Dim returns the number of coordinates.
func (g *Gaussian) Dim() int { return len(g.precision) }

// EnergyGrad returns U(x) and sets grad to the gradient with its noise.
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
