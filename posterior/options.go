package posterior

import (
	"fmt"
	"math"

	"banditsim/internal/check"
)

// NetworkOptions are what all posteriors over networks have in common. Every
// field is taken as it is: no zero stands for a default. Symbols are those of the
// paper. Out of range is told by name; what a chain needs of memory is bounded in
// all by check.MaxNumbers.
type NetworkOptions struct {
	Hidden      []int          `json:"hidden"`       // widths of the hidden layers
	Chains      int            `json:"chains"`       // P
	Steps       int            `json:"steps"`        // gradient steps a chain in each training round
	Batch       int            `json:"batch"`        // n, rows a gradient step
	Buffer      int            `json:"buffer"`       // rows that the replay buffer holds
	TrainAfter  int            `json:"train_after"`  // training starts with more rows than this in the buffer
	DataSize    float64        `json:"data_size"`    // N, the scale of the energy
	WeightDecay float64        `json:"weight_decay"` // λ
	Dropout     DropoutOptions `json:"dropout"`
}

// LangevinOptions describe a posterior that Langevin samples, with the parts
// that it switches on.
type LangevinOptions struct {
	NetworkOptions
	LearningRate   float64               `json:"learning_rate"`       // ε
	Decay          float64               `json:"learning_rate_decay"` // factor of ε before each training round
	Temperature    float64               `json:"temperature"`         // τ
	Preconditioner PreconditionerOptions `json:"preconditioner"`
	Contour        ContourOptions        `json:"contour"`
}

// PreconditionerOptions describe the RMSProp preconditioner.
type PreconditionerOptions struct {
	Kind       string  `json:"kind"`       // "off" or "rmsprop"
	Alpha      float64 `json:"alpha"`      // α
	Rho        float64 `json:"rho"`        // ρ
	Scale      float64 `json:"scale"`      // s
	Multiplied bool    `json:"multiplied"` // V learns from the multiplied gradient
}

// DropoutOptions describe dropout behind the last hidden layer.
type DropoutOptions struct {
	Rate         float64 `json:"rate"`          // 0: off
	TrainSamples int     `json:"train_samples"` // masks averaged in a training step
	Samples      int     `json:"samples"`       // masks averaged in a prediction
}

// The largest values of options, far above all use.
const (
	maxWidth   = 1_000_000 // of a hidden layer
	maxRows    = 10_000_000
	maxBins    = 1_000_000
	maxSamples = 10_000 // masks of dropout
)

// validate returns an error that names the first option that is out of range.
func (o *NetworkOptions) validate() error {
	for _, w := range o.Hidden {
		if err := check.Within("hidden: a layer's width", w, 1, maxWidth); err != nil {
			return err
		}
	}
	checks := []error{
		check.Within("chains", o.Chains, 1, check.MaxChains),
		check.Within("steps", o.Steps, 0, check.MaxSteps),
		check.Within("batch", o.Batch, 1, maxRows),
		check.Within("buffer", o.Buffer, 1, maxRows),
		check.Within("train_after", o.TrainAfter, 0, maxRows),
		check.Positive("data_size", o.DataSize),
		check.NotNegative("weight_decay", o.WeightDecay),
		check.Within("dropout.train_samples", o.Dropout.TrainSamples, 1, maxSamples),
		check.Within("dropout.samples", o.Dropout.Samples, 1, maxSamples),
	}
	if o.TrainAfter >= o.Buffer {
		checks = append(checks, fmt.Errorf("train_after: %d rows never fit a buffer of %d: training would not start", o.TrainAfter+1, o.Buffer))
	}
	if !(o.Dropout.Rate >= 0 && o.Dropout.Rate < 1) {
		checks = append(checks, fmt.Errorf("dropout.rate: %g, want at least 0 and below 1", o.Dropout.Rate))
	}
	if o.Dropout.Rate > 0 && len(o.Hidden) == 0 {
		checks = append(checks, fmt.Errorf("dropout.rate: %g, but there is no hidden layer to drop units of", o.Dropout.Rate))
	}
	return check.First(checks...)
}

// Validate returns an error that names the first option that is out of range.
func (o *LangevinOptions) Validate() error {
	checks := []error{
		o.NetworkOptions.validate(),
		check.NotNegative("learning_rate", o.LearningRate),
		check.Positive("learning_rate_decay", o.Decay),
		check.NotNegative("temperature", o.Temperature),
		o.Preconditioner.validate(),
		o.Contour.validate(o.Temperature),
	}
	if n := float64(o.Chains) * float64(o.Contour.Bins); o.Contour.Kind != "off" && n > check.MaxNumbers {
		checks = append(checks, fmt.Errorf("contour.bins: %d for each of %d chains, want at most %.0f in all", o.Contour.Bins, o.Chains, check.MaxNumbers))
	}
	return check.First(checks...)
}

func (p *PreconditionerOptions) validate() error {
	if err := check.OneOf("preconditioner.kind", p.Kind, "off", "rmsprop"); err != nil || p.Kind == "off" {
		return err
	}
	checks := []error{check.Positive("preconditioner.rho", p.Rho), check.Positive("preconditioner.scale", p.Scale)}
	if !(p.Alpha >= 0 && p.Alpha <= 1) {
		checks = append(checks, fmt.Errorf("preconditioner.alpha: %g, want 0 to 1", p.Alpha))
	}
	return check.First(checks...)
}

// checkSize returns an error if chains with layers of such widths, inputs first,
// would take more than check.MaxNumbers parameters or activations.
func (o *NetworkOptions) checkSize(widths []int) error {
	parameters, units := 0.0, 0.0
	for i, out := range widths[1:] {
		parameters += (float64(widths[i]) + 1) * float64(out)
		units += float64(out)
	}
	switch {
	case parameters*float64(o.Chains) > check.MaxNumbers:
		return fmt.Errorf("hidden: %d chains of a network with %.0f parameters, want at most %.0f in all", o.Chains, parameters, check.MaxNumbers)
	case units*float64(o.Batch) > check.MaxNumbers:
		return fmt.Errorf("batch: %d rows for a network with %.0f units, want a product of at most %.0f", o.Batch, units, check.MaxNumbers)
	}
	return nil
}

func (c *ContourOptions) validate(temperature float64) error {
	if err := check.OneOf("contour.kind", c.Kind, "off", "paper", "authors"); err != nil || c.Kind == "off" {
		return err
	}
	checks := []error{
		check.Within("contour.bins", c.Bins, 2, maxBins),
		check.Positive("contour.width", c.Width),
		check.Finite("contour.start", c.Start),
		check.Finite("contour.width: the end of the last bin", c.Start+float64(c.Bins)*c.Width),
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
	}
	if c.Omega >= 1 {
		checks = append(checks, fmt.Errorf("contour.omega: %g, want below 1: θ must stay positive", c.Omega))
	}
	if c.Kind == "authors" && (c.Start != 0 || c.Overflow != "skip" || c.Field != "theta" || c.Difference != "backward" ||
		c.Weights != "theta" || c.OmegaExponent != 0 || c.OmegaOffset != 0) {
		checks = append(checks, fmt.Errorf("contour.kind: authors has start 0, a constant omega, overflow skip, field theta, difference backward and weights theta only"))
	}
	if slope := c.Zeta * temperature / c.Width; math.IsInf(slope, 0) {
		checks = append(checks, fmt.Errorf("contour.width: %g is too small for zeta %g and temperature %g: ζτ/Δu is not finite", c.Width, c.Zeta, temperature))
	}
	return check.First(checks...)
}
