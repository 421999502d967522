package deep

import (
	"fmt"
	"math"

	"banditsim/internal/kernel"
	"banditsim/nn"
	"banditsim/posterior"
)

// A laplace is Laplace's approximation of the last layer's weights (Daxberger et al., NeurIPS 2021; Kristiadi, Hein and
// Hennig, ICML 2020):
//
//	w ~ N(ŵ, H⁻¹),  H = Σᵢ (diag pᵢ − pᵢpᵢᵀ) ⊗ φᵢφᵢᵀ + λI
//
// φᵢ are the last hidden layer's outputs for training image i, followed by a 1, pᵢ its class probabilities, and w the
// weights and biases, class by class; ŵ are those of the trained network. H is the energy's Hessian, with the prior.
type laplace struct {
	net    *Network
	last   nn.Layer
	factor []float64 // lower triangle L of H = LLᵀ, row by row
	dim    int
}

// newLaplace returns the approximation at parameters x.
func newLaplace(net *Network, x []float32, d *Data, decay float64) (*laplace, error) {
	layers := net.Layers()
	last := layers[len(layers)-1]
	h := last.In + 1
	dim := h * last.Out
	l := &laplace{net: net, last: last, factor: make([]float64, dim*dim), dim: dim}
	p := make([]float64, d.Len()*net.Classes)
	net.Probabilities(p, x, d, nil)
	l.features(x, d, func(i int, phi []float64) {
		row := p[i*net.Classes:][:net.Classes]
		for a := range row {
			for b := range a + 1 {
				c := -row[a] * row[b]
				if a == b {
					c += row[a]
				}
				for j, u := range phi {
					at := l.factor[(a*h+j)*dim+b*h:][:h]
					for k, v := range phi {
						at[k] += float64(float64(c*u) * v)
					}
				}
			}
		}
	})
	for j := range dim {
		l.factor[j*dim+j] += decay
	}
	return l, l.decompose()
}

// decompose replaces the lower triangle of H by its Cholesky factor L.
func (l *laplace) decompose() error {
	n, f := l.dim, l.factor
	for j := range n {
		for i := j; i < n; i++ {
			sum := f[i*n+j]
			for k := range j {
				sum -= float64(f[i*n+k] * f[j*n+k])
			}
			switch {
			case i > j:
				f[i*n+j] = sum / f[j*n+j]
			case sum > 0:
				f[j*n+j] = math.Sqrt(sum)
			default:
				return fmt.Errorf("deep: Laplace: the Hessian is not positive: pivot %d is %g: %w", j+1, sum, posterior.ErrDiverged)
			}
		}
	}
	return nil
}

// draw sets w to a draw from N(0, H⁻¹), to be added to ŵ. It solves Lᵀw = z with z ~ N(0, I).
func (l *laplace) draw(w []float64, noise posterior.Normals) {
	z := make([]float32, l.dim)
	noise.Normals(z)
	n := l.dim
	for i := n - 1; i >= 0; i-- {
		sum := float64(z[i])
		for k := i + 1; k < n; k++ {
			sum -= float64(l.factor[k*n+i] * w[k])
		}
		w[i] = sum / l.factor[i*n+i]
	}
}

// predict adds to dst the class probabilities of the images of d, averaged over the weights ŵ + w for w in draws.
func (l *laplace) predict(dst []float64, x []float32, d *Data, draws [][]float64) {
	h, classes := l.last.In+1, l.net.Classes
	mean := make([]float64, l.dim)
	for k := range classes {
		for j := range l.last.In {
			mean[k*h+j] = float64(x[l.last.Weights+j*l.last.Out+k])
		}
		mean[k*h+h-1] = float64(x[l.last.Bias+k])
	}
	logits := make([]float64, classes)
	l.features(x, d, func(i int, phi []float64) {
		for _, w := range draws {
			top := math.Inf(-1)
			for k := range logits {
				sum := 0.0
				for j, v := range phi {
					sum += float64((mean[k*h+j] + w[k*h+j]) * v)
				}
				logits[k] = sum
				top = max(top, sum)
			}
			total := 0.0
			for k, v := range logits {
				logits[k] = kernel.Exp(v - top)
				total += logits[k]
			}
			for k, v := range logits {
				dst[i*classes+k] += v / (total * float64(len(draws)))
			}
		}
	})
}

// features calls f with the index of each image and its φ, which f must not keep.
func (l *laplace) features(x []float32, d *Data, f func(i int, phi []float64)) {
	phi := make([]float64, l.last.In+1)
	l.net.each(x, d, nil, func(first int, pass *nn.Pass, out []float32) {
		features, stride := pass.Features()
		for i := range len(out) / l.net.Classes {
			for j := range l.last.In {
				phi[j] = float64(features[i*stride+j])
			}
			phi[l.last.In] = 1
			f(first+i, phi)
		}
	})
}
