package neural

import (
	"banditsim/posterior"
	"banditsim/posterior/sgmcmc"
)

// SGNHT is SGHMC with a thermostat, which finds the friction at which noise of the batches does not heat
// the chains (Ding et al., NeurIPS 2014). Its friction starts at Friction.
var SGNHT = posterior.Kind[SGNHTOptions]{
	Name: sgmcmc.MethodSGNHT.Name, Doc: sgmcmc.MethodSGNHT.Doc + ": 4 chains",
	Defaults: func() SGNHTOptions { return SGNHTOptions{SGHMC.Defaults()} },
	New:      SGNHTOptions.New,
	Claims:   networkClaims,
}

// SGNHTOptions are the options of a posterior that sgmcmc.SGHMC with a thermostat samples.
type SGNHTOptions struct{ SGHMCOptions }

// New returns the posterior before training.
func (o SGNHTOptions) New(setup posterior.Setup) (posterior.Posterior, error) {
	return NewNetwork(o.NetworkOptions, setup, func(u sgmcmc.Setup) (posterior.Sampler, error) {
		u.LearningRate, u.Decay, u.Temperature = o.LearningRate, o.Decay, o.Temperature
		return sgmcmc.NewSGNHT(u, o.Friction)
	})
}

// Small returns small options.
func (o SGNHTOptions) Small() SGNHTOptions { return SGNHTOptions{o.SGHMCOptions.Small()} }
