package neural

import (
	"fmt"

	"banditsim/posterior"
	"banditsim/posterior/sgmcmc"
)

// Names of the six posteriors of the paper's mushroom experiment, in the order
// of its table.
const (
	EpsGreedy = "EpsGreedy"
	ConstSGD  = "ConstSGD"
	Dropout   = "Dropout"
	PSGLD     = "pSGLD"
	PCSGLD    = "pCSGLD"
	PICSGLD   = "pICSGLD"
)

// Preset returns the options of one of the paper's six (algorithms.md, section
// 4): parts of one Langevin step, switched on or off.
func Preset(name string, profile posterior.Profile) (LangevinOptions, error) {
	o := LangevinOptions{paperNetwork(), sgmcmc.Plain(0, 0)}
	switch name {
	case EpsGreedy:
		o.LearningRate, o.Decay = 5e-7, 0.999
		o.Preconditioner.Kind = "rmsprop"
	case ConstSGD:
		o.LearningRate = 1e-6
	case Dropout:
		o.LearningRate = 1e-6
		o.Dropout.Rate = 0.5
	case PSGLD:
		o.LearningRate, o.Temperature = 3e-7, 0.3
		o.Preconditioner.Kind = "rmsprop"
	case PCSGLD:
		o.LearningRate, o.Temperature = 5e-8, 0.3
		o.Chains, o.Steps = 1, 64
		o.Preconditioner.Kind = "rmsprop"
		o.Contour.Kind, o.Contour.Omega = "paper", 0.006
	case PICSGLD:
		o.LearningRate, o.Temperature = 3e-7, 0.3
		o.Preconditioner.Kind = "rmsprop"
		o.Contour.Kind, o.Contour.Omega = "paper", 0.03
	default:
		return o, fmt.Errorf("posterior: there is no preset %q", name)
	}
	if profile == posterior.Authors {
		o.Preconditioner.Multiplied = true
		o.Dropout.TrainSamples = o.Dropout.Samples
		if o.Contour.Kind != "off" {
			o.Contour.Kind = "authors"
		}
	}
	return o, nil
}
