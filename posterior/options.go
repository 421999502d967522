package posterior

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// NetworkOptions describe the posterior over a network: everything that it
// needs besides the environment and the random streams. Every field is taken as it is:
// no zero stands for a default. Symbols are those of the paper.
type NetworkOptions struct {
	Hidden         []int                 `json:"hidden"`              // widths of the hidden layers
	Chains         int                   `json:"chains"`              // P
	Steps          int                   `json:"steps"`               // gradient steps a chain in each training round
	Batch          int                   `json:"batch"`               // n, rows a gradient step
	Buffer         int                   `json:"buffer"`              // rows that the replay buffer holds
	TrainAfter     int                   `json:"train_after"`         // training starts with more rows than this in the buffer
	DataSize       float64               `json:"data_size"`           // N, the scale of the energy
	LearningRate   float64               `json:"learning_rate"`       // ε
	Decay          float64               `json:"learning_rate_decay"` // factor of ε before each training round
	Temperature    float64               `json:"temperature"`         // τ
	WeightDecay    float64               `json:"weight_decay"`        // λ
	Preconditioner PreconditionerOptions `json:"preconditioner"`
	Contour        ContourOptions        `json:"contour"`
	Dropout        DropoutOptions        `json:"dropout"`
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

// Validate returns an error that names the first option that is out of range.
func (o *NetworkOptions) Validate() error {
	for _, w := range o.Hidden {
		if w < 1 {
			return fmt.Errorf("hidden: a layer of width %d, want at least 1", w)
		}
	}
	c, pre := &o.Contour, &o.Preconditioner
	checks := []error{
		atLeast("chains", o.Chains, 1),
		atLeast("steps", o.Steps, 0),
		atLeast("batch", o.Batch, 1),
		atLeast("buffer", o.Buffer, 1),
		atLeast("train_after", o.TrainAfter, 0),
		positive("data_size", o.DataSize),
		notNegative("learning_rate", o.LearningRate),
		positive("learning_rate_decay", o.Decay),
		notNegative("temperature", o.Temperature),
		notNegative("weight_decay", o.WeightDecay),
		oneOf("preconditioner.kind", pre.Kind, "off", "rmsprop"),
		oneOf("contour.kind", c.Kind, "off", "paper", "authors"),
		atLeast("dropout.train_samples", o.Dropout.TrainSamples, 1),
		atLeast("dropout.samples", o.Dropout.Samples, 1),
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
	if pre.Kind == "rmsprop" {
		checks = append(checks, positive("preconditioner.rho", pre.Rho), positive("preconditioner.scale", pre.Scale))
		if !(pre.Alpha >= 0 && pre.Alpha <= 1) {
			checks = append(checks, fmt.Errorf("preconditioner.alpha: %g, want 0 to 1", pre.Alpha))
		}
	}
	if c.Kind != "off" {
		checks = append(checks, c.validate()...)
	}
	for _, err := range checks {
		if err != nil {
			return err
		}
	}
	return nil
}

func (c *ContourOptions) validate() []error {
	checks := []error{
		atLeast("contour.bins", c.Bins, 2),
		positive("contour.width", c.Width),
		finite("contour.start", c.Start),
		notNegative("contour.zeta", c.Zeta),
		notNegative("contour.omega", c.Omega),
		oneOf("contour.overflow", c.Overflow, "skip", "lastbin"),
		oneOf("contour.field", c.Field, "theta", "theta^zeta"),
		oneOf("contour.weights", c.Weights, "theta", "psi"),
		notNegative("contour.weight_regularizer", c.WeightRegularizer),
		notNegative("contour.theta_warmup", c.ThetaWarmup),
	}
	if c.Omega >= 1 {
		checks = append(checks, fmt.Errorf("contour.omega: %g, want below 1: θ must stay positive", c.Omega))
	}
	if c.Kind == "authors" && (c.Start != 0 || c.Overflow != "skip" || c.Field != "theta" || c.Weights != "theta") {
		checks = append(checks, fmt.Errorf("contour.kind: authors has start 0, overflow skip, field theta and weights theta only"))
	}
	return checks
}

func atLeast(key string, v, low int) error {
	if v < low {
		return fmt.Errorf("%s: %d, want at least %d", key, v, low)
	}
	return nil
}

func finite(key string, v float64) error {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return fmt.Errorf("%s: %g, want a finite number", key, v)
	}
	return nil
}

func notNegative(key string, v float64) error {
	if !(v >= 0) || math.IsInf(v, 0) {
		return fmt.Errorf("%s: %g, want a finite number of at least 0", key, v)
	}
	return nil
}

func positive(key string, v float64) error {
	if !(v > 0) || math.IsInf(v, 0) {
		return fmt.Errorf("%s: %g, want a finite number above 0", key, v)
	}
	return nil
}

func oneOf(key, v string, allowed ...string) error {
	if !slices.Contains(allowed, v) {
		return fmt.Errorf("%s: %q, want one of %s", key, v, strings.Join(allowed, ", "))
	}
	return nil
}
