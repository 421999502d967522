package sgmcmc

import (
	"cmp"
	"math"
	"slices"

	"banditsim/internal/check"
	"banditsim/internal/kernel"
	"banditsim/internal/state"
	"banditsim/posterior"
)

// stein is Stein variational gradient descent (Liu and Wang, NeurIPS 2016, algorithm 1): the chains are n particles
// that move together, without noise, along
//
//	φ(x_i) = (1/n) Σ_j [ −k(x_j, x_i)·g_j/τ + ∇_{x_j} k(x_j, x_i) ]
//
// with the kernel k(x, x') = exp(−‖x − x'‖²/h), h = med²/log(n + 1), where med is the median distance of two particles.
// The first term moves particles to low energies, the second moves them apart. Each coordinate of a step is divided by
// the root of a running mean of φ², as in the program of Liu and Wang:
//
//	H ← βH + (1 − β)φ²,  x ← x + ε·φ/(ρ + √H),  H = φ² at the first step
//
// In the limit of many particles it approximates exp(−U/τ). A single particle descends to a mode. A move out of a
// Bounded target is rejected. A step costs one evaluation of the target for each particle, and O(n²d) operations.
type stein struct {
	dynamics
	smoothing float64 // β
	rho       float64 // ρ

	h         [][]float32 // H, particle by particle; empty before the first step
	place     [][]float32 // positions of the particles before the move
	distances []float64   // scratch: squared distances of all pairs of particles, for the median
	kernels   []float64   // k(x_j, x_i), n×n
	width     float64     // h
	first     bool        // this is the first step
}

func newStein(o SVGDOptions, u Setup) (*stein, error) {
	s := &stein{smoothing: o.Smoothing, rho: o.Rho}
	u.Noise = nil
	return s, s.init(s, o.LearningRate, o.Decay, o.Temperature, off, u, check.Positive("temperature", o.Temperature), check.Positive("rho", o.Rho),
		check.That(o.Smoothing >= 0 && o.Smoothing < 1, "smoothing: %g, want at least 0 and below 1", o.Smoothing))
}

// SetSize changes nothing: φ is divided by the root of its mean square, whatever the size of the data.
func (s *stein) SetSize(float64) {}

// Step moves all particles. If an evaluation fails or an energy is NaN, it returns an error and moves none.
func (s *stein) Step(chains []posterior.Chain) error {
	if err := s.evaluate(chains); err != nil {
		return err
	}
	return s.each(s.move)
}

// begin copies the positions of the particles, from which all of them move, and computes their kernels.
func (s *stein) begin(chains []posterior.Chain) {
	n := len(chains)
	if len(s.place) != n {
		s.place = make([][]float32, n)
		s.kernels = make([]float64, n*n)
	}
	for i := range chains {
		s.place[i] = append(s.place[i][:0], chains[i].X...)
	}
	s.first = len(s.h) == 0
	s.h = vectors(s.h, chains, 0)
	s.computeKernels()
}

// computeKernels sets the kernel of every pair of particles, and its width h.
func (s *stein) computeKernels() {
	n := len(s.place)
	s.distances = s.distances[:0]
	for i, a := range s.place { // distances take the places of kernels until the width is known
		s.kernels[i*n+i] = 0
		for j, b := range s.place[:i] {
			d := squaredDistance(a, b)
			s.kernels[i*n+j], s.kernels[j*n+i] = d, d
			s.distances = append(s.distances, d)
		}
	}
	s.width = 1 // for one particle, or if the median is 0: then in most pairs both particles are at the same position
	slices.Sort(s.distances)
	if n > 1 { // the median is the upper of the two middle distances if their number is even
		s.width = cmp.Or(s.distances[len(s.distances)/2]/kernel.Log(float64(n+1)), 1)
	}
	for i, d := range s.kernels {
		s.kernels[i] = kernel.Exp(-d / s.width)
	}
}

// direction sets phi to φ(x_i).
func (s *stein) direction(phi []float32, i int) {
	n := len(s.place)
	clear(phi)
	for j, k := range s.kernels[i*n : (i+1)*n] {
		drift := float32(-k / s.Temperature / float64(n))
		apart := float32(2 * k / s.width / float64(n))
		here, there, g := s.place[i], s.place[j], s.chains[j].Grad
		for d := range phi {
			phi[d] += float32(drift*g[d]) + float32(apart*(here[d]-there[d]))
		}
	}
}

func (s *stein) moveChain(i int) {
	phi := s.scratch.Take()
	defer s.scratch.Give(phi)
	s.direction(phi, i)
	c, h := &s.chains[i], s.h[i]
	eps, rho, beta := float32(s.LearningRate), float32(s.rho), float32(s.smoothing)
	if s.first {
		beta = 0
	}
	c.Keep()
	for d, v := range phi {
		h[d] = float32(beta*h[d]) + float32((1-beta)*float32(v*v))
		c.X[d] += float32(eps*v) / (rho + float32(math.Sqrt(float64(h[d]))))
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

func (s *stein) state(c *state.Codec) { vectorState(c, "H", &s.h) }

// SVGDOptions are the options of SVGD.
type SVGDOptions struct {
	LearningRate float64 `json:"learning_rate"`       // step size, ε
	Decay        float64 `json:"learning_rate_decay"` // multiplies the learning rate before each training round
	Temperature  float64 `json:"temperature"`         // temperature, τ
	Smoothing    float64 `json:"smoothing"`           // weight of the old value in the running mean of squares, β
	Rho          float64 `json:"rho"`                 // regularizer of the step, ρ
}

// SVGD is Stein variational gradient descent, by default with the β and ρ of its authors' program.
func SVGD() Method[SVGDOptions] {
	at := func(rate, decay, temperature float64) SVGDOptions {
		return SVGDOptions{LearningRate: rate, Decay: decay, Temperature: temperature, Smoothing: 0.9, Rho: 1e-6}
	}
	return Method[SVGDOptions]{
		Name: "SVGD", Doc: "Stein variational gradient descent",
		Defaults: func() SVGDOptions { return at(1e-3, 1, 0.3) },
		Small: func(o SVGDOptions) SVGDOptions {
			o.LearningRate = 1e-2
			return o
		},
		New:     func(o SVGDOptions, u Setup) (posterior.Sampler, error) { return newStein(o, u) },
		Checked: func(o LangevinOptions) SVGDOptions { return at(o.LearningRate, o.Decay, o.Temperature) },
		Claims:  Claims{Density: true, Particles: true, Decay: true, Period: 1, FineRate: 0.02},
	}
}
