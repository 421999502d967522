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
func Preset(name string, profile Profile) (LangevinOptions, error) {
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

// The options below are of posteriors beside the paper's six on the mushroom data: the
// samplers that its simulations compare with. Their learning rates are of the
// same effect as those of the six, not the outcome of a search.

// DefaultSGLD are the options of SGLD without a preconditioner: ConstSGD with noise.
func DefaultSGLD(Profile) LangevinOptions {
	o := base()
	o.LearningRate, o.Temperature = 1e-6, 0.3
	return o
}

// DefaultCyclical are the options of preconditioned cyclical SGLD: ten cycles in the
// 1,949 training rounds of the paper's protocol, of pSGLD's learning rate on average.
func DefaultCyclical(Profile) CyclicalOptions {
	o := CyclicalOptions{LangevinOptions: base(), Cycle: 3118}
	o.LearningRate, o.Temperature = 6e-7, 0.3
	o.Preconditioner.Kind = "rmsprop"
	return o
}

// DefaultExchange are the options of preconditioned replica exchange SGLD: four
// chains up to ten times the temperature.
func DefaultExchange(Profile) ExchangeOptions {
	o := ExchangeOptions{
		LangevinOptions: base(), LearningRateFactor: 2, TemperatureFactor: 10, Correction: 1,
		SwapEvery: 1, EstimateEvery: 100, EstimateSamples: 8,
	}
	o.LearningRate, o.Temperature = 3e-7, 0.3
	o.Preconditioner.Kind = "rmsprop"
	return o
}

// DefaultSGHMC are the options of SGHMC: εc = 0.09, and ε/c that of ConstSGD.
func DefaultSGHMC(Profile) SGHMCOptions {
	return SGHMCOptions{NetworkOptions: base().NetworkOptions, LearningRate: 3e-4, Decay: 1, Friction: 300, Temperature: 0.3}
}

// DefaultSVGD are the options of SVGD with four particles.
func DefaultSVGD(Profile) SVGDOptions {
	return SVGDOptions{NetworkOptions: base().NetworkOptions, LearningRate: 1e-3, Decay: 1, Temperature: 0.3, Smoothing: 0.9, Rho: 1e-6}
}

// base is what the six have in common.
func base() LangevinOptions {
	return LangevinOptions{
		NetworkOptions: NetworkOptions{
			Hidden:      []int{100, 100},
			Chains:      4,
			Steps:       16,
			Batch:       512,
			Buffer:      4096,
			TrainAfter:  1024,
			DataSize:    4096,
			WeightDecay: 1e-2,
			Dropout:     DropoutOptions{TrainSamples: 1, Samples: 5},
		},
		Decay:          1,
		Preconditioner: PreconditionerOptions{Kind: "off", Alpha: 0.01, Rho: 1e-3, Scale: 512},
		Contour: ContourOptions{
			Kind: "off", Bins: 100, Width: 10, Zeta: 20, Omega: 0.03,
			Overflow: "skip", Field: "theta", Difference: "backward", Energy: "batch", EnergyRefresh: 64,
			Weights: "theta", WeightRegularizer: 1e-3, ThetaWarmup: 0.1,
		},
	}
}
