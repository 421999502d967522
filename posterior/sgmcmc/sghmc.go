package sgmcmc

import (
	"math"

	"banditsim/internal/freelist"
	"banditsim/internal/state"
	"banditsim/posterior"
)

// SGHMC is stochastic gradient Hamiltonian Monte Carlo (Chen, Fox, Guestrin, ICML
// 2014, equation (15)) with unit mass and friction c, momentum first:
//
//	p ← (1 − εc)p − εg + √(2cετ)·w,  w ~ N(0, I)
//	x ← x + εp
//
// At the limit ε → 0 it samples exp(−U/τ); what a finite ε does to a Gaussian is
// known in closed form (algorithms.md, O3). The noise of the gradient is not
// taken off the friction's. Momenta start at 0. A move out of a Bounded target is
// refused, and turns the momentum round. Far from a Gaussian its
// ε is that of momentum: descent goes about ε/c a step.
// A step costs one evaluation of the target a chain, and O(d).
type SGHMC struct {
	LearningRate float64             // ε
	Decay        float64             // factor of ε at StartRound
	Friction     float64             // c, with εc at most 1
	Temperature  float64             // τ
	Noise        []posterior.Normals // the source of w, one for each chain; unused at τ = 0
	Parallel     posterior.Parallel  // as in Langevin

	evaluation
	momentum [][]float32
	noise    freelist.List[[]float32]
	move     func(i int)
}

var _ posterior.Sampler = (*SGHMC)(nil)

// Step moves all chains. It stops with an error, and moves none, if an energy
// is not a number.
func (s *SGHMC) Step(chains []posterior.Chain) error {
	s.begin(chains)
	if err := s.evaluate(chains, s.LearningRate, s.Parallel); err != nil {
		return err
	}
	s.Parallel.Do(len(chains), s.move)
	return nil
}

// begin makes room for the chains, once.
func (s *SGHMC) begin(chains []posterior.Chain) {
	if s.move != nil {
		return
	}
	s.noise.Make = func() []float32 { return make([]float32, len(chains[0].X)) }
	s.move = s.moveChain
	for i := len(s.momentum); i < len(chains); i++ {
		s.momentum = append(s.momentum, make([]float32, len(chains[i].X)))
	}
}

// SetMomentum starts the momenta elsewhere than at 0; it takes p over, a
// vector a chain.
func (s *SGHMC) SetMomentum(p [][]float32) { s.momentum = p }

// Momentum returns the momenta of all chains, which belong to the sampler; none
// before the first step.
func (s *SGHMC) Momentum() [][]float32 { return s.momentum }

func (s *SGHMC) moveChain(i int) {
	c, p := &s.chains[i], s.momentum[i]
	eps, keep := float32(s.LearningRate), float32(1-s.LearningRate*s.Friction)
	for j, g := range c.Grad {
		p[j] = float32(keep*p[j]) - float32(eps*g)
	}
	if s.Temperature > 0 {
		w := s.noise.Take()
		defer s.noise.Give(w)
		s.Noise[i].Normals(w)
		sd := float32(math.Sqrt(2 * s.Friction * s.LearningRate * s.Temperature))
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
}

// StartRound lets the learning rate decay.
func (s *SGHMC) StartRound(int, int) { s.LearningRate *= s.Decay }

// MarshalBinary returns the learning rate, the momenta and the position of the
// noise.
func (s *SGHMC) MarshalBinary() ([]byte, error) {
	var w state.Writer
	w.Float64(s.LearningRate)
	saveVectors(&w, s.momentum)
	saveNoise(&w, s.Noise)
	return w.Bytes()
}

// UnmarshalBinary restores a sampler that was made with the same options.
func (s *SGHMC) UnmarshalBinary(b []byte) error {
	r := state.NewReader(b)
	s.LearningRate = r.Float64()
	s.momentum = restoreVectors(r, "momentum", len(b))
	restoreNoise(r, s.Noise)
	s.move = nil
	return r.Close()
}
