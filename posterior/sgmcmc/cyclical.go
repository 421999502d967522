package sgmcmc

import (
	"math"

	"banditsim/internal/state"
	"banditsim/posterior"
)

// Cyclical is Langevin whose learning rate falls from Peak to 0 by half a cosine and
// then starts anew (Zhang et al., Cyclical Stochastic Gradient MCMC for Bayesian
// Deep Learning, ICLR 2020, equation (1)): at step k, from 0, of a cycle of C
//
//	ε = (ε₀/2)·(cos(π·k/C) + 1)
//
// Large steps find modes, small ones sample them. The noise follows ε, so that
// every step is one of Langevin.
type Cyclical struct {
	*Langevin         // its Decay is that of the peak
	Peak      float64 // ε₀
	Cycle     int     // C, in steps

	step int // of this cycle
}

var _ posterior.Sampler = (*Cyclical)(nil)

// Step sets the learning rate and moves all chains.
func (s *Cyclical) Step(chains []posterior.Chain) error {
	s.LearningRate = s.Peak / 2 * (cosine(float64(s.step)/float64(s.Cycle)) + 1)
	s.step = (s.step + 1) % s.Cycle
	return s.Langevin.Step(chains)
}

// StartRound lets the peak decay, and tells the contour.
func (s *Cyclical) StartRound(ended, rounds int) {
	s.Peak *= s.Decay
	s.Langevin.StartRound(ended, rounds)
}

// cosine is cos(πt) for t in [0, 1], the same on every machine:
// by its Taylor series at 1/2, sin(π(1/2 − t)), to the last digits.
func cosine(t float64) float64 {
	x := math.Pi * (0.5 - t)
	term, sum, square := x, x, float64(x*x)
	for n := 2.0; n < 24; n += 2 {
		term *= -square / float64(n*(n+1))
		sum += term
	}
	return sum
}

// MarshalBinary returns the state of the sampler.
func (s *Cyclical) MarshalBinary() ([]byte, error) {
	var w state.Writer
	w.Float64(s.Peak)
	w.Int(s.step)
	w.Object(s.Langevin)
	return w.Bytes()
}

// UnmarshalBinary restores a sampler that was made with the same options.
func (s *Cyclical) UnmarshalBinary(b []byte) error {
	r := state.NewReader(b)
	s.Peak = r.Float64()
	s.step = r.Int("step of the cycle", 0, s.Cycle-1)
	r.Object(s.Langevin)
	return r.Close()
}
