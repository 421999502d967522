package sgmcmc

import (
	"math"

	"banditsim/internal/check"
	"banditsim/internal/state"
	"banditsim/posterior"
)

// Underdamped is Langevin dynamics with momenta: stochastic gradient Hamiltonian Monte Carlo (Chen, Fox, Guestrin, ICML
// 2014, equation (15)) with unit mass and friction c, momentum first:
//
//	p ← (1 − εc)p − εg + √(2cετ)·w,  w ~ N(0, I)
//	x ← x + εp
//
// In the limit ε → 0 it samples exp(−U/τ); for a finite ε on a Gaussian there are closed forms (SGHMC claims them). The
// noise of the gradient is not subtracted from that of the friction. Momenta start at 0. A move out of a Bounded target
// is rejected and reverses the momentum. In descent the step is about ε/c. A step costs one evaluation of the target
// for each chain, and O(d).
//
// With a contour the drift is multiplied by M, as in Langevin: p ← (1 − εc)p − εMg + √(2cετ)·w. The force Mg is that of
// the flattened energy U + ζτ·log Ψ_θ(U), so that the limit is its density.
//
// With a thermostat it is the stochastic gradient Nosé–Hoover thermostat (Ding et al., NeurIPS 2014, algorithm 2): each
// chain has a friction ξ of its own, from c on, in place of c in the first term of p, and moves it after x by ξ ← ξ +
// ε(‖p‖²/d − τ) in d dimensions. Noise of the gradient, of a variance that is not known, then leaves the temperature as
// it is.
type Underdamped struct {
	dynamics
	Friction   float64 // c, with εc at most 1
	thermostat bool
	momentum   [][]float32
	xi         []float64 // ξ, chain by chain; nil without a thermostat
}

// newUnderdamped returns the sampler of a setup, with a contour but without a thermostat. It validates the options.
func newUnderdamped(o SGHMCOptions, c ContourOptions, u Setup) (*Underdamped, error) {
	s, loss := &Underdamped{Friction: o.Friction}, o.LearningRate*o.Friction
	return s, s.init(s, o.LearningRate, o.Decay, o.Temperature, c, u, check.NotNegative("friction", o.Friction),
		check.That(loss <= 1, "friction: learning_rate times friction is %g, want at most 1: above it the friction reverses the momentum", loss))
}

func (s *Underdamped) begin(chains []posterior.Chain) {
	s.momentum = vectors(s.momentum, chains, 0)
	for i := len(s.xi); s.thermostat && i < len(chains); i++ {
		s.xi = append(s.xi, s.Friction)
	}
}

// swapped moves the momentum of a chain whose position was swapped.
func (s *Underdamped) swapped(i int, old, now []float32) {
	rate, _ := s.rung(i)
	half := float32(rate / 2)
	for j := range now {
		s.momentum[i][j] += float32(half * float32(now[j]-old[j]))
	}
}

// Momentum returns the momenta of all chains, which belong to the sampler; none before the first step.
func (s *Underdamped) Momentum() [][]float32 { return s.momentum }

func (s *Underdamped) moveChain(i int) {
	c, p := &s.chains[i], s.momentum[i]
	friction := s.Friction
	if s.thermostat {
		friction = s.xi[i]
	}
	own, temperature := s.rung(i) // own: ε of the chain for the friction: εc does not depend on the size
	rate := own
	if s.size > 0 {
		rate /= math.Sqrt(s.size)
	}
	eps, keep := float32(rate), float32(1-float64(own*friction))
	drift := float32(rate * c.Multiplier)
	for j, g := range c.Grad {
		p[j] = float32(keep*p[j]) - float32(drift*g)
	}
	if temperature > 0 {
		w := s.scratch.Take()
		defer s.scratch.Give(w)
		s.noise[i].Normals(w)
		sd := float32(math.Sqrt(2 * s.Friction * own * temperature))
		for j := range p {
			p[j] += float32(sd * w[j])
		}
	}
	c.Keep()
	for j := range p {
		c.X[j] += float32(eps * p[j])
	}
	if c.Refuse() {
		for j := range p {
			p[j] = -p[j]
		}
	}
	if s.thermostat {
		s.xi[i] += float64(s.LearningRate * (2*kinetic(p)/float64(len(p)) - s.Temperature))
	}
}

// SetSize makes steps relative to the size n of the data: ε/√n in place of ε, and c√n in place of c.
func (s *Underdamped) SetSize(n float64) { s.size = n }

func (s *Underdamped) state(c *state.Codec) {
	vectorState(c, "momentum", &s.momentum)
	if s.thermostat {
		s.xi = state.Resize(c, "frictions", s.xi, len(s.momentum))
		c.Float64s(s.xi)
	}
}
