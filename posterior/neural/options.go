package neural

import (
	"fmt"

	"banditsim/internal/check"
	"banditsim/posterior"
	"banditsim/posterior/sgmcmc"
)

// NetworkOptions are the options that all posteriors over networks have. No zero stands for a
// default.
type NetworkOptions struct {
	Hidden      []int          `json:"hidden"`       // widths of the hidden layers
	Chains      int            `json:"chains"`       // chains, P
	Steps       int            `json:"steps"`        // gradient steps per chain in each training round
	Batch       int            `json:"batch"`        // rows in a gradient step, n; all where the buffer has fewer
	Buffer      int            `json:"buffer"`       // rows that the replay buffer holds
	TrainAfter  int            `json:"train_after"`  // training starts with more rows than this in the buffer
	DataSize    float64        `json:"data_size"`    // scale of the energy, N
	WeightDecay float64        `json:"weight_decay"` // strength of the prior, λ
	Dropout     DropoutOptions `json:"dropout"`
	// OwnScale: the network learns in units of the rewards, contexts and noise that it has seen. Then a temperature of 1
	// is the posterior; weight_decay is relative to the fan-in, learning_rate and preconditioner.rho to the data, the
	// gradient is divided by preconditioner.scale times the root of their size, and data_size is not used.
	OwnScale bool `json:"own_scale,omitzero"`
	// RateWidth is w, with own_scale: with contexts of d > w numbers, steps are divided by d/w, because a step changes a value
	// through d weights at once (Yang et al. 2021). 0: off.
	RateWidth float64 `json:"rate_width,omitzero"`
	// InputLimit bounds standardized inputs, with own_scale. A number that rarely differs from its mean lies tens of deviations
	// away when it does, and an unpreconditioned step would diverge. 0: no bound.
	InputLimit float64 `json:"input_limit,omitzero"`
	// Skip is a linear path from the context to the values, beside the layers.
	Skip bool `json:"skip,omitzero"`
	// SkipDecay is weight_decay of the skip.
	SkipDecay float64 `json:"skip_decay,omitzero"`
	// Coverage forces a pull of an arm whose leverage in the context exceeds the mean leverage after N random pulls. 0: off.
	Coverage int `json:"coverage,omitzero"`
	// Layers are convolutions before the hidden layers, for contexts that are images: [{conv: 8, size: 5, pool: 2}]; none: off.
	Layers []ConvOptions `json:"layers,omitempty"`
	// PriorScale is β: each network predicts its output plus β times that of a random network that is never trained. β is in
	// units of reward; with own_scale in those of the rewards' deviation, to which the random network is scaled. 0: off.
	PriorScale float64 `json:"prior_scale,omitzero"`
}

// DropoutOptions are the options of dropout after the last hidden layer.
type DropoutOptions struct {
	Rate         float64 `json:"rate"`          // probability of dropping a unit; 0: off
	TrainSamples int     `json:"train_samples"` // masks averaged in a training step
	Samples      int     `json:"samples"`       // masks averaged in a prediction
}

// Unused returns the options that have no effect where no unit is dropped.
func (o DropoutOptions) Unused() []string {
	if o.Rate == 0 {
		return []string{"train_samples", "samples"}
	}
	return nil
}

// The largest values of options, far above all use.
const (
	maxWidth   = 1_000_000 // largest width of a hidden layer
	maxRows    = 10_000_000
	maxSamples = 10_000 // masks of dropout
)

// validate returns an error that names the first option that is out of range.
func (o *NetworkOptions) validate() error {
	for _, w := range o.Hidden {
		if err := check.Within("hidden: a layer's width", w, 1, maxWidth); err != nil {
			return err
		}
	}
	for i, l := range o.Layers {
		if err := l.validate(i); err != nil {
			return err
		}
	}
	checks := []error{
		check.Within("chains", o.Chains, 1, check.MaxChains),
		check.Within("steps", o.Steps, 0, check.MaxSteps),
		check.Within("batch", o.Batch, 1, maxRows),
		check.Within("buffer", o.Buffer, 1, maxRows),
		check.Within("train_after", o.TrainAfter, 0, maxRows),
		check.Positive("data_size", o.DataSize),
		check.NotNegative("weight_decay", o.WeightDecay),
		check.NotNegative("skip_decay", o.SkipDecay),
		check.NotNegative("prior_scale", o.PriorScale),
		check.NotNegative("rate_width", o.RateWidth),
		check.NotNegative("input_limit", o.InputLimit),
		check.Within("coverage", o.Coverage, 0, maxRows),
		check.Within("dropout.train_samples", o.Dropout.TrainSamples, 1, maxSamples),
		check.Within("dropout.samples", o.Dropout.Samples, 1, maxSamples),
	}
	if o.TrainAfter >= o.Buffer {
		checks = append(checks, fmt.Errorf("train_after: %d rows never fit a buffer of %d: training would not start", o.TrainAfter+1, o.Buffer))
	}
	if !(o.Dropout.Rate >= 0 && o.Dropout.Rate < 1) {
		checks = append(checks, fmt.Errorf("dropout.rate: %g, want at least 0 and below 1", o.Dropout.Rate))
	}
	if o.Dropout.Rate > 0 && len(o.Hidden) == 0 {
		checks = append(checks, fmt.Errorf("dropout.rate: %g, but there is no hidden layer to drop units of", o.Dropout.Rate))
	}
	if o.Skip && len(o.Hidden) == 0 && len(o.Layers) == 0 {
		checks = append(checks, fmt.Errorf("skip: true, but there is no hidden layer to be beside: the network is linear"))
	}
	return check.First(checks...)
}

// networkClaims are the claims of all posteriors over networks but Dropout.
var networkClaims = posterior.Claims{Rounds: 150, Spread: true}

// paperNetwork returns the network of the paper's mushroom experiment.
func paperNetwork() NetworkOptions {
	return NetworkOptions{
		Hidden:      []int{100, 100},
		Chains:      4,
		Steps:       16,
		Batch:       512,
		Buffer:      4096,
		TrainAfter:  1024,
		DataSize:    4096,
		WeightDecay: 1e-2,
		Dropout:     DropoutOptions{TrainSamples: 1, Samples: 5},
	}
}

func (o *NetworkOptions) small() {
	o.Hidden = []int{16, 32}
	o.Steps, o.Batch, o.Buffer, o.TrainAfter, o.DataSize = sgmcmc.SmallSteps, sgmcmc.SmallBatch, 128, 64, 128
}
