package neural

import (
	"banditsim/posterior"
	"banditsim/posterior/sgmcmc"
)

// SGNHT is SGHMC with a thermostat, which finds the friction at which noise of the batches does not heat
// the chains (Ding et al., NeurIPS 2014). Its friction starts at Friction.
var SGNHT = posterior.Kind[SGHMCOptions]{
	Name: sgmcmc.MethodSGNHT.Name, Doc: sgmcmc.MethodSGNHT.Doc + ": 4 chains",
	Defaults: SGHMC.Defaults,
	New: func(o SGHMCOptions, setup posterior.Setup) (posterior.Posterior, error) {
		return o.network(setup, sgmcmc.NewSGNHT)
	},
	Claims: networkClaims,
}
