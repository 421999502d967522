package neural

import (
	"fmt"

	"banditsim/internal/check"
	"banditsim/posterior"
	"banditsim/posterior/sgmcmc"
)

// SGHMCOptions are the options of a posterior that sgmcmc.SGHMC samples.
type SGHMCOptions struct {
	NetworkOptions
	LearningRate float64 `json:"learning_rate"`       // step size, ε
	Decay        float64 `json:"learning_rate_decay"` // factor of the learning rate before each training round
	Friction     float64 `json:"friction"`            // friction, c
	Temperature  float64 `json:"temperature"`         // temperature, τ
}

// SGHMC has εc = 0.09, and the ε/c of ConstSGD.
var SGHMC = posterior.Kind[SGHMCOptions]{
	Name: sgmcmc.MethodSGHMC.Name, Doc: sgmcmc.MethodSGHMC.Doc + ": 4 chains",
	Defaults: func() SGHMCOptions {
		return SGHMCOptions{NetworkOptions: paperNetwork(), LearningRate: 3e-4, Decay: 1, Friction: 300, Temperature: 0.3}
	},
	New:    SGHMCOptions.New,
	Claims: networkClaims,
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
		checks = append(checks, fmt.Errorf("friction: learning_rate times friction is %g, want at most 1: above it the friction reverses the momentum", loss))
	}
	return check.First(checks...)
}

// New returns the posterior before training.
func (o SGHMCOptions) New(setup posterior.Setup) (posterior.Posterior, error) {
	if err := o.Validate(); err != nil {
		return nil, fmt.Errorf("neural: %w", err)
	}
	return NewNetwork(o.NetworkOptions, setup, func(u sgmcmc.Setup) (posterior.Sampler, error) {
		u.LearningRate, u.Decay, u.Temperature = o.LearningRate, o.Decay, o.Temperature
		return sgmcmc.NewSGHMC(u, o.Friction), nil
	})
}

// Small returns small options.
func (o SGHMCOptions) Small() SGHMCOptions {
	o.small()
	o.LearningRate, o.Friction = 1e-2, 50
	return o
}
