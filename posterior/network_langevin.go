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

func (o LangevinOptions) build(noise []Normals, setup Setup) *roundLangevin {
	s := &Langevin{
		LearningRate: o.LearningRate, Temperature: o.Temperature, Preconditioner: o.Preconditioner.build(),
		Noise: noise, Parallel: setup.Parallel,
	}
	switch o.Contour.Kind {
	case "paper":
		s.Contour = NewHistogram(o.Contour, o.Temperature, o.Chains)
	case "authors":
		s.Contour = NewAuthorsHistogram(o.Contour, o.Temperature, o.Chains)
	}
	return &roundLangevin{Langevin: s, decay: o.Decay, thetaWarmup: o.Contour.ThetaWarmup}
}

// build returns nil where the preconditioner is off.
func (p PreconditionerOptions) build() *RMSProp {
	if p.Kind == "off" {
		return nil
	}
	return &RMSProp{Alpha: p.Alpha, Rho: p.Rho, Scale: p.Scale, Multiplied: p.Multiplied}
}

// roundLangevin is Langevin with what changes from round to round: the learning
// rate decays, and θ stays as it is in the first rounds.
type roundLangevin struct {
	*Langevin
	decay       float64
	thetaWarmup float64
}

var (
	_ Weigher      = (*roundLangevin)(nil)
	_ Histogrammer = (*roundLangevin)(nil)
	_ RoundStarter = (*roundLangevin)(nil)
)

// StartRound prepares the steps of a round. θ moves once more than thetaWarmup of
// all rounds have ended, as the authors count.
func (s *roundLangevin) StartRound(ended, rounds int) {
	s.LearningRate *= s.decay
	if f, ok := s.Contour.(Freezer); ok {
		f.Freeze(float64(ended) <= s.thetaWarmup*float64(rounds))
	}
}
