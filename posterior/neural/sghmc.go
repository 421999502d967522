package neural

import (
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

// New returns the posterior before training.
func (o SGHMCOptions) New(setup posterior.Setup) (posterior.Posterior, error) {
	return o.network(setup, sgmcmc.NewSGHMC)
}

// network returns the network of a sampler with friction.
func (o SGHMCOptions) network(setup posterior.Setup, build func(sgmcmc.Setup, float64) (*sgmcmc.SGHMC, error)) (*Network, error) {
	return NewNetwork(o.NetworkOptions, setup, func(u sgmcmc.Setup) (posterior.Sampler, error) {
		u.LearningRate, u.Decay, u.Temperature = o.LearningRate, o.Decay, o.Temperature
		return build(u, o.Friction)
	})
}

// Small returns small options.
func (o SGHMCOptions) Small() SGHMCOptions {
	o.small()
	o.LearningRate, o.Friction = 1e-2, 50
	return o
}
