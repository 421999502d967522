package sgmcmc

import (
	"fmt"
	"math"

	"banditsim/internal/check"
	"banditsim/internal/state"
)

// A Schedule is a learning rate that may change from step to step and from round to round: see
// Constant, decaying and Cycles.
type Schedule struct {
	LearningRate float64 // ε; without cycles it may be changed between steps
	Decay        float64 // factor of ε, and of the peak of a cycle, at StartRound
	Peak         float64 // ε₀ of a cycle
	Cycle        int     // steps of a cycle, C; 0: none
	Hold         float64 // share of a cycle, at its end, in which ε stays, below 1

	step   int  // step within this cycle
	rounds bool // StartRound was called
}

// maxCycle is the longest cycle.
const maxCycle = 1_000_000_000

// Constant returns a learning rate that does not change.
func Constant(rate float64) Schedule { return decaying(rate, 1) }

// decaying returns a learning rate that is multiplied by decay before each training round.
func decaying(rate, decay float64) Schedule { return Schedule{LearningRate: rate, Decay: decay} }

// Cycles returns a learning rate that falls from peak to 0 by half a cosine, again and again (Zhang
// et al., Cyclical Stochastic Gradient MCMC for Bayesian Deep Learning, ICLR 2020, equation (1)): at
// step k, from 0, of a cycle of C
//
//	ε = (ε₀/2)·(cos(π·k/C) + 1)
//
// Large steps find modes, small ones sample them. Before each training round the peak is multiplied
// by decay.
func Cycles(peak, decay float64, steps int) Schedule {
	return Schedule{LearningRate: peak, Decay: decay, Peak: peak, Cycle: steps}
}

// StartRound multiplies the learning rate, or the peak, by Decay.
func (s *Schedule) StartRound(int, int) {
	s.LearningRate, s.Peak, s.rounds = s.LearningRate*s.Decay, s.Peak*s.Decay, true
}

// validate returns an error that names the first field that is out of range.
func (s *Schedule) validate() error {
	return check.First(
		check.NotNegative("learning_rate", s.LearningRate),
		check.Positive("learning_rate_decay", s.Decay),
		check.Within("cycle", s.Cycle, 0, maxCycle),
	)
}

// next sets the learning rate of the coming step. It returns an error if StartRound was called with
// a decay that is out of range.
func (s *Schedule) next() error {
	if s.rounds && !(s.Decay > 0 && s.Decay <= math.MaxFloat64) {
		return fmt.Errorf("sgmcmc: step: Decay is %g, want a finite number above 0: 1 keeps the learning rate", s.Decay)
	}
	if s.Cycle > 0 {
		at := s.step
		if s.Hold > 0 {
			at = min(at, int((1-s.Hold)*float64(s.Cycle)))
		}
		s.LearningRate = s.Peak / 2 * (cosine(float64(at)/float64(s.Cycle)) + 1)
		s.step = (s.step + 1) % s.Cycle
	}
	return nil
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

// stateWith is the state of a sampler: the learning rate and what fields lists, in a cycle after its own.
func (s *Schedule) stateWith(c *state.Codec, fields func(*state.Codec)) {
	all := func(c *state.Codec) {
		c.Float64(&s.LearningRate)
		fields(c)
	}
	if s.Cycle == 0 {
		all(c)
		return
	}
	c.Float64(&s.Peak)
	c.Int("step of the cycle", &s.step, 0, s.Cycle-1)
	c.Part(all)
}
