package sgmcmc

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"banditsim/internal/check"
	"banditsim/internal/state"
)

// A Contour is the state that the chains of one sampler share: a histogram θ over energy bins, which flattens the
// energy landscape. Langevin with a contour is CSGLD for one chain, and ICSGLD for several.
type Contour interface {
	// Meet updates the contour by the energies of all chains, none of which may be NaN, and sets the multiplier of each
	// chain's drift. The first Meet of a Histogram does not change θ: the energies of starting points are no sample.
	Meet(multipliers, energies []float64)
	// Weights writes the importance weight of each chain in prediction to weights: 1 before the first Meet.
	Weights(weights []float64)
	// State returns θ and the bin of each chain (from 1; 0: out of range). Both slices belong to the contour.
	State() (theta []float64, bins []int)
}

// ContourOptions are the options of a contour.
type ContourOptions struct {
	Kind  string  `json:"kind"`  // "off", "paper" (Histogram) or "authors" (as the authors' program computes it)
	Bins  int     `json:"bins"`  // number of energy bins, m
	Width float64 `json:"width"` // width of a bin in energy, Δu
	Start float64 `json:"start"` // u₀: bin 1 ends at Start + Width and reaches down to −∞
	Zeta  float64 `json:"zeta"`  // strength of the flattening, ζ
	// Omega is ω, the step size of the histogram's stochastic approximation. The k-th update of θ uses ω_k = min(ω,
	// 1/(k^OmegaExponent + OmegaOffset)). It is the same for all k if OmegaExponent is 0, and ω if both are 0.
	Omega         float64 `json:"omega"`
	OmegaExponent float64 `json:"omega_exponent"`
	OmegaOffset   float64 `json:"omega_offset"`
	Overflow      string  `json:"overflow"` // where an energy above the last bin falls: "skip" (no bin) or "lastbin"
	Field         string  `json:"field"`    // a visit changes θ in proportion to its bin's θ ("theta") or θ^ζ ("theta^zeta", as in the original CSGLD)
	// Difference is what the multiplier compares with a chain's bin J: "backward" (J−1, the paper's) or "forward" (J+1).
	Difference string `json:"difference"`
	// Energy is the energy that is binned: "batch" (of the chain's batch) or "reduced" (same mean, less variance).
	Energy        string `json:"energy"`
	EnergyRefresh int    `json:"energy_refresh"` // steps after which "reduced" renews its control variate, q
	// Weights is how a chain in bin J is weighted: "theta" (θ(J)^ζ + WeightRegularizer) or "psi" (Ψ_θ(Û)^ζ, see
	// sgmcmc.Histogram.LogPsi).
	Weights           string  `json:"weights"`
	WeightRegularizer float64 `json:"weight_regularizer"` // added to the weights θ(J)^ζ
	ThetaWarmup       float64 `json:"theta_warmup"`       // share of the trial's rounds that must have ended before θ changes
	Range             string  `json:"range,omitzero"`     // "auto" places the bins over the energies seen; by default Start and Width place them
	Gain              float64 `json:"gain,omitzero"`      // κ = ζτ/Δu with the range auto, which does not use Zeta, Start and Width
	Limit             float64 `json:"limit,omitzero"`     // bound of the multiplier's distance from 1, with the range auto
}

// Unused returns the options that have no effect; if the contour is off, all but Kind.
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

// off has the options of a sampler without a contour.
var off = ContourOptions{Kind: "off"}

// DefaultContour returns the options of the paper's mushroom experiment, switched off.
func DefaultContour() ContourOptions {
	return ContourOptions{
		Kind: "off", Bins: 100, Width: 10, Zeta: 20, Omega: 0.03,
		Overflow: "skip", Field: "theta", Difference: "backward", Energy: "batch", EnergyRefresh: 64,
		Weights: "theta", WeightRegularizer: 1e-3, ThetaWarmup: 0.1,
	}
}

// contour returns a contour with the options, which it validates, or nil without validation if the kind is off.
func (u *Setup) contour(o ContourOptions, temperature float64) (c Contour, err error) {
	switch o.Kind {
	case "off":
		return nil, nil
	case "paper":
		h, e := NewHistogram(o, temperature, u.Chains)
		if c, err = h, e; err == nil && u.Theta != nil {
			err = h.setTheta(u.Theta)
		}
		if err == nil && o.Range == "auto" {
			c = newRanging(h, temperature)
		}
	case "authors":
		c, err = newAuthors(o, temperature, u.Chains)
	default:
		err = fmt.Errorf("sgmcmc: %w", check.OneOf("contour.kind", o.Kind, "off", "paper", "authors"))
	}
	switch {
	case err != nil:
		return nil, err
	case o.Bins > maxTrialBins:
		return nil, fmt.Errorf("sgmcmc: %w", check.Within("contour.bins", o.Bins, 2, maxTrialBins))
	case o.Energy == "reduced" && u.ReduceEnergy == nil:
		return nil, errors.New("sgmcmc: contour.energy: reduced, but the target has no such energy: want batch")
	case o.Energy == "reduced":
		u.ReduceEnergy(o.EnergyRefresh)
	}
	return c, nil
}

// maxBins bounds the memory of θ, maxTrialBins the length of the line of a trial file that stores θ.
const (
	maxBins      = 1_000_000
	maxTrialBins = 100_000
)

// binned is what both kinds of energy histogram have in common: the options and the bins of the chains.
type binned struct {
	state.Fields
	o      ContourOptions // valid
	bins   []int          // bin of each chain, from 1; 0: out of range
	frozen bool           // θ does not change
}

// newBinned returns the bins of a number of chains. It validates the options as if o.Kind were the argument kind.
func newBinned(kind string, o ContourOptions, temperature float64, chains int) (binned, error) {
	o.Kind = kind
	if err := o.validate(temperature, chains); err != nil {
		return binned{}, fmt.Errorf("sgmcmc: %w", err)
	}
	return binned{o: o, bins: make([]int, chains)}, nil
}

// StartRound lets θ change if more than the share ThetaWarmup of all rounds has ended, as in the authors' program.
func (b *binned) StartRound(ended, rounds int) {
	b.frozen = float64(ended) <= b.o.ThetaWarmup*float64(rounds)
}

// assign sets b.bins to the bins of the energies. It panics unless there is one energy for each chain.
func (b *binned) assign(energies []float64, bin func(float64) int) {
	if len(energies) != len(b.bins) {
		panic(fmt.Sprintf("sgmcmc: a contour for %d chains got %d energies", len(b.bins), len(energies)))
	}
	for p, energy := range energies {
		b.bins[p] = bin(energy)
	}
}

// validate returns an error that names the first option that is out of range.
func (o *ContourOptions) validate(temperature float64, chains int) error {
	return cmp.Or(
		check.Within("contour.bins", o.Bins, 2, maxBins),
		check.Positive("contour.width", o.Width),
		check.Finite("contour.start", o.Start),
		check.Finite("contour.width: the end of the last bin", o.Start+float64(float64(o.Bins)*o.Width)),
		check.NotNegative("contour.zeta", o.Zeta),
		check.NotNegative("contour.omega", o.Omega),
		check.NotNegative("contour.omega_exponent", o.OmegaExponent),
		check.NotNegative("contour.omega_offset", o.OmegaOffset),
		check.OneOf("contour.overflow", o.Overflow, "skip", "lastbin"),
		check.OneOf("contour.field", o.Field, "theta", "theta^zeta"),
		check.OneOf("contour.difference", o.Difference, "backward", "forward"),
		check.OneOf("contour.energy", o.Energy, "batch", "reduced"),
		check.Within("contour.energy_refresh", o.EnergyRefresh, 1, check.MaxSteps),
		check.OneOf("contour.weights", o.Weights, "theta", "psi"),
		check.NotNegative("contour.weight_regularizer", o.WeightRegularizer),
		check.NotNegative("contour.theta_warmup", o.ThetaWarmup),
		check.NotNegative("contour.gain", o.Gain),
		check.NotNegative("contour.limit", o.Limit),
		check.NotNegative("temperature", temperature),
		check.Within("chains", chains, 1, math.MaxInt),
		check.That(float64(chains)*float64(o.Bins) <= check.MaxNumbers, "contour.bins: %d for each of %d chains, want at most %.0f in all", o.Bins, chains, check.MaxNumbers),
		check.That(o.Omega < 1, "contour.omega: %g, want below 1: θ must stay positive", o.Omega),
		check.That(o.Kind != "authors" || o.Start == 0 && o.OmegaExponent == 0 && o.OmegaOffset == 0 &&
			[4]string{o.Overflow, o.Field, o.Difference, o.Weights} == [4]string{"skip", "theta", "backward", "theta"},
			"contour.kind: authors has start 0, a constant omega, overflow skip, field theta, difference backward and weights theta only"),
		check.That(o.Range == "" || o.Range == "auto", "contour.range: %q, want auto, or none: by start and width", o.Range),
		check.That(o.Range != "" || o.Gain == 0 && o.Limit == 0,
			"contour.gain and contour.limit: they go with the range auto; with start and width the gain is zeta·temperature/width"),
		check.That(o.Range != "auto" || o.Gain > 0 && o.Limit > 0,
			"contour.gain, contour.limit: %g and %g, want above 0 with the range auto, such as 0.6 and 0.9; kind off is without a contour", o.Gain, o.Limit),
		check.That(o.ThetaWarmup < 1, "contour.theta_warmup: %g, want below 1: it is a share of the rounds, and θ would never change", o.ThetaWarmup),
		check.That(o.Range != "auto" || o.Kind != "authors", "contour.range: auto goes with the kind paper, not authors"),
		check.That(!math.IsInf(o.Zeta*temperature/o.Width, 0),
			"contour.width: %g is too small for zeta %g and temperature %g: ζτ/Δu is not finite", o.Width, o.Zeta, temperature),
	)
}
