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
	return LangevinOptions{o.NetworkOptions, o.LangevinOptions}.network(sgmcmc.SGLD(), setup, nil)
}

// Small returns the options with a small network.
func (o LangevinNetwork) Small() LangevinNetwork {
	o.small()
	return LangevinNetwork{o.NetworkOptions, o.LangevinOptions.Small()}
}
