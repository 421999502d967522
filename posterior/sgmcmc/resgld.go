package sgmcmc

import "banditsim/posterior"

// ExchangeOptions are the options of ReSGLD.
type ExchangeOptions struct {
	LangevinOptions
	LadderOptions
}

// LadderOptions are the options of replica exchange.
type LadderOptions struct {
	// The last chain's learning rate and temperature are these times those of the first; the ladder is geometric.
	LearningRateFactor float64 `json:"learning_rate_factor"`
	TemperatureFactor  float64 `json:"temperature_factor"`
	// Correction is F of sgmcmc.NewExchange.
	Correction float64 `json:"correction"`
	// SwapEvery is the number of steps between two attempts.
	SwapEvery int `json:"swap_every"`
	// EstimateEvery is the number of steps between two estimates of the energy's variance, each from EstimateSamples
	// evaluations. The variance is 0 at first and moves towards each by varianceSmoothing.
	EstimateEvery   int `json:"estimate_every"`
	EstimateSamples int `json:"estimate_samples"`
}

// varianceSmoothing is the weight of the newest estimate of the energy's variance. With the default
// 8 samples the standard error of the smoothed variance is 22 % of it (√(2/7)·√(0.3/1.7)).
const varianceSmoothing = 0.3

// maxSamples is the largest number of evaluations in an estimate.
const maxSamples = 10_000

// ReSGLD is replica exchange SGLD, preconditioned: Langevin with an exchange. By default the last chain
// has ten times the temperature of the first.
func ReSGLD() Method[ExchangeOptions] {
	return Method[ExchangeOptions]{
		Name: "reSGLD", Doc: "replica exchange SGLD",
		Defaults: func() ExchangeOptions {
			return ExchangeOptions{PSGLD().Defaults(), LadderOptions{
				LearningRateFactor: 2, TemperatureFactor: 10, Correction: 1, SwapEvery: 1, EstimateEvery: 100, EstimateSamples: 8,
			}}
		},
		Small: func(o ExchangeOptions) ExchangeOptions {
			o.LangevinOptions = o.LangevinOptions.Small()
			return o
		},
		New: func(o ExchangeOptions, u Setup) (posterior.Sampler, error) {
			return NewExchange(o, nil, 0, varianceSmoothing, u)
		},
		Checked: func(o LangevinOptions) ExchangeOptions { return ExchangeOptions{o, checkedLadder()} },
		Claims:  exchangeClaims(),
	}
}

// checkedLadder returns the ladder of the checks.
func checkedLadder() LadderOptions {
	return LadderOptions{
		LearningRateFactor: hottestRate, TemperatureFactor: hottestTemperature, Correction: 1,
		SwapEvery: 1, EstimateEvery: 100, EstimateSamples: 2,
	}
}

// The ladder of the checks.
const (
	rungs              = 3
	hottestRate        = 1.25
	hottestTemperature = 2
)

// exchangeClaims: a swap mixes chains of different steps, for which there is no closed form. The
// coldest chain samples the density as ε → 0.
func exchangeClaims() Claims {
	c := langevinClaims(true)
	c.ZeroTemperature, c.Chains, c.Coupled = false, rungs, true
	c.Variance, c.Autocorrelation = nil, nil
	return c
}
