package neural

import (
	"banditsim/posterior"
	"banditsim/posterior/sgmcmc"
)

// SVGDOptions are the options of a posterior that sgmcmc.SVGD approximates; the chains are its
// particles.
type SVGDOptions struct {
	NetworkOptions
	LearningRate float64 `json:"learning_rate"`       // step size, ε
	Decay        float64 `json:"learning_rate_decay"` // factor of the learning rate before each training round
	Temperature  float64 `json:"temperature"`         // temperature, τ
	Smoothing    float64 `json:"smoothing"`           // smoothing of the mean square, β
	Rho          float64 `json:"rho"`                 // regularizer of the step, ρ
}

// SVGD has four particles.
var SVGD = posterior.Kind[SVGDOptions]{
	Name: sgmcmc.MethodSVGD.Name, Doc: sgmcmc.MethodSVGD.Doc + ": 4 particles",
	Defaults: func() SVGDOptions {
		return SVGDOptions{NetworkOptions: paperNetwork(), LearningRate: 1e-3, Decay: 1, Temperature: 0.3, Smoothing: 0.9, Rho: 1e-6}
	},
	New:    SVGDOptions.New,
	Claims: networkClaims,
}

// New returns the posterior before training.
func (o SVGDOptions) New(setup posterior.Setup) (posterior.Posterior, error) {
	return NewNetwork(o.NetworkOptions, setup, func(u sgmcmc.Setup) (posterior.Sampler, error) {
		u.LearningRate, u.Decay, u.Temperature = o.LearningRate, o.Decay, o.Temperature
		return sgmcmc.NewSVGD(u, o.Smoothing, o.Rho)
	})
}

// Small returns small options.
func (o SVGDOptions) Small() SVGDOptions {
	o.small()
	o.LearningRate = 1e-2
	return o
}
