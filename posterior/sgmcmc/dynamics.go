// Package sgmcmc has samplers of stochastic gradient Markov chain Monte Carlo, with a file for each kind of step, and
// what they share: the evaluation of chains, contours over the energy, schedules of the learning rate.
//
// x is the position of a chain and d its dimension, U its energy without noise, Û its noisy energy, g its noisy
// gradient, ε the learning rate and τ the temperature. "The paper" is the one of ICSGLD (Deng et al., ICLR 2022), and
// "the authors' program" is its published code. More equations and sources are in docs/algorithms.md.
package sgmcmc

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"banditsim/internal/check"
	"banditsim/internal/lists"
	"banditsim/internal/state"
	"banditsim/posterior"
)

// dynamics is what the samplers share: the order of a step, the evaluation of chains, contour, exchange and the state.
type dynamics struct {
	state.Fields
	schedule            // ε
	Temperature float64 // τ
	Contour     Contour // nil: none

	rule     rule                // nil in a sampler that no constructor made
	noise    []posterior.Normals // one source per chain; unused at τ = 0
	parallel posterior.Parallel
	exchange *exchange // nil: none
	size     float64   // argument of SetSize; 1 before SetSize is called

	chains                []posterior.Chain // of the current step
	errs                  []error
	energies, multipliers []float64
	evaluateOne, move     func(i int)           // method values, made once
	scratch               lists.Free[[]float32] // vectors of a chain's length
}

var (
	_ posterior.Sampler      = (*dynamics)(nil)
	_ posterior.Weigher      = (*dynamics)(nil)
	_ posterior.Histogrammer = (*dynamics)(nil)
	_ posterior.RoundStarter = (*dynamics)(nil)
)

// A rule is what a sampler adds to dynamics.
type rule interface {
	begin(chains []posterior.Chain) // prepares the rule's data of all chains for a step
	moveChain(i int)                // moves chain i, after its evaluation
	state(c *state.Codec)           // saves or restores the rule's own state
}

// init sets the fields. It validates the options. The argument checks has the errors of the rule's own options.
func (s *dynamics) init(r rule, rate, decay, temperature float64, c ContourOptions, u Setup, checks ...error) error {
	*s = dynamics{
		schedule: schedule{LearningRate: rate, decay: decay}, Temperature: temperature, rule: r, noise: u.Noise, parallel: u.Parallel,
		size: 1, Fields: s.all, evaluateOne: s.evaluateChain, move: r.moveChain,
	}
	common := []error{check.NotNegative("learning_rate", rate), check.Positive("learning_rate_decay", decay), check.NotNegative("temperature", temperature)}
	if err := cmp.Or(append(common, checks...)...); err != nil {
		return fmt.Errorf("sgmcmc: %w", err)
	}
	var err error
	s.Contour, err = u.contour(c, temperature)
	return err
}

// Step moves all chains. If a chain's energy is NaN or cannot be evaluated, it returns an error and moves no chain.
func (s *dynamics) Step(chains []posterior.Chain) error {
	if n := len(chains); s.Temperature > 0 && (len(s.noise) < n || slices.Contains(s.noise[:n], nil)) {
		return fmt.Errorf("sgmcmc: step: Noise has %d sources, want one for each of %d chains at the temperature %g", len(s.noise), n, s.Temperature)
	}
	if err := s.evaluate(chains); err != nil {
		return err
	}
	if s.exchange != nil {
		if err := s.exchange.swap(chains, s.Temperature); err != nil {
			return err
		}
	}
	fill(s.multipliers, 1)
	if s.Contour != nil {
		for i := range chains {
			s.energies[i] = chains[i].Energy
		}
		s.Contour.Meet(s.multipliers, s.energies)
	}
	for i, m := range s.multipliers {
		chains[i].Multiplier = m
	}
	return s.each(s.move)
}

// evaluate begins a step: it fills in the energy and the gradient of every chain.
func (s *dynamics) evaluate(chains []posterior.Chain) error {
	if s.rule == nil {
		return errors.New("sgmcmc: step: a sampler without options: want one that a Method has made")
	}
	s.schedule.next()
	s.chains = chains
	if n := len(chains); len(s.errs) != n {
		s.errs, s.energies, s.multipliers = make([]error, n), make([]float64, n), make([]float64, n)
		s.scratch.Make = func() []float32 { return make([]float32, len(chains[0].X)) }
	}
	s.rule.begin(chains)
	return s.each(s.evaluateOne)
}

// each calls f for each chain. It returns the first error in s.errs, which f may set.
func (s *dynamics) each(f func(i int)) error {
	s.parallel.Do(len(s.chains), f)
	return cmp.Or(s.errs...)
}

func (s *dynamics) evaluateChain(i int) {
	c := &s.chains[i]
	energy, err := c.Target.EnergyGrad(c.Grad, c.X)
	switch {
	case err != nil:
		err = fmt.Errorf("sgmcmc: chain %d: energy: %w", i, err)
	case math.IsNaN(energy):
		err = fmt.Errorf("sgmcmc: chain %d: the energy is not a number: %w: the learning rate %g is too high", i, posterior.ErrDiverged, s.LearningRate)
	}
	c.Energy, s.errs[i] = energy, err
}

// rung returns ε and τ of chain i, which differ between chains if there is an exchange.
func (s *dynamics) rung(i int) (rate, temperature float64) {
	if s.exchange == nil {
		return s.LearningRate, s.Temperature
	}
	r := s.exchange.ladder[i]
	return s.LearningRate * r.Rate, s.Temperature * r.Temperature
}

// Exchanges reports whether chains swap positions. Their targets must then be the same.
func (s *dynamics) Exchanges() bool { return s.exchange != nil }

// SetLearningRate sets ε of the coming steps.
func (s *dynamics) SetLearningRate(rate float64) { s.LearningRate = rate }

// StartRound multiplies the learning rate and its cycle's peak by the decay. It tells the contour that a round starts.
func (s *dynamics) StartRound(ended, rounds int) {
	s.LearningRate, s.peak = s.LearningRate*s.decay, s.peak*s.decay
	if r, ok := s.Contour.(posterior.RoundStarter); ok {
		r.StartRound(ended, rounds)
	}
}

// Weights writes the weight of every chain in prediction to weights. With a contour, the contour defines it. With an
// exchange it is 1 for the coldest chain and 0 for the others. Otherwise it is 1.
func (s *dynamics) Weights(weights []float64) {
	fill(weights, 1)
	switch {
	case s.Contour != nil:
		s.Contour.Weights(weights)
	case s.exchange != nil:
		clear(weights[1:])
	}
}

// Histogram returns the contour's θ and the chains' bins; nil without a contour.
func (s *dynamics) Histogram() (theta []float64, bins []int) {
	if s.Contour == nil {
		return nil, nil
	}
	return s.Contour.State()
}

// EnergyVariance returns the estimated variance of the noise in an energy Û; 0 without an exchange.
func (s *dynamics) EnergyVariance() float64 {
	if s.exchange == nil {
		return 0
	}
	return s.exchange.variance
}

// all saves or restores the state of the sampler, not of the chains: the cycle, if any, then what s.parts saves.
func (s *dynamics) all(c *state.Codec) {
	if s.cycle == 0 {
		s.parts(c)
		return
	}
	c.Float64(&s.peak)
	c.Int("step of the cycle", &s.step, 0, s.cycle-1)
	c.Part(s.parts)
}

func (s *dynamics) parts(c *state.Codec) {
	c.Float64(&s.LearningRate)
	s.rule.state(c)
	if s.Contour != nil {
		c.Any("contour", s.Contour)
	}
	if s.exchange != nil {
		c.Part(s.exchange.state)
	}
	noiseState(c, s.noise)
}

func noiseState(c *state.Codec, noise []posterior.Normals) {
	for _, n := range noise {
		c.Any("noise", n)
	}
}

// vectorState saves or restores one vector per chain; none before the first step.
func vectorState(c *state.Codec, what string, vectors *[][]float32) {
	state.Slice(c, "vectors of "+what, vectors, check.MaxChains, func(v *[]float32) {
		*v = state.Resize(c, "length of a vector of "+what, *v, check.MaxNumbers)
		c.Float32s(*v)
	})
}

// vectors extends v to one vector per chain. Every element of a new vector is the argument value.
func vectors(v [][]float32, chains []posterior.Chain, value float32) [][]float32 {
	for i := len(v); i < len(chains); i++ {
		v = append(v, slices.Repeat([]float32{value}, len(chains[i].X)))
	}
	return v
}

// A schedule is a learning rate that may change from step to step and from round to round.
//
// With cycles of C steps, it falls in each cycle from a peak ε₀ to 0 along half a cosine (Zhang et al., Cyclical
// Stochastic Gradient MCMC for Bayesian Deep Learning, ICLR 2020, equation (1)). At step k of a cycle, counted from 0,
//
//	ε = (ε₀/2)·(cos(π·k/C) + 1)
//
// Large steps find modes, small ones sample them.
type schedule struct {
	LearningRate float64 // ε; without cycles it may be changed between steps

	decay float64 // factor of ε, and of the peak of a cycle, at the start of a round
	peak  float64 // ε₀
	cycle int     // C; 0: no cycles
	hold  float64 // share of a cycle, at its end, in which ε stays constant; below 1
	step  int     // step within this cycle
}

// setCycle begins cycles of the given number of steps, whose peak is the present learning rate.
func (s *schedule) setCycle(steps int, hold float64) {
	s.peak, s.cycle, s.hold = s.LearningRate, steps, hold
}

// checkCycle returns an error if the number of steps is out of range for a cycle.
func checkCycle(steps int) error { return check.Within("cycle", steps, 1, 1_000_000_000) }

// next sets the learning rate of the coming step. Without cycles it changes nothing.
func (s *schedule) next() {
	if s.cycle > 0 {
		at := min(s.step, int((1-s.hold)*float64(s.cycle)))
		s.LearningRate = s.peak / 2 * (cosine(float64(at)/float64(s.cycle)) + 1)
		s.step = (s.step + 1) % s.cycle
	}
}

// cosine returns cos(πt) for t in [0, 1], the same on every machine, by the Taylor series of sin(π(1/2 − t)) at 0.
func cosine(t float64) float64 {
	x := math.Pi * (0.5 - t)
	term, sum, square := x, x, float64(x*x)
	for n := 2.0; n < 24; n += 2 {
		term *= -square / float64(n*(n+1))
		sum += term
	}
	return sum
}
