package neural

import (
	"banditsim/posterior"
	"banditsim/posterior/sgmcmc"
)

// ICSGHMC is SGHMC whose chains share the energy histogram of PICSGLD.
var ICSGHMC = posterior.Kind[ICSGHMCOptions]{
	Name: sgmcmc.MethodICSGHMC.Name, Doc: sgmcmc.MethodICSGHMC.Doc + ": 4 chains share one energy histogram",
	Defaults: func() ICSGHMCOptions { return ICSGHMCOptions{SGHMC.Defaults(), PICSGLD.Defaults().Contour} },
	New:      ICSGHMCOptions.New,
	Claims:   networkClaims,
}

// ICSGHMCOptions are the options of a posterior that sgmcmc.SGHMC with a contour samples.
type ICSGHMCOptions struct {
	SGHMCOptions
	Contour sgmcmc.ContourOptions `json:"contour"`
}

// New returns the posterior before training.
func (o ICSGHMCOptions) New(setup posterior.Setup) (posterior.Posterior, error) {
	return o.contoured(o.Contour, o.Temperature, setup, func(u sgmcmc.Setup) (posterior.Sampler, error) {
		u.LearningRate, u.Decay, u.Temperature, u.Contour = o.LearningRate, o.Decay, o.Temperature, o.Contour
		return sgmcmc.NewICSGHMC(u, o.Friction)
	})
}

// Small returns small options.
func (o ICSGHMCOptions) Small() ICSGHMCOptions {
	return ICSGHMCOptions{o.SGHMCOptions.Small(), o.Contour}
}
