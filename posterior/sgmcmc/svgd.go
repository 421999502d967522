package sgmcmc

import (
	"fmt"
	"math"

	"banditsim/internal/check"
	"banditsim/internal/kernel"
	"banditsim/internal/state"
	"banditsim/posterior"
)

// SVGD is Stein variational gradient descent (Liu and Wang, NeurIPS 2016, algorithm 1): the
// chains are n particles that move together, without noise, along
//
//	φ(x_i) = (1/n) Σ_j [ −k(x_j, x_i)·g_j/τ + ∇_{x_j} k(x_j, x_i) ]
//
// with the kernel k(x, x') = exp(−‖x − x'‖²/h), h = med²/log(n + 1), where med is the median
// distance of two particles. The first term moves them to low energy, the second apart. The step
// is scaled coordinate by coordinate by the root of a running mean of φ², as in the authors'
// program:
//
//	H ← βH + (1 − β)φ²,  x ← x + ε·φ/(ρ + √H),  H = φ² at the first step
//
// In the limit of many particles it approximates exp(−U/τ). A single particle descends to a mode.
// A move out of a Bounded target is rejected. A step costs one evaluation of the target for each
// particle, and O(n²d).
type SVGD struct {
	Schedule                       // ε
	Temperature float64            // τ, above 0
	Smoothing   float64            // β
	Rho         float64            // ρ
	Parallel    posterior.Parallel // as in Langevin

	evaluation
	phi       []float32
	h         [][]float32 // H, particle by particle; empty before the first step
	place     [][]float32 // positions of the particles before the move
	distances []float64   // squared, of all pairs i < j
	sorted    []float64
	kernels   []float64 // n×n
}

var _ posterior.Sampler = (*SVGD)(nil)

// Step moves all particles. If an energy is not a number it returns an error and moves none.
func (s *SVGD) Step(chains []posterior.Chain) error {
	if err := s.next(); err != nil {
		return err
	}
	if err := s.evaluate(chains, s.LearningRate, s.Parallel); err != nil {
		return err
	}
	s.begin(chains)
	width := s.computeKernels()
	first := len(s.h) == 0
	for i := range chains {
		if first {
			s.h = append(s.h, make([]float32, len(chains[i].X)))
		}
		s.direction(i, width)
		s.moveParticle(i, first)
	}
	return nil
}

// begin copies the particles' positions and allocates, once.
func (s *SVGD) begin(chains []posterior.Chain) {
	n := len(chains)
	if len(s.place) != n {
		s.phi = make([]float32, len(chains[0].X))
		s.place = make([][]float32, n)
		s.kernels = make([]float64, n*n)
	}
	for i := range chains {
		s.place[i] = append(s.place[i][:0], chains[i].X...)
	}
}

// computeKernels sets the kernel of every pair and returns h.
func (s *SVGD) computeKernels() float64 {
	n := len(s.place)
	s.distances = s.distances[:0]
	for i := range n {
		for j := i + 1; j < n; j++ {
			s.distances = append(s.distances, squaredDistance(s.place[i], s.place[j]))
		}
	}
	width := 1.0 // of one particle, or of particles at one position: of no effect
	s.sorted = append(s.sorted[:0], s.distances...)
	if m := median(s.sorted); m > 0 {
		width = m / kernel.Log(float64(n+1))
	}
	k := 0
	for i := range n {
		s.kernels[i*n+i] = 1
		for j := i + 1; j < n; j++ {
			v := kernel.Exp(-s.distances[k] / width)
			s.kernels[i*n+j], s.kernels[j*n+i] = v, v
			k++
		}
	}
	return width
}

// direction sets phi to φ(x_i).
func (s *SVGD) direction(i int, width float64) {
	n := len(s.place)
	clear(s.phi)
	for j, k := range s.kernels[i*n : (i+1)*n] {
		drift := float32(-k / s.Temperature / float64(n))
		apart := float32(2 * k / width / float64(n))
		here, there, g := s.place[i], s.place[j], s.chains[j].Grad
		for d := range s.phi {
			s.phi[d] += float32(drift*g[d]) + float32(apart*(here[d]-there[d]))
		}
	}
}

func (s *SVGD) moveParticle(i int, first bool) {
	c, h := &s.chains[i], s.h[i]
	eps, rho, beta := float32(s.LearningRate), float32(s.Rho), float32(s.Smoothing)
	if first {
		beta = 0
	}
	c.Keep()
	for d, phi := range s.phi {
		h[d] = float32(beta*h[d]) + float32((1-beta)*float32(phi*phi))
		c.X[d] += float32(eps*phi) / (rho + float32(math.Sqrt(float64(h[d]))))
	}
	c.Refuse()
}

func squaredDistance(a, b []float32) float64 {
	sum := 0.0
	for i := range a {
		d := float64(a[i] - b[i])
		sum += float64(d * d)
	}
	return sum
}

// median returns the median of v, the upper one of an even number, and 0 of none. It reorders v
// (Hoare, Algorithm 65: Find, CACM 1961).
func median(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	want, low, high := len(v)/2, 0, len(v)-1
	for low < high {
		pivot, i, j := v[(low+high)/2], low, high
		for i <= j {
			for v[i] < pivot {
				i++
			}
			for v[j] > pivot {
				j--
			}
			if i <= j {
				v[i], v[j] = v[j], v[i]
				i++
				j--
			}
		}
		switch {
		case want <= j:
			high = j
		case want >= i:
			low = i
		default:
			return v[want]
		}
	}
	return v[want]
}

// MarshalBinary returns the learning rate and H.
func (s *SVGD) MarshalBinary() ([]byte, error) {
	return s.save(func(w *state.Writer) {
		saveVectors(w, s.h)
	})
}

// UnmarshalBinary restores a sampler that was made with the same options.
func (s *SVGD) UnmarshalBinary(b []byte) error {
	return s.restore(b, func(r *state.Reader) {
		s.h = restoreVectors(r, "H", len(b))
	})
}

// NewSVGD returns SVGD with the smoothing β and with ρ. It validates the options.
func NewSVGD(u Setup, smoothing, rho float64) (*SVGD, error) {
	err := check.First(u.validateStep(), check.Positive("temperature", u.Temperature), check.Positive("rho", rho))
	if err == nil && !(smoothing >= 0 && smoothing < 1) {
		err = fmt.Errorf("smoothing: %g, want at least 0 and below 1", smoothing)
	}
	if err != nil {
		return nil, fmt.Errorf("sgmcmc: %w", err)
	}
	return &SVGD{
		Schedule: Decaying(u.LearningRate, u.Decay), Temperature: u.Temperature, Smoothing: smoothing, Rho: rho, Parallel: u.Parallel,
	}, nil
}

// MethodSVGD is SVGD, with the β and ρ of its authors' program.
var MethodSVGD = Method{
	Name: "SVGD", Doc: "Stein variational gradient descent",
	New: func(u Setup) (posterior.Sampler, error) { return NewSVGD(u, 0.9, 1e-6) },
	Claims: Claims{
		Density: true, Particles: true, Decay: true, Period: 1, FineRate: 0.02,
	},
}
