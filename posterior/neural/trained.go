package neural

import (
	"banditsim/posterior"
	"banditsim/posterior/sgmcmc"
)

// LangevinNetwork are the options of a network that sgmcmc.Langevin trains, for posteriors that have more
// options beside them.
type LangevinNetwork struct {
	NetworkOptions
	sgmcmc.LangevinOptions
}

// trained returns the options of networks that are trained as those of EpsGreedy.
func trained(chains int) LangevinNetwork {
	o := EpsGreedy().Defaults()
	o.Chains = chains
	return LangevinNetwork{o.NetworkOptions, o.Sampler}
}

// network returns the network, with the sampler of the options.
func (o LangevinNetwork) network(setup posterior.Setup) (*Network, error) {
	return NewNetwork(o.NetworkOptions, setup, o.sampler)
}

func (o LangevinNetwork) sampler(u sgmcmc.Setup) (posterior.Sampler, error) {
	return sgmcmc.SGLD().New(o.LangevinOptions, u)
}

// makeSmall makes the network small. Options with a LangevinNetwork in them have it too.
func (o *LangevinNetwork) makeSmall() {
	o.small()
	o.LangevinOptions = o.LangevinOptions.Small()
}

// small returns Kind.Small of options by their makeSmall.
func small[O any](makeSmall func(*O)) func(O) O {
	return func(o O) O {
		makeSmall(&o)
		return o
	}
}
