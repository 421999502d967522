package posterior

import "fmt"

// New returns the posterior that the options describe, with untrained chains.
func (o LangevinOptions) New(setup Setup) (*Network, error) {
	if err := o.Validate(); err != nil {
		return nil, fmt.Errorf("posterior: %w", err)
	}
	n, err := NewNetwork(o.NetworkOptions, setup, func(noise []Normals, setup Setup) (Sampler, error) {
		return o.build(noise, setup), nil
	})
	if err == nil && o.Contour.Kind != "off" && o.Contour.Energy == "reduced" {
		n.reduceEnergy(o.Contour.EnergyRefresh)
	}
	return n, err
}

func (o LangevinOptions) build(noise []Normals, setup Setup) *Langevin {
	s := &Langevin{
		LearningRate: o.LearningRate, Decay: o.Decay, Temperature: o.Temperature,
		Preconditioner: o.Preconditioner.build(), Noise: noise, Parallel: setup.Parallel,
	}
	switch o.Contour.Kind {
	case "paper":
		s.Contour = NewHistogram(o.Contour, o.Temperature, o.Chains)
	case "authors":
		s.Contour = NewAuthorsHistogram(o.Contour, o.Temperature, o.Chains)
	}
	return s
}

// build returns nil where the preconditioner is off.
func (p PreconditionerOptions) build() *RMSProp {
	if p.Kind == "off" {
		return nil
	}
	return &RMSProp{Alpha: p.Alpha, Rho: p.Rho, Scale: p.Scale, Multiplied: p.Multiplied}
}
