package sgmcmc

import (
	"errors"
	"fmt"
	"math"

	"banditsim/bandit/stream"
	"banditsim/internal/check"
	"banditsim/internal/kernel"
	"banditsim/internal/state"
	"banditsim/posterior"
)

// Exchange is the part of Langevin that makes replica exchange SGLD (Deng et al., Non-convex
// Learning via Replica Exchange Stochastic Gradient MCMC, ICML 2020): chain i runs at a
// temperature τ_i of its own, lowest first, and after every evaluation each pair of neighbors
// swaps positions with probability min(1, S),
//
//	log S = (1/τ_i − 1/τ_{i+1})·(Û_i − Û_{i+1} − (1/τ_i − 1/τ_{i+1})·σ²/F)
//
// where σ² is the variance of the noise of one energy, which would otherwise make swaps too
// frequent: the difference of two noisy energies has the variance 2σ², and half of it times the
// square of the factor corrects the mean of the exponential (F = 1). For a Penalized target the
// penalty is added to the energies: it is part of the density. Only the first chain samples the
// target; the weights of the others are 0.
//
// Preconditioner and noise stay with the rung of the ladder.
type Exchange struct {
	Ladder []Rung // chain by chain, the coldest first
	// Variance is σ². Every EstimateEvery steps (0: never) it moves by the share Smoothing
	// towards an estimate from Samples energies at the first chain's position. Correction is F:
	// above 1 swaps are more frequent than the density allows.
	Variance      float64
	EstimateEvery int
	Samples       int
	Smoothing     float64
	Correction    float64
	// Every is the number of steps between two attempts.
	Every int
	Rand  *stream.Stream

	steps int
	swaps int64
	grad  []float32 // scratch
}

// A Rung has the factors of the sampler's learning rate and temperature for one chain.
type Rung struct {
	Rate        float64 `json:"rate"`
	Temperature float64 `json:"temperature"`
}

// Ladder returns rungs whose learning rates and temperatures grow geometrically from 1 to the
// given factors.
func Ladder(chains int, rate, temperature float64) []Rung {
	ladder := make([]Rung, chains)
	for i := range ladder {
		part := float64(i) / float64(max(chains-1, 1))
		ladder[i] = Rung{kernel.Exp(part * kernel.Log(rate)), kernel.Exp(part * kernel.Log(temperature))}
	}
	return ladder
}

// validate returns an error that names the first field that is out of range for n chains.
func (e *Exchange) validate(n int, temperature float64) error {
	checks := []error{
		check.Within("Ladder: rungs", len(e.Ladder), n, n),
		check.Positive("temperature", temperature),
		check.NotNegative("Variance", e.Variance),
		check.Positive("Correction", e.Correction),
		check.Within("Every", e.Every, 1, math.MaxInt),
	}
	if e.EstimateEvery != 0 {
		checks = append(checks, check.Within("EstimateEvery", e.EstimateEvery, 1, math.MaxInt), check.Within("Samples", e.Samples, 2, math.MaxInt))
		if !(e.Smoothing > 0 && e.Smoothing <= 1) {
			checks = append(checks, fmt.Errorf("exchange: Smoothing: %g, want above 0 and at most 1", e.Smoothing))
		}
	}
	if e.Rand == nil {
		checks = append(checks, errors.New("exchange: Rand: nil, want a stream"))
	}
	for i, r := range e.Ladder {
		checks = append(checks, check.NotNegative(fmt.Sprintf("Ladder[%d].Rate", i), r.Rate), check.Positive(fmt.Sprintf("Ladder[%d].Temperature", i), r.Temperature))
	}
	return check.First(checks...)
}

// swap swaps positions of neighbors, with their energies and gradients.
func (e *Exchange) swap(chains []posterior.Chain, temperature float64) error {
	e.steps++
	if e.EstimateEvery > 0 && e.steps%e.EstimateEvery == 0 {
		if err := e.estimate(&chains[0]); err != nil {
			return err
		}
	}
	if e.steps%e.Every != 0 {
		return nil
	}
	for i := range len(chains) - 1 {
		a, b := &chains[i], &chains[i+1]
		d := (1/e.Ladder[i].Temperature - 1/e.Ladder[i+1].Temperature) / temperature
		u := e.Rand.Float64()
		if logS := d * (whole(a) - whole(b) - d*e.Variance/e.Correction); kernel.Log(u) < logS {
			a.X, b.X = b.X, a.X
			a.Grad, b.Grad = b.Grad, a.Grad
			a.Energy, b.Energy = b.Energy, a.Energy
			e.swaps++
		}
	}
	return nil
}

// whole returns a chain's energy with its target's penalty.
func whole(c *posterior.Chain) float64 { return c.Energy + penalty(c.Target, c.X) }

// estimate updates the variance of the energy's noise at a chain's position (Welford 1962).
func (e *Exchange) estimate(c *posterior.Chain) error {
	if e.grad == nil {
		e.grad = make([]float32, len(c.X))
	}
	mean, squares := 0.0, 0.0
	for k := range e.Samples {
		u, err := c.Target.EnergyGrad(e.grad, c.X)
		if err != nil {
			return fmt.Errorf("sgmcmc: variance of the energy: %w", err)
		}
		d := u - mean
		mean += d / float64(k+1)
		squares += float64(d * (u - mean))
	}
	e.Variance += float64(e.Smoothing * (squares/float64(e.Samples-1) - e.Variance))
	return nil
}

// Weights gives the weight 1 to the first chain and 0 to the others.
func (e *Exchange) Weights(weights []float64) {
	clear(weights)
	weights[0] = 1
}

// MarshalBinary returns the state of the exchange.
func (e *Exchange) MarshalBinary() ([]byte, error) { return state.Save(e.state) }

// UnmarshalBinary restores the state of an exchange with the same ladder.
func (e *Exchange) UnmarshalBinary(b []byte) error {
	if err := state.Restore(b, e.state); err != nil {
		return fmt.Errorf("sgmcmc: restore exchange: %w", err)
	}
	return nil
}

func (e *Exchange) state(c *state.Codec) {
	c.Float64(&e.Variance)
	c.Int("steps", &e.steps, 0, math.MaxInt)
	state.Integer(c, "swaps", &e.swaps, 0, math.MaxInt)
	c.Object(e.Rand)
}
