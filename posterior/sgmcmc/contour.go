package sgmcmc

import (
	"errors"
	"fmt"
	"math"

	"banditsim/internal/check"
	"banditsim/posterior"
)

// A Contour is the state that the chains of one sampler share: a histogram over energy bins that
// flattens the energy landscape. Shared by P chains it makes ICSGLD, with one chain CSGLD.
type Contour interface {
	// Meet updates the contour by the energies of all chains, none of them NaN, and sets the
	// multiplier of each chain's drift. The first Meet of a Histogram leaves θ as it is: the
	// energies of the starting points are no sample.
	Meet(multipliers, energies []float64)
	// Weights sets the importance weight of each chain in prediction: 1 before the first Meet.
	Weights(weights []float64)
	// State returns θ and the chains' bins (from 1; 0 for none), which belong to the contour.
	State() (theta []float64, bins []int)
}

// ContourOptions are the options of a contour.
type ContourOptions struct {
	// Kind is "off", "paper" (Histogram) or "authors" (AuthorsHistogram).
	Kind string `json:"kind"`
	// Bins is m, the number of energy bins.
	Bins int `json:"bins"`
	// Width is Δu, the width of a bin in energy.
	Width float64 `json:"width"`
	// Start is u₀: bin 1 ends at Start + Width and reaches down to −∞.
	Start float64 `json:"start"`
	// Zeta is ζ, the strength of the flattening.
	Zeta float64 `json:"zeta"`
	// Omega is ω, the step size of the histogram's stochastic approximation. It falls as ω_k =
	// min(ω, 1/(k^OmegaExponent + OmegaOffset)) at the k-th update of θ; both 0 leave it
	// constant.
	Omega         float64 `json:"omega"`
	OmegaExponent float64 `json:"omega_exponent"`
	OmegaOffset   float64 `json:"omega_offset"`
	// Overflow is where an energy above the last bin falls: "skip" (no bin) or "lastbin".
	Overflow string `json:"overflow"`
	// Field is the random field of θ: "theta" (ICSGLD) or "theta^zeta" (the original CSGLD).
	Field string `json:"field"`
	// Difference is the neighbor with which the multiplier compares bin J: "backward" (J−1, the
	// paper's) or "forward" (J+1).
	Difference string `json:"difference"`
	// Energy is what is binned: "batch", the energy of the chain's batch, or "reduced", the
	// variance-reduced estimator of the same mean.
	Energy string `json:"energy"`
	// EnergyRefresh is q: the reduced estimator takes a new reference every q steps.
	EnergyRefresh int `json:"energy_refresh"`
	// Weights is "theta" (θ(J)^ζ + WeightRegularizer) or "psi" (Ψ_θ(Û)^ζ).
	Weights string `json:"weights"`
	// WeightRegularizer is added to the weights θ(J)^ζ.
	WeightRegularizer float64 `json:"weight_regularizer"`
	// ThetaWarmup is the share of all rounds that must have ended before θ changes.
	ThetaWarmup float64 `json:"theta_warmup"`
	// Range is where the bins are: by Start and Width, or "auto" (ranging: over the energies seen).
	Range string `json:"range,omitzero"`
	// Gain is κ = ζτ/Δu with the range auto, which does not use Zeta, Start and Width.
	Gain float64 `json:"gain,omitzero"`
	// Limit keeps the multiplier between 1 − Limit and 1 + Limit, with the range auto.
	Limit float64 `json:"limit,omitzero"`
}

// Unused returns the options that have no effect: all of a contour that is off.
func (o ContourOptions) Unused() []string {
	if o.Kind == "off" {
		return []string{
			"bins", "width", "start", "zeta", "omega", "omega_exponent", "omega_offset", "overflow", "field", "difference",
			"energy", "energy_refresh", "weights", "weight_regularizer", "theta_warmup", "range", "gain", "limit",
		}
	}
	var list []string
	if o.Energy == "batch" {
		list = append(list, "energy_refresh")
	}
	if o.Range == "auto" {
		return append(list, "width", "start", "zeta")
	}
	return append(list, "gain", "limit")
}

// DefaultContour returns the options of the paper's mushroom experiment, switched off.
func DefaultContour() ContourOptions {
	return ContourOptions{
		Kind: "off", Bins: 100, Width: 10, Zeta: 20, Omega: 0.03,
		Overflow: "skip", Field: "theta", Difference: "backward", Energy: "batch", EnergyRefresh: 64,
		Weights: "theta", WeightRegularizer: 1e-3, ThetaWarmup: 0.1,
	}
}

// warmingUp reports whether θ stays unchanged in this round. As in the authors' program, the
// rounds that had ended before this one count.
func (o *ContourOptions) warmingUp(ended, rounds int) bool {
	return float64(ended) <= o.ThetaWarmup*float64(rounds)
}

// New returns the contour for a number of chains at temperature τ, nil if it is off.
func (c *ContourOptions) New(temperature float64, chains int) (Contour, error) {
	switch c.Kind {
	case "paper":
		if c.Range == "auto" {
			return newRanging(*c, temperature, chains)
		}
		return NewHistogram(*c, temperature, chains)
	case "authors":
		return NewAuthorsHistogram(*c, temperature, chains)
	}
	if err := check.OneOf("contour.kind", c.Kind, "off", "paper", "authors"); err != nil {
		return nil, fmt.Errorf("sgmcmc: %w", err)
	}
	return nil, nil
}

// startRound starts a round of a contour that depends on rounds.
func startRound(c Contour, ended, rounds int) {
	if r, ok := c.(posterior.RoundStarter); ok {
		r.StartRound(ended, rounds)
	}
}

// of returns the options as those of a kind. It validates them.
func (c ContourOptions) of(kind string, temperature float64, chains int) (ContourOptions, error) {
	c.Kind = kind
	if err := c.validate(temperature, chains); err != nil {
		return c, fmt.Errorf("sgmcmc: %w", err)
	}
	return c, nil
}

// maxBins bounds the memory of θ.
const maxBins = 1_000_000

// validate returns an error that names the first option that is out of range.
func (c *ContourOptions) validate(temperature float64, chains int) error {
	checks := []error{
		check.Within("contour.bins", c.Bins, 2, maxBins),
		check.Positive("contour.width", c.Width),
		check.Finite("contour.start", c.Start),
		check.Finite("contour.width: the end of the last bin", c.Start+float64(float64(c.Bins)*c.Width)),
		check.NotNegative("contour.zeta", c.Zeta),
		check.NotNegative("contour.omega", c.Omega),
		check.NotNegative("contour.omega_exponent", c.OmegaExponent),
		check.NotNegative("contour.omega_offset", c.OmegaOffset),
		check.OneOf("contour.overflow", c.Overflow, "skip", "lastbin"),
		check.OneOf("contour.field", c.Field, "theta", "theta^zeta"),
		check.OneOf("contour.difference", c.Difference, "backward", "forward"),
		check.OneOf("contour.energy", c.Energy, "batch", "reduced"),
		check.Within("contour.energy_refresh", c.EnergyRefresh, 1, check.MaxSteps),
		check.OneOf("contour.weights", c.Weights, "theta", "psi"),
		check.NotNegative("contour.weight_regularizer", c.WeightRegularizer),
		check.NotNegative("contour.theta_warmup", c.ThetaWarmup),
		check.NotNegative("contour.gain", c.Gain),
		check.NotNegative("contour.limit", c.Limit),
		check.NotNegative("temperature", temperature),
		check.Within("chains", chains, 1, math.MaxInt),
	}
	if n := float64(chains) * float64(c.Bins); n > check.MaxNumbers {
		checks = append(checks, fmt.Errorf("contour.bins: %d for each of %d chains, want at most %.0f in all", c.Bins, chains, check.MaxNumbers))
	}
	if c.Omega >= 1 {
		checks = append(checks, fmt.Errorf("contour.omega: %g, want below 1: θ must stay positive", c.Omega))
	}
	if c.Kind == "authors" && (c.Start != 0 || c.Overflow != "skip" || c.Field != "theta" || c.Difference != "backward" ||
		c.Weights != "theta" || c.OmegaExponent != 0 || c.OmegaOffset != 0) {
		checks = append(checks, fmt.Errorf("contour.kind: authors has start 0, a constant omega, overflow skip, field theta, difference backward and weights theta only"))
	}
	switch {
	case c.Range != "" && c.Range != "auto":
		checks = append(checks, fmt.Errorf("contour.range: %q, want auto, or none: by start and width", c.Range))
	case c.Range == "" && (c.Gain != 0 || c.Limit != 0):
		checks = append(checks, errors.New("contour.gain and contour.limit: they go with the range auto; with start and width the gain is zeta·temperature/width"))
	case c.Range == "auto" && c.Kind == "authors":
		checks = append(checks, errors.New("contour.range: auto goes with the kind paper, not authors"))
	}
	if slope := c.Zeta * temperature / c.Width; math.IsInf(slope, 0) {
		checks = append(checks, fmt.Errorf("contour.width: %g is too small for zeta %g and temperature %g: ζτ/Δu is not finite", c.Width, c.Zeta, temperature))
	}
	return check.First(checks...)
}
