package neural

import (
	"fmt"

	"banditsim/posterior"
	"banditsim/posterior/sgmcmc"
)

// CyclicalOptions are the options of a posterior that sgmcmc.Cyclical samples. LearningRate is
// the peak ε₀.
type CyclicalOptions struct {
	LangevinOptions
	Cycle int `json:"cycle"` // gradient steps in a cycle, C
}

// CycSGLD is cyclical SGLD, preconditioned: ten cycles in the 1,949 training rounds of the
// paper's protocol, with pSGLD's learning rate on average.
var CycSGLD = posterior.Kind[CyclicalOptions]{
	Name: sgmcmc.MethodCycSGLD.Name, Doc: sgmcmc.MethodCycSGLD.Doc + ", preconditioned: 4 chains",
	Defaults: func() CyclicalOptions {
		o := CyclicalOptions{LangevinOptions: LangevinOptions{paperNetwork(), sgmcmc.Plain(0, 0)}, Cycle: 3118}
		o.LearningRate, o.Temperature = 6e-7, 0.3
		o.Preconditioner.Kind = "rmsprop"
		return o
	},
	New:    CyclicalOptions.New,
	Claims: networkClaims,
}

// New returns the posterior before training.
func (o CyclicalOptions) New(setup posterior.Setup) (posterior.Posterior, error) {
	if err := o.Validate(); err != nil {
		return nil, fmt.Errorf("neural: %w", err)
	}
	return NewNetwork(o.NetworkOptions, setup, func(u sgmcmc.Setup) (posterior.Sampler, error) {
		u.LangevinOptions = o.LangevinOptions.LangevinOptions
		return sgmcmc.NewCyclical(u, o.Cycle)
	})
}

// Small returns small options, with cycles of four rounds.
func (o CyclicalOptions) Small() CyclicalOptions {
	o.LangevinOptions = o.LangevinOptions.Small()
	o.LearningRate *= 2
	o.Cycle = 4 * o.Steps
	return o
}
