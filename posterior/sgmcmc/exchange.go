package sgmcmc

import (
	"cmp"
	"fmt"
	"math"

	"banditsim/bandit/stream"
	"banditsim/internal/check"
	"banditsim/internal/kernel"
	"banditsim/internal/moments"
	"banditsim/internal/state"
	"banditsim/posterior"
)

// exchange is the part of Langevin and Underdamped that swaps positions: see NewExchange.
type exchange struct {
	LadderOptions
	ladder []Rung // chain by chain, the coldest first
	// variance is σ² of NewExchange. Every EstimateEvery steps (never if EstimateEvery is 0, in tests only) it is
	// estimated anew at the position of the first chain, and then variance ← variance + smoothing·(estimate − variance).
	variance, smoothing float64
	rand                *stream.Stream
	// moved, if not nil, is called for each chain whose position was swapped, with its old and present gradients.
	moved func(i int, old, now []float32)

	steps  int
	swaps  int64
	grad   []float32   // scratch
	before [][]float32 // gradients before the swaps
}

// A Rung has the learning rate and the temperature of one chain, divided by those of the sampler.
type Rung struct {
	Rate        float64 `json:"rate"`
	Temperature float64 `json:"temperature"`
}

// Ladder returns one rung per chain. The factors change geometrically from 1 to rate and temperature, both above 0.
func Ladder(chains int, rate, temperature float64) []Rung {
	ladder := make([]Rung, chains)
	for i := range ladder {
		part := float64(i) / float64(max(chains-1, 1))
		ladder[i] = Rung{kernel.Exp(part * kernel.Log(rate)), kernel.Exp(part * kernel.Log(temperature))}
	}
	return ladder
}

// NewExchange returns Langevin with replica exchange (Deng et al., Non-convex Learning via Replica Exchange Stochastic
// Gradient MCMC, ICML 2020), with one rung of the ladder for each chain. Chain i has a temperature τ_i of its own, the
// first chain the lowest. After each SwapEvery-th evaluation each pair of neighbors swaps with probability min(1, S),
//
//	log S = (1/τ_i − 1/τ_{i+1})·(Û_i − Û_{i+1} − (1/τ_i − 1/τ_{i+1})·σ²/F)
//
// where σ² is the variance of the noise of one energy, and F is the option correction. Without the term in σ², swaps
// would be too frequent: normal noise of variance v in log S multiplies E[S] by exp(v/2). Here v = 2σ²·(1/τ_i −
// 1/τ_{i+1})², and with F = 1 the term subtracts v/2, so that E[S] is right. Û includes the penalty of a target that
// has one, because the density does. Only the first chain samples the target; the weights of the others are 0.
//
// A swap moves positions, with their energies and gradients; the preconditioner's V and the noise stream stay with the
// rung. σ² starts at the argument variance, and an estimate changes it by smoothing·(estimate − σ²), with smoothing
// above 0 and at most 1. If ladder is nil, Ladder makes it from the factors in o. NewExchange validates its arguments.
func NewExchange(o ExchangeOptions, ladder []Rung, variance, smoothing float64, u Setup) (*Langevin, error) {
	if err := check.OneOf("contour.kind", o.Contour.Kind, "off"); err != nil {
		return nil, fmt.Errorf("sgmcmc: %w", err)
	}
	e, err := o.LadderOptions.exchange(o.Temperature, ladder, variance, smoothing, u)
	if err != nil {
		return nil, err
	}
	s, err := NewLangevin(o.LangevinOptions, u)
	if err == nil {
		s.exchange = e
	}
	return s, err
}

// exchange returns the exchange of NewExchange for a sampler with the given temperature. It validates its arguments.
func (o LadderOptions) exchange(temperature float64, ladder []Rung, variance, smoothing float64, u Setup) (*exchange, error) {
	checks := []error{
		check.Positive("temperature", temperature),
		check.Positive("correction", o.Correction),
		check.Within("chains", u.Chains, 2, check.MaxChains),
		check.Within("swap_every", o.SwapEvery, 1, check.MaxSteps),
		check.Within("estimate_every", o.EstimateEvery, 1, check.MaxSteps),
		check.Within("estimate_samples", o.EstimateSamples, 2, maxSamples),
		check.NotNegative("variance", variance),
		check.Positive("smoothing", smoothing),
		check.That(smoothing <= 1, "smoothing: %g, want at most 1", smoothing),
		check.That(u.Stream != nil, "stream: nil, want one for the swaps"),
	}
	if ladder == nil {
		checks = append(checks, check.Positive("learning_rate_factor", o.LearningRateFactor), check.Positive("temperature_factor", o.TemperatureFactor))
		ladder = Ladder(u.Chains, o.LearningRateFactor, o.TemperatureFactor)
	}
	checks = append(checks, check.Within("ladder: rungs", len(ladder), u.Chains, u.Chains))
	for i, r := range ladder {
		checks = append(checks, check.NotNegative(fmt.Sprintf("ladder[%d].rate", i), r.Rate), check.Positive(fmt.Sprintf("ladder[%d].temperature", i), r.Temperature))
	}
	if err := cmp.Or(checks...); err != nil {
		return nil, fmt.Errorf("sgmcmc: %w", err)
	}
	return &exchange{LadderOptions: o, ladder: ladder, variance: variance, smoothing: smoothing, rand: u.Stream.Child("exchange")}, nil
}

// swap counts a step. In every EstimateEvery-th, it updates the variance; in every SwapEvery-th, it then offers swaps.
func (e *exchange) swap(chains []posterior.Chain, temperature float64) error {
	e.steps++
	if e.EstimateEvery > 0 && e.steps%e.EstimateEvery == 0 {
		if err := e.estimate(&chains[0]); err != nil {
			return err
		}
	}
	if e.steps%e.SwapEvery != 0 {
		return nil
	}
	e.before = e.before[:0]
	for i := range chains {
		e.before = append(e.before, chains[i].Grad)
	}
	for i := range len(chains) - 1 {
		a, b := &chains[i], &chains[i+1]
		d := (1/e.ladder[i].Temperature - 1/e.ladder[i+1].Temperature) / temperature
		u := e.rand.Float64()
		if logS := d * (whole(a) - whole(b) - d*e.variance/e.Correction); kernel.Log(u) < logS {
			a.X, b.X = b.X, a.X
			a.Grad, b.Grad = b.Grad, a.Grad
			a.Energy, b.Energy = b.Energy, a.Energy
			e.swaps++
		}
	}
	for i, old := range e.before {
		if now := chains[i].Grad; e.moved != nil && &now[0] != &old[0] {
			e.moved(i, old, now)
		}
	}
	return nil
}

// whole returns a chain's energy plus its target's penalty.
func whole(c *posterior.Chain) float64 { return c.Energy + penalty(c.Target, c.X) }

// estimate updates the variance of the energy's noise at a chain's position.
func (e *exchange) estimate(c *posterior.Chain) error {
	if e.grad == nil {
		e.grad = make([]float32, len(c.X))
	}
	var m moments.Running
	for range e.EstimateSamples {
		u, err := c.Target.EnergyGrad(e.grad, c.X)
		if err != nil {
			return fmt.Errorf("sgmcmc: variance of the energy: %w", err)
		}
		m.Add(u)
	}
	e.variance += float64(e.smoothing * (m.Squares/(m.N-1) - e.variance))
	return nil
}

func (e *exchange) state(c *state.Codec) {
	c.Float64(&e.variance)
	c.Int("steps", &e.steps, 0, math.MaxInt)
	state.Integer(c, "swaps", &e.swaps, 0, math.MaxInt)
	c.Object(e.rand)
}

// ExchangeOptions are the options of ReSGLD.
type ExchangeOptions struct {
	LangevinOptions
	LadderOptions
}

// LadderOptions are the options of replica exchange.
type LadderOptions struct {
	LearningRateFactor float64 `json:"learning_rate_factor"` // learning rate of the last chain divided by that of the first; geometric from chain to chain
	TemperatureFactor  float64 `json:"temperature_factor"`   // temperature of the last chain divided by that of the first; geometric from chain to chain
	// Correction divides the term by which swaps allow for energy noise (F of sgmcmc.NewExchange); 1 is right on average.
	Correction float64 `json:"correction"`
	// SwapEvery is the number of steps between two attempts to swap.
	SwapEvery int `json:"swap_every"`
	// EstimateEvery is the number of steps between two estimates of the energy's variance, each from EstimateSamples
	// evaluations. The variance starts at 0, and an estimate changes it by 0.3·(estimate − variance).
	EstimateEvery   int `json:"estimate_every"`
	EstimateSamples int `json:"estimate_samples"`
}

// varianceSmoothing is the weight of the newest estimate of the energy's variance. With the default 8 samples, an
// estimate has a relative standard error of √(2/7) = 53 %, which smoothing reduces by the factor √(0.3/1.7) to 22 %.
const varianceSmoothing = 0.3

// maxSamples is the largest number of evaluations in an estimate.
const maxSamples = 10_000

// ReSGLD is replica exchange SGLD, preconditioned: Langevin with an exchange. By default the last chain
// has ten times the temperature of the first.
func ReSGLD() Method[ExchangeOptions] {
	return Method[ExchangeOptions]{
		Name: "reSGLD", Doc: "replica exchange SGLD",
		Defaults: func() ExchangeOptions {
			return ExchangeOptions{PSGLD().Defaults(), LadderOptions{
				LearningRateFactor: 2, TemperatureFactor: 10, Correction: 1, SwapEvery: 1, EstimateEvery: 100, EstimateSamples: 8,
			}}
		},
		Small: func(o ExchangeOptions) ExchangeOptions {
			o.LangevinOptions = o.LangevinOptions.Small()
			return o
		},
		New: func(o ExchangeOptions, u Setup) (posterior.Sampler, error) {
			return NewExchange(o, nil, 0, varianceSmoothing, u)
		},
		Checked: func(o LangevinOptions) ExchangeOptions { return ExchangeOptions{o, checkedLadder()} },
		Claims:  exchangeClaims(),
	}
}

func checkedLadder() LadderOptions {
	return LadderOptions{
		LearningRateFactor: hottestRate, TemperatureFactor: hottestTemperature, Correction: 1,
		SwapEvery: 1, EstimateEvery: 100, EstimateSamples: 2,
	}
}

// The ladder of the checks.
const (
	rungs              = 3
	hottestRate        = 1.25
	hottestTemperature = 2
)

// exchangeClaims are the claims of ReSGLD. Swaps mix chains of different step sizes, so that there is no closed form.
// As ε → 0, the coldest chain samples the density.
func exchangeClaims() Claims {
	c := langevinClaims(true)
	c.ZeroTemperature, c.Chains, c.Coupled = false, rungs, true
	c.Variance, c.Autocorrelation = nil, nil
	return c
}
