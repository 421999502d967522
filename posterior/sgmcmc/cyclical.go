package sgmcmc

import (
	"fmt"
	"math"

	"banditsim/internal/check"
	"banditsim/internal/state"
	"banditsim/posterior"
)

// Cyclical is Langevin with a learning rate that falls from Peak to 0 by half a cosine, again and
// again (Zhang et al., Cyclical Stochastic Gradient MCMC for Bayesian Deep Learning, ICLR 2020,
// equation (1)): at step k, from 0, of a cycle of C
//
//	ε = (ε₀/2)·(cos(π·k/C) + 1)
//
// Large steps find modes, small ones sample them. The noise follows ε, so that every step is one
// of Langevin.
type Cyclical struct {
	*Langevin         // its Decay multiplies the peak
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

// StartRound multiplies the peak by Decay and starts the contour's round.
func (s *Cyclical) StartRound(ended, rounds int) {
	s.Peak *= s.Decay
	s.Langevin.StartRound(ended, rounds)
}

// cosine returns cos(πt) for t in [0, 1], the same on every machine, by the Taylor series of
// sin(π(1/2 − t)) at 0.
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

// NewCyclical returns Cyclical over the Langevin of a setup, whose learning rate is the peak.
// It validates the options.
func NewCyclical(u Setup, cycle int) (*Cyclical, error) {
	if err := check.Within("cycle", cycle, 1, maxCycle); err != nil {
		return nil, fmt.Errorf("sgmcmc: %w", err)
	}
	s, err := NewLangevin(u)
	return &Cyclical{Langevin: s, Peak: u.LearningRate, Cycle: cycle}, err
}

// MethodCycSGLD is Cyclical, with cycles of 20 steps.
var MethodCycSGLD = Method{
	Name: "cycSGLD", Doc: "cyclical SGLD",
	New:    func(u Setup) (posterior.Sampler, error) { return NewCyclical(u, cycle) },
	Claims: cyclicalClaims(),
}

const (
	cycle    = 20            // C of MethodCycSGLD
	maxCycle = 1_000_000_000 // the longest
)

// cyclicalRate is equation (1) of Zhang et al., ICLR 2020.
func cyclicalRate(peak float64, step int) float64 {
	return peak / 2 * (math.Cos(math.Pi*float64(step)/cycle) + 1)
}

// cyclicalClaims: the variance follows the cycle, v ← (1−εk)²v + 2εT + ε²·(the gradient's
// variance). The claim is its average over a cycle.
func cyclicalClaims() Claims {
	c := langevinClaims(true)
	c.Period, c.FineRate, c.Autocorrelation = cycle, 0.016, nil
	c.Variance = func(k, v, eps, temperature float64) float64 {
		variance, mean := temperature/k, 0.0
		for range 400 { // cycles, after which the start no longer matters
			mean = 0
			for step := range cycle {
				e := cyclicalRate(eps, step)
				variance = (1-e*k)*(1-e*k)*variance + 2*e*temperature + e*e*v
				mean += variance / cycle
			}
		}
		return mean
	}
	c.Memory = func(k, eps float64) float64 { // steps for which Π(1 − ε_i·k) is 1/e
		log := 0.0
		for step := range cycle {
			log -= math.Log(math.Abs(1 - cyclicalRate(eps, step)*k))
		}
		return cycle / log
	}
	return c
}
