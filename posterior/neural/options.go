package neural

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"banditsim/internal/check"
	"banditsim/internal/optiontree"
	"banditsim/nn"
	"banditsim/posterior"
	"banditsim/posterior/sgmcmc"
)

// NetworkOptions are the options that all posteriors over networks have. Zero values are not replaced by defaults.
type NetworkOptions struct {
	Hidden      []int          `json:"hidden"`       // widths of the hidden layers
	Chains      int            `json:"chains"`       // chains, P
	Steps       int            `json:"steps"`        // gradient steps per chain in each training round
	Batch       int            `json:"batch"`        // rows in a gradient step, n; if the buffer has fewer, all of them
	Buffer      int            `json:"buffer"`       // rows that the replay buffer holds
	TrainAfter  int            `json:"train_after"`  // training starts when the buffer has more rows than this
	DataSize    float64        `json:"data_size"`    // number of rows to which the energy is scaled, N
	WeightDecay float64        `json:"weight_decay"` // strength of the prior, λ
	Dropout     DropoutOptions `json:"dropout"`
	// OwnScale: the network learns in units of the rewards, contexts and noise seen. The posterior has temperature 1.
	// weight_decay is relative to the fan-in, learning_rate and preconditioner.rho to the data's size (rows over noise
	// variance); the gradient is divided by preconditioner.scale times the root of that size. data_size is unused.
	OwnScale bool `json:"own_scale,omitzero"`
	// RateWidth, with own_scale, is w: if contexts have d > w numbers, steps are as short as if the data were d/w times as
	// large, because a step changes a value through d weights at once (Yang et al. 2021). 0: off.
	RateWidth float64 `json:"rate_width,omitzero"`
	// InputLimit, with own_scale, is the largest absolute value of standardized inputs. Without it, a number's rare
	// difference from its mean is tens of deviations, and a step without preconditioner would diverge. 0: no limit.
	InputLimit float64 `json:"input_limit,omitzero"`
	// Skip is a linear path from the context to the values, beside the layers.
	Skip bool `json:"skip,omitzero"`
	// SkipDecay is weight_decay of the skip.
	SkipDecay float64 `json:"skip_decay,omitzero"`
	// MomentDecay, with own_scale, draws the initial weights of the inputs as for standardized inputs. Without it, the
	// first standardization multiplies them by the standard deviation of their column. With it, weight_decay and
	// skip_decay of these weights are relative to Σ E[x²] instead of the number of inputs: a category then counts as one
	// input, however many values it has.
	MomentDecay bool `json:"moment_decay,omitzero"`
	// Anchor makes the initial parameters of the hidden layers the mean of their prior. With a prior mean of 0 the layers
	// shrink to 0 while rewards carry little information, and at temperature 0 they stay at 0.
	Anchor bool `json:"anchor,omitzero"`
	// LastDecayLimit, with own_scale, lets weight_decay of the last layer grow while its weights are small: hidden layers
	// that predict nothing then add no noise. It grows by at most this factor, times n/500 with n > 500 rows. 0: off.
	LastDecayLimit float64 `json:"last_decay_limit,omitzero"`
	// RankTails, with own_scale, is a limit of kurtosis (a normal distribution has 3). In a column above it, numbers are
	// replaced by their ranks in the replay buffer: mean and deviation do not describe a column with heavy tails. 0: off.
	RankTails float64 `json:"rank_tails,omitzero"`
	// Coverage, N, forces pulls of arms whose leverage in the context exceeds the mean leverage of an arm with N random
	// pulls. 0: off.
	Coverage int `json:"coverage,omitzero"`
	// Layers are convolutions before the hidden layers, for image contexts: [{conv: 8, size: 5, pool: 2}]; none: off.
	Layers []ConvOptions `json:"layers,omitempty"`
	// PriorScale is β: each network predicts its output plus β times that of an untrained random network. β is in units of
	// reward; with own_scale, the random network is scaled to deviation 1, and β in units of reward deviation. 0: off.
	PriorScale float64 `json:"prior_scale,omitzero"`
}

// DropoutOptions are the options of dropout after the last hidden layer.
type DropoutOptions struct {
	Rate         float64 `json:"rate"`          // probability of dropping a unit; 0: off
	TrainSamples int     `json:"train_samples"` // masks averaged in a training step
	Samples      int     `json:"samples"`       // masks averaged in a prediction
}

// Unused returns the options that have no effect with the present values of the others.
func (o NetworkOptions) Unused() []string {
	var list []string
	if o.Dropout.Rate == 0 {
		list = append(list, "dropout.train_samples", "dropout.samples")
	}
	if !o.Skip {
		list = append(list, "skip_decay")
	}
	if o.OwnScale {
		return append(list, "data_size")
	}
	return append(list, "rate_width", "input_limit", "moment_decay", "last_decay_limit", "rank_tails")
}

// The largest values of options, far above any use.
const (
	maxWidth   = 1_000_000 // largest width of a hidden layer
	maxRows    = 10_000_000
	maxSamples = 10_000 // dropout masks
	maxFilters = 10_000 // filters of a convolution
	maxSquare  = 100    // size, stride and padding of a convolution
)

// validate returns an error that names the first option that is out of range.
func (o *NetworkOptions) validate() error {
	linear := len(o.Hidden) == 0
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
		check.NotNegative("rank_tails", o.RankTails),
		check.That(o.LastDecayLimit == 0 || o.LastDecayLimit >= 1, "last_decay_limit: %g, want 0 or at least 1", o.LastDecayLimit),
		check.Within("coverage", o.Coverage, 0, maxRows),
		check.Within("dropout.train_samples", o.Dropout.TrainSamples, 1, maxSamples),
		check.Within("dropout.samples", o.Dropout.Samples, 1, maxSamples),
		check.That(o.TrainAfter < o.Buffer, "train_after: %d rows never fit a buffer of %d: training would not start", o.TrainAfter+1, o.Buffer),
		check.That(o.Dropout.Rate >= 0 && o.Dropout.Rate < 1, "dropout.rate: %g, want at least 0 and below 1", o.Dropout.Rate),
		check.That(o.Dropout.Rate == 0 || !linear, "dropout.rate: %g, but there is no hidden layer to drop units of", o.Dropout.Rate),
		check.That(!o.Skip || !linear || len(o.Layers) > 0, "skip: true, but there is no hidden layer to be beside: the network is linear"),
	}
	for _, w := range o.Hidden {
		checks = append(checks, check.Within("hidden: a layer's width", w, 1, maxWidth))
	}
	for i, l := range o.Layers {
		checks = append(checks, l.validate(i))
	}
	return cmp.Or(checks...)
}

// networkClaims are the claims of posteriors whose draws differ more from each other far from data than near data.
var networkClaims = posterior.Claims{Rounds: 150, Spread: true}

// paperNetwork returns the network of the mushroom experiment in the ICSGLD paper.
func paperNetwork() NetworkOptions {
	return NetworkOptions{
		Hidden: []int{100, 100}, Chains: 4, Steps: 16, Batch: 512, Buffer: 4096, TrainAfter: 1024, DataSize: 4096, WeightDecay: 1e-2,
		Dropout: DropoutOptions{TrainSamples: 1, Samples: 5},
	}
}

func (o *NetworkOptions) small() {
	o.Hidden = []int{16, 32}
	o.Steps, o.Batch, o.Buffer, o.TrainAfter, o.DataSize = sgmcmc.SmallSteps, sgmcmc.SmallBatch, 128, 64, 128
}

// langevinNetwork has the options of a network that sgmcmc.Langevin trains. Options of other posteriors embed it.
type langevinNetwork struct {
	NetworkOptions
	sgmcmc.LangevinOptions
}

// trained returns the options of EpsGreedy with the given number of chains.
func trained(chains int) langevinNetwork {
	o := EpsGreedy().Defaults()
	o.Chains = chains
	return langevinNetwork{o.NetworkOptions, o.Sampler}
}

// network calls newNetwork with these options and the sampler that they describe.
func (o langevinNetwork) network(setup posterior.Setup, target newTarget, checks ...error) (*Network, error) {
	return newNetwork(o.NetworkOptions, setup, o.sampler, target, checks...)
}

func (o langevinNetwork) sampler(u sgmcmc.Setup) (posterior.Sampler, error) {
	return sgmcmc.SGLD().New(o.LangevinOptions, u)
}

// makeSmall makes the network small. Options that embed langevinNetwork inherit it.
func (o *langevinNetwork) makeSmall() {
	o.small()
	o.LangevinOptions = o.LangevinOptions.Small()
}

// asPosterior returns p as a Posterior; with an error, nil instead of an interface that holds a nil pointer.
func asPosterior[P posterior.Posterior](p P, err error) (posterior.Posterior, error) {
	if err != nil {
		return nil, err
	}
	return p, nil
}

// kind returns a posterior over a network. By default, policies act on its draws. It does not claim Spread: far from
// data, draws need not differ more, because a context may have small features, or the noise may grow with the value.
func kind[O any, P posterior.Posterior](name, doc string, defaults func() O, build func(O, posterior.Setup) (P, error), makeSmall func(*O)) posterior.Kind[O] {
	return posterior.Kind[O]{
		Name: name, Doc: doc, Defaults: defaults, Claims: posterior.Claims{Rounds: networkClaims.Rounds}, Draws: true,
		New: func(o O, setup posterior.Setup) (posterior.Posterior, error) { return asPosterior(build(o, setup)) },
		Small: func(o O) O {
			makeSmall(&o)
			return o
		},
	}
}

// ConvOptions are the options of a convolution with ReLU and pooling. In JSON, stride and pool default to 1.
type ConvOptions struct {
	Conv    int  `json:"conv"`             // number of filters, each of which gives a feature map
	Size    int  `json:"size"`             // side of the square of pixels that a filter sees
	Stride  int  `json:"stride"`           // distance of neighboring squares; 1 if missing
	Padding int  `json:"padding,omitzero"` // rows and columns of zeros on each side
	Pool    int  `json:"pool"`             // side of the squares of a feature map, each of which is pooled to one number; 1 if missing: no pooling
	Mean    bool `json:"mean,omitzero"`    // mean pooling instead of max pooling
}

// UnmarshalJSON decodes an object, with defaults for stride and pool. An unknown key is an error.
func (o *ConvOptions) UnmarshalJSON(b []byte) error {
	if !bytes.HasPrefix(b, []byte("{")) {
		return fmt.Errorf("layers: %s, want an object such as {conv: 8, size: 5, pool: 2}", b)
	}
	type plain ConvOptions
	p := plain{Stride: 1, Pool: 1}
	if err := optiontree.DecodeKnown(b, &p); err != nil {
		return fmt.Errorf("layers: %w", err)
	}
	*o = ConvOptions(p)
	return nil
}

func (o ConvOptions) validate(i int) error {
	name := func(option string) string { return fmt.Sprintf("layers: layer %d: %s", i+1, option) }
	return cmp.Or(
		check.Within(name("conv"), o.Conv, 1, maxFilters),
		check.Within(name("size"), o.Size, 1, maxSquare),
		check.Within(name("stride"), o.Stride, 1, maxSquare),
		check.Within(name("padding"), o.Padding, 0, maxSquare),
		check.Within(name("pool"), o.Pool, 1, nn.MaxPool),
	)
}

// newModel returns the network that valid options describe; an error if it does not fit the contexts or is too large.
func (o *NetworkOptions) newModel(setup posterior.Setup) (*nn.Network, error) {
	shape := []int{1, 1, setup.Dim}
	if len(o.Layers) > 0 {
		if shape = setup.Shape; len(shape) == 0 {
			return nil, fmt.Errorf("layers: a convolution sees images, and contexts of %d numbers have no shape here: "+
				"--environment images, an environment whose Spec has a Shape with model=disjoint, or no layers", setup.Dim)
		}
	}
	var stages []nn.Stage
	for _, l := range o.Layers {
		stages = append(stages, nn.Stage{Filters: l.Conv, Size: l.Size, Stride: l.Stride, Padding: l.Padding, Pool: l.Pool, Mean: l.Mean})
	}
	model, err := nn.NewConv(shape[0], shape[1], shape[2], stages, append(slices.Clone(o.Hidden), setup.Arms)...)
	if err != nil {
		return nil, fmt.Errorf("layers: %w", err)
	}
	if o.Skip {
		model = model.WithSkip()
	}
	numbers := float64(model.PassNumbers(o.Batch))
	return model, cmp.Or(
		check.That(float64(model.Dim())*float64(o.Chains) <= check.MaxNumbers,
			"hidden, layers: %d chains of a network with %d parameters, want at most %.0f in all", o.Chains, model.Dim(), check.MaxNumbers),
		check.That(numbers <= 2*check.MaxNumbers, "hidden, layers, batch: %d rows need %.0f numbers of memory in this network, want at most %.0f", o.Batch, numbers, 2*check.MaxNumbers),
	)
}
