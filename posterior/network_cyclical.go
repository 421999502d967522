package posterior

import (
	"fmt"

	"banditsim/internal/check"
)

// CyclicalOptions describe a posterior that Cyclical samples. LearningRate is
// the peak ε₀, and the contour is usually off.
type CyclicalOptions struct {
	LangevinOptions
	Cycle int `json:"cycle"` // C, gradient steps a cycle
}

// New returns the posterior that the options describe, with untrained chains.
func (o CyclicalOptions) New(setup Setup) (*Network, error) {
	if err := check.First(o.Validate(), check.Within("cycle", o.Cycle, 1, maxCycle)); err != nil {
		return nil, fmt.Errorf("posterior: %w", err)
	}
	return NewNetwork(o.NetworkOptions, setup, func(noise []Normals, setup Setup) (Sampler, error) {
		return &Cyclical{
			Langevin: o.LangevinOptions.build(noise, setup), Peak: o.LearningRate, Cycle: o.Cycle,
		}, nil
	})
}

// maxCycle is the longest cycle.
const maxCycle = 1_000_000_000
