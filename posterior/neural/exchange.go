package neural

import (
	"fmt"

	"banditsim/internal/check"
	"banditsim/posterior"
	"banditsim/posterior/sgmcmc"
)

// ExchangeOptions are the options of a posterior that sgmcmc.Exchange samples: Langevin chains on
// a ladder, of which the first alone predicts.
type ExchangeOptions struct {
	LangevinOptions
	// The last chain's learning rate and temperature are these times those of the first; the
	// ladder is geometric.
	LearningRateFactor float64 `json:"learning_rate_factor"`
	TemperatureFactor  float64 `json:"temperature_factor"`
	// Correction is F of sgmcmc.Exchange.
	Correction float64 `json:"correction"`
	// SwapEvery is the number of steps between two attempts.
	SwapEvery int `json:"swap_every"`
	// EstimateEvery is the number of steps between two estimates of the energy's variance, each
	// from EstimateSamples evaluations. The variance is 0 at first and moves towards each by
	// varianceSmoothing.
	EstimateEvery   int `json:"estimate_every"`
	EstimateSamples int `json:"estimate_samples"`
}

// varianceSmoothing is the weight of the newest estimate of the energy's variance. With the default
// 8 samples the standard error of the smoothed variance is 22 % of it (√(2/7)·√(0.3/1.7)).
const varianceSmoothing = 0.3

// ReSGLD is replica exchange SGLD, preconditioned: four chains with temperatures up to ten times
// that of the first.
var ReSGLD = posterior.Kind[ExchangeOptions]{
	Name: sgmcmc.MethodReSGLD.Name, Doc: sgmcmc.MethodReSGLD.Doc + ", preconditioned: 4 chains, of which the coldest predicts",
	Defaults: func() ExchangeOptions {
		o := ExchangeOptions{
			LangevinOptions: LangevinOptions{paperNetwork(), sgmcmc.Plain(0, 0)}, LearningRateFactor: 2, TemperatureFactor: 10, Correction: 1,
			SwapEvery: 1, EstimateEvery: 100, EstimateSamples: 8,
		}
		o.LearningRate, o.Temperature = 3e-7, 0.3
		o.Preconditioner.Kind = "rmsprop"
		return o
	},
	New:    ExchangeOptions.New,
	Claims: networkClaims,
}

// Validate returns an error that names the first option that is out of range.
func (o *ExchangeOptions) Validate() error {
	checks := []error{
		o.LangevinOptions.Validate(),
		check.Positive("temperature", o.Temperature),
		check.Positive("learning_rate_factor", o.LearningRateFactor),
		check.Positive("temperature_factor", o.TemperatureFactor),
		check.Positive("correction", o.Correction),
		check.Within("chains", o.Chains, 2, check.MaxChains),
		check.Within("swap_every", o.SwapEvery, 1, check.MaxSteps),
		check.Within("estimate_every", o.EstimateEvery, 1, check.MaxSteps),
		check.Within("estimate_samples", o.EstimateSamples, 2, maxSamples),
		check.OneOf("contour.kind", o.Contour.Kind, "off"),
	}
	return check.First(checks...)
}

// New returns the posterior before training.
func (o ExchangeOptions) New(setup posterior.Setup) (posterior.Posterior, error) {
	if err := o.Validate(); err != nil {
		return nil, fmt.Errorf("neural: %w", err)
	}
	return NewNetwork(o.NetworkOptions, setup, func(u sgmcmc.Setup) (posterior.Sampler, error) {
		u.LangevinOptions = o.LangevinOptions.LangevinOptions
		s, err := sgmcmc.NewLangevin(u)
		if err != nil {
			return nil, err
		}
		s.Exchange = &sgmcmc.Exchange{
			Ladder:        sgmcmc.Ladder(o.Chains, o.LearningRateFactor, o.TemperatureFactor),
			EstimateEvery: o.EstimateEvery, Samples: o.EstimateSamples, Smoothing: varianceSmoothing,
			Correction: o.Correction, Every: o.SwapEvery, Rand: u.Stream.Child("exchange"),
		}
		return s, nil
	})
}

// Small returns small options.
func (o ExchangeOptions) Small() ExchangeOptions {
	o.LangevinOptions = o.LangevinOptions.Small()
	return o
}
