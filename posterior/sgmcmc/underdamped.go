package sgmcmc

import (
	"cmp"
	"fmt"
	"math"

	"banditsim/internal/check"
	"banditsim/internal/freelist"
	"banditsim/internal/state"
	"banditsim/posterior"
)

// Underdamped is Langevin dynamics with momenta: stochastic gradient Hamiltonian Monte Carlo (Chen,
// Fox, Guestrin, ICML 2014, equation (15)) with unit mass and friction c, momentum first:
//
//	p ← (1 − εc)p − εg + √(2cετ)·w,  w ~ N(0, I)
//	x ← x + εp
//
// In the limit ε → 0 it samples exp(−U/τ); for a finite ε on a Gaussian there are closed forms
// (SGHMC claims them). The noise of the gradient is not subtracted from that of the
// friction. Momenta start at 0. A move out of a Bounded target is rejected and reverses the
// momentum. In descent the step is about ε/c. A step costs one evaluation of the target for each
// chain, and O(d).
type Underdamped struct {
	Schedule                        // ε
	Friction    float64             // c, with εc at most 1
	Temperature float64             // τ
	Noise       []posterior.Normals // the source of w, one for each chain; unused at τ = 0
	Parallel    posterior.Parallel  // as in Langevin
	// Thermostat makes it the stochastic gradient Nosé–Hoover thermostat (Ding et al., NeurIPS 2014,
	// algorithm 2): each chain has a friction ξ of its own, from c on, in place of c in the first term of
	// p, and moves it after x by ξ ← ξ + ε(‖p‖²/d − τ) in d dimensions. Noise of the gradient, of a
	// variance that is not known, then leaves the temperature as it is.
	Thermostat bool
	// Contour, if not nil, multiplies the drift by M, as in Langevin: p ← (1 − εc)p − εMg + √(2cετ)·w. The
	// force Mg is that of the flattened energy U + ζτ·log Ψ_θ(U), so that the limit is its density.
	Contour Contour

	evaluation
	exchange *exchange // of ReSGHMC
	size     float64   // argument of SetSize; 0: never called
	momentum [][]float32
	before   [][]float32 // gradients before a swap
	xi       []float64   // ξ, chain by chain; nil without a thermostat
	noise    freelist.List[[]float32]
	move     func(i int)
}

var (
	_ posterior.Sampler      = (*Underdamped)(nil)
	_ posterior.Weigher      = (*Underdamped)(nil)
	_ posterior.Histogrammer = (*Underdamped)(nil)
	_ posterior.RoundStarter = (*Underdamped)(nil)
	_ posterior.Sizer        = (*Underdamped)(nil)
)

// Step moves all chains. If an energy is not a number it returns an error and moves none.
func (s *Underdamped) Step(chains []posterior.Chain) error {
	if err := cmp.Or(checkNoise(len(chains), s.Temperature, s.Noise), s.next()); err != nil {
		return err
	}
	s.begin(chains)
	if err := s.evaluate(chains, s.LearningRate, s.Parallel); err != nil {
		return err
	}
	if s.exchange != nil {
		if err := s.swap(chains); err != nil {
			return err
		}
	}
	s.meet(s.Contour)
	s.Parallel.Do(len(chains), s.move)
	return nil
}

// begin allocates for the chains, once.
func (s *Underdamped) begin(chains []posterior.Chain) {
	if s.move != nil {
		return
	}
	s.noise.Make = func() []float32 { return make([]float32, len(chains[0].X)) }
	s.move = s.moveChain
	for i := len(s.momentum); i < len(chains); i++ {
		s.momentum = append(s.momentum, make([]float32, len(chains[i].X)))
	}
	for i := len(s.xi); s.Thermostat && i < len(chains); i++ {
		s.xi = append(s.xi, s.Friction)
	}
}

// swap swaps positions of neighbors.
func (s *Underdamped) swap(chains []posterior.Chain) error {
	s.before = s.before[:0]
	for i := range chains {
		s.before = append(s.before, chains[i].Grad)
	}
	if err := s.exchange.swap(chains, s.Temperature); err != nil {
		return err
	}
	for i, old := range s.before {
		if now := chains[i].Grad; &now[0] != &old[0] {
			half := float32(s.LearningRate * s.exchange.ladder[i].Rate / 2)
			for j := range now {
				s.momentum[i][j] += float32(half * float32(now[j]-old[j]))
			}
		}
	}
	return nil
}

// Momentum returns the momenta of all chains, which belong to the sampler; none before the first
// step.
func (s *Underdamped) Momentum() [][]float32 { return s.momentum }

func (s *Underdamped) moveChain(i int) {
	c, p := &s.chains[i], s.momentum[i]
	friction := s.Friction
	if s.Thermostat {
		friction = s.xi[i]
	}
	rate, temperature := s.LearningRate, s.Temperature
	if s.exchange != nil {
		rate *= s.exchange.ladder[i].Rate
		temperature *= s.exchange.ladder[i].Temperature
	}
	own := rate // ε of the chain for the friction: εc does not depend on the size
	if s.size > 0 {
		rate /= math.Sqrt(s.size)
	}
	eps, keep := float32(rate), float32(1-float64(own*friction))
	drift := float32(rate * c.Multiplier)
	for j, g := range c.Grad {
		p[j] = float32(keep*p[j]) - float32(drift*g)
	}
	if temperature > 0 {
		w := s.noise.Take()
		defer s.noise.Give(w)
		s.Noise[i].Normals(w)
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
	if s.Thermostat {
		s.xi[i] += float64(s.LearningRate * (2*kinetic(p)/float64(len(p)) - s.Temperature))
	}
}

// SetSize makes steps relative to the size n of the data: ε/√n in place of ε, and c√n in place of c.
func (s *Underdamped) SetSize(n float64) { s.size = n }

// StartRound starts the round of the schedule and of the contour.
func (s *Underdamped) StartRound(ended, rounds int) {
	s.Schedule.StartRound(ended, rounds)
	startRound(s.Contour, ended, rounds)
}

// Weights sets the weight of every chain in prediction: that of the contour, or of the exchange, or 1.
func (s *Underdamped) Weights(weights []float64) {
	fill(weights, 1)
	switch {
	case s.Contour != nil:
		s.Contour.Weights(weights)
	case s.exchange != nil:
		s.exchange.weigh(weights)
	}
}

// Histogram returns the contour's θ and the chains' bins; nil without a contour.
func (s *Underdamped) Histogram() (theta []float64, bins []int) {
	if s.Contour == nil {
		return nil, nil
	}
	return s.Contour.State()
}

// MarshalBinary returns the learning rate, the momenta, the contour and the position of the noise.
func (s *Underdamped) MarshalBinary() ([]byte, error) { return state.Save(s.state) }

// UnmarshalBinary restores a sampler that was made with the same options.
func (s *Underdamped) UnmarshalBinary(b []byte) error { return state.Restore(b, s.state) }

func (s *Underdamped) state(c *state.Codec) {
	s.stateWith(c, func(c *state.Codec) {
		vectorState(c, "momentum", &s.momentum)
		if s.Thermostat {
			s.xi = state.Resize(c, "frictions", s.xi, len(s.momentum))
			c.Float64s(s.xi)
		}
		if s.Contour != nil {
			c.Any("contour", s.Contour)
		}
		if s.exchange != nil {
			c.Part(s.exchange.state)
		}
		noiseState(c, s.Noise)
		if c.Reading() {
			s.move = nil
		}
	})
}

// newUnderdamped returns the sampler of a setup, with a contour but without a thermostat. It validates
// the options.
func newUnderdamped(o SGHMCOptions, c ContourOptions, u Setup) (*Underdamped, error) {
	s := &Underdamped{
		Schedule: decaying(o.LearningRate, o.Decay), Friction: o.Friction, Temperature: o.Temperature,
		Noise: u.Noise, Parallel: u.Parallel,
	}
	err := check.First(s.validate(), check.NotNegative("temperature", o.Temperature), check.NotNegative("friction", o.Friction))
	if loss := o.LearningRate * o.Friction; err == nil && loss > 1 {
		err = fmt.Errorf("friction: learning_rate times friction is %g, want at most 1: above it the friction reverses the momentum", loss)
	}
	if err != nil {
		return nil, fmt.Errorf("sgmcmc: %w", err)
	}
	s.Contour, err = u.contour(c, o.Temperature)
	return s, err
}
