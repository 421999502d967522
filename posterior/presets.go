package posterior

import "fmt"

// A Profile chooses between the method as the paper describes it and the
// method as the authors' published program computes it.
type Profile string

const (
	// Paper is the method of algorithms.md.
	Paper Profile = "paper"
	// Authors reproduces the authors' program, quirks included.
	Authors Profile = "authors"
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
func Preset(name string, profile Profile) (NetworkOptions, error) {
	o := base()
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
	if profile == Authors {
		o.Preconditioner.Multiplied = true
		o.Dropout.TrainSamples = o.Dropout.Samples
		if o.Contour.Kind != "off" {
			o.Contour.Kind = "authors"
		}
	}
	return o, nil
}

// base is what the six have in common.
func base() NetworkOptions {
	return NetworkOptions{
		Hidden:         []int{100, 100},
		Chains:         4,
		Steps:          16,
		Batch:          512,
		Buffer:         4096,
		TrainAfter:     1024,
		DataSize:       4096,
		Decay:          1,
		WeightDecay:    1e-2,
		Preconditioner: PreconditionerOptions{Kind: "off", Alpha: 0.01, Rho: 1e-3, Scale: 512},
		Contour: ContourOptions{
			Kind: "off", Bins: 100, Width: 10, Zeta: 20, Omega: 0.03,
			Overflow: "skip", Field: "theta", Weights: "theta",
			WeightRegularizer: 1e-3, ThetaWarmup: 0.1,
		},
		Dropout: DropoutOptions{TrainSamples: 1, Samples: 5},
	}
}
