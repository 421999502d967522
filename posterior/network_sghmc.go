package posterior

import (
	"fmt"

	"banditsim/internal/check"
)

// SGHMCOptions describe a posterior that SGHMC samples.
type SGHMCOptions struct {
	NetworkOptions
	LearningRate float64 `json:"learning_rate"`       // ε
	Decay        float64 `json:"learning_rate_decay"` // factor of ε before each training round
	Friction     float64 `json:"friction"`            // c
	Temperature  float64 `json:"temperature"`         // τ
}

// Validate returns an error that names the first option that is out of range.
func (o *SGHMCOptions) Validate() error {
	checks := []error{
		o.NetworkOptions.validate(),
		check.NotNegative("learning_rate", o.LearningRate),
		check.Positive("learning_rate_decay", o.Decay),
		check.NotNegative("temperature", o.Temperature),
		check.NotNegative("friction", o.Friction),
	}
	if loss := o.LearningRate * o.Friction; loss > 1 {
		checks = append(checks, fmt.Errorf("friction: learning_rate times friction is %g, want at most 1: more would turn the momentum round", loss))
	}
	return check.First(checks...)
}

// New returns the posterior that the options describe, with untrained chains.
func (o SGHMCOptions) New(setup Setup) (*Network, error) {
	if err := o.Validate(); err != nil {
		return nil, fmt.Errorf("posterior: %w", err)
	}
	return NewNetwork(o.NetworkOptions, setup, func(noise []Normals, setup Setup) (Sampler, error) {
		return &SGHMC{
			LearningRate: o.LearningRate, Decay: o.Decay, Friction: o.Friction, Temperature: o.Temperature,
			Noise: noise, Parallel: setup.Parallel,
		}, nil
	})
}
