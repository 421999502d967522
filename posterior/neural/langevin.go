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
	if err := check.First(o.NetworkOptions.validate(), o.LangevinOptions.Validate()); err != nil {
		return err
	}
	if n := float64(o.Chains) * float64(o.Contour.Bins); o.Contour.Kind != "off" && n > check.MaxNumbers {
		return fmt.Errorf("contour.bins: %d for each of %d chains, want at most %.0f in all", o.Contour.Bins, o.Chains, check.MaxNumbers)
	}
	return nil
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
	if err := o.Validate(); err != nil {
		return nil, fmt.Errorf("neural: %w", err)
	}
	n, err := NewNetwork(o.NetworkOptions, setup, func(u sgmcmc.Setup) (posterior.Sampler, error) {
		u.LangevinOptions = o.LangevinOptions
		return sgmcmc.NewLangevin(u)
	})
	if err != nil {
		return nil, err
	}
	if o.Contour.Kind != "off" && o.Contour.Energy == "reduced" {
		n.reduceEnergy(o.Contour.EnergyRefresh)
	}
	return n, nil
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
