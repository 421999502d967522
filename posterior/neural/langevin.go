package neural

import (
	"fmt"

	"banditsim/internal/check"
	"banditsim/posterior"
	"banditsim/posterior/sgmcmc"
)

// LangevinOptions are the options of a posterior that sgmcmc.Langevin samples.
type LangevinOptions struct {
	NetworkOptions
	sgmcmc.LangevinOptions
}

// SGLD is ConstSGD with noise.
var SGLD = posterior.Kind[LangevinOptions]{
	Name: sgmcmc.MethodSGLD.Name, Doc: sgmcmc.MethodSGLD.Doc + ": 4 chains",
	Defaults: func() LangevinOptions { return LangevinOptions{paperNetwork(), sgmcmc.Plain(1e-6, 0.3)} },
	New:      LangevinOptions.New,
	Claims:   networkClaims,
}

// Validate returns an error that names the first option that is out of range.
func (o *LangevinOptions) Validate() error {
	return check.First(o.NetworkOptions.validate(), o.LangevinOptions.Validate(), o.checkBins(&o.Contour))
}

// checkBins returns an error if the bins of all chains are more than check.MaxNumbers.
func (o *NetworkOptions) checkBins(c *sgmcmc.ContourOptions) error {
	if n := float64(o.Chains) * float64(c.Bins); c.Kind != "off" && n > check.MaxNumbers {
		return fmt.Errorf("contour.bins: %d for each of %d chains, want at most %.0f in all", c.Bins, o.Chains, check.MaxNumbers)
	}
	return nil
}

// contoured returns the network whose sampler has a contour.
func (o *NetworkOptions) contoured(c sgmcmc.ContourOptions, temperature float64, setup posterior.Setup, build Build) (*Network, error) {
	if err := check.First(o.validate(), c.Validate(temperature), o.checkBins(&c)); err != nil {
		return nil, fmt.Errorf("neural: %w", err)
	}
	n, err := NewNetwork(*o, setup, build)
	if err == nil && c.Kind != "off" && c.Energy == "reduced" {
		n.reduceEnergy(c.EnergyRefresh)
	}
	return n, err
}

// New returns the posterior before training.
func (o LangevinOptions) New(setup posterior.Setup) (posterior.Posterior, error) {
	n, err := o.network(setup)
	if err != nil {
		return nil, err
	}
	return n, nil
}

// network returns the network, with the sampler of the options.
func (o LangevinOptions) network(setup posterior.Setup) (*Network, error) {
	return o.Network(setup, func(u sgmcmc.Setup) (posterior.Sampler, error) { return sgmcmc.NewLangevin(u) })
}

// Network returns the network before training, with the sampler that build makes of the options.
func (o LangevinOptions) Network(setup posterior.Setup, build Build) (*Network, error) {
	if err := o.Validate(); err != nil {
		return nil, fmt.Errorf("neural: %w", err)
	}
	return o.contoured(o.Contour, o.Temperature, setup, func(u sgmcmc.Setup) (posterior.Sampler, error) {
		u.LangevinOptions = o.LangevinOptions
		return build(u)
	})
}

// Small returns the options with a small network, batches and buffer, and a learning rate that
// fits them, so that the posterior learns within some hundred steps. Sampler, parts and chains
// stay.
func (o LangevinOptions) Small() LangevinOptions {
	o.small()
	o.LearningRate = 2e-4
	if o.Preconditioner.Kind != "off" {
		o.LearningRate, o.Preconditioner.Scale = 4e-4, float64(o.Batch)
	}
	return o
}
