// Package neural has posteriors over the parameters of a neural network that learns from a replay buffer. Each is a
// Network whose chains are moved by a sampler of package sgmcmc. In a comment, "the source" is the paper that it cites,
// and "the paper" is that of ICSGLD (Deng et al., ICLR 2022). A context is one-hot if all its elements are 0 or 1.
package neural

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"banditsim/bandit/diagnostics"
	"banditsim/bandit/stream"
	"banditsim/internal/leverage"
	"banditsim/internal/lists"
	"banditsim/internal/state"
	"banditsim/nn"
	"banditsim/posterior"
	"banditsim/posterior/neural/internal/replay"
	"banditsim/posterior/sgmcmc"
)

// Network is the posterior over the parameters of a network. A sampler moves its chains, which share a replay buffer.
type Network struct {
	state.Fields
	o        NetworkOptions
	arms     int
	rounds   int
	dim      int // length of a context
	model    *nn.Network
	buffer   *replay.Buffer
	chains   []posterior.Chain
	targets  []chainTarget // targets of the chains
	data     []*regression // targets[i] is data[i] or embeds it
	sampler  posterior.Sampler
	draws    *stream.Stream  // random numbers of draws, such as the choice of a chain
	round    int             // rounds that have ended
	steps    int64           // gradient steps done, of all chains together
	ranges   []multiplierSum // multipliers of the last round, chain by chain
	diagnose diagnostics.Round

	predictor *nn.Pass      // for predictions
	dropout   []*nn.Dropout // for predictions, chain by chain; nil without dropout
	single    nn.Dropout    // dropout with one mask, for a draw
	rows      nn.Rows       // input of predictor
	ones      []int32
	weights   []float64
	values    [][]float32 // outputs of a prediction, chain by chain
	scale     *scale      // units; those of the environment without own_scale

	// Parts that options switch on; each is nil without its option.
	inputs   *inputs           // moments of the contexts, for own_scale and coverage
	leverage *leverage.Monitor // coverage
	priors   *priors           // prior_scale
}

var (
	_ posterior.Posterior     = (*Network)(nil)
	_ diagnostics.Reporter    = (*Network)(nil)
	_ diagnostics.StepCounter = (*Network)(nil)
	_ diagnostics.Worker      = (*Network)(nil)
	_ posterior.SampleDrawer  = (*Network)(nil)
	_ posterior.Explorer      = (*Network)(nil)
)

// predictBatch is the number of contexts predicted in one pass.
const predictBatch = 64

// build returns the sampler of a network's chains.
type build = func(sgmcmc.Setup) (posterior.Sampler, error)

// NewNetwork returns an untrained posterior whose chains are moved by a sampler from newSampler. It validates o.
func NewNetwork(o NetworkOptions, setup posterior.Setup, newSampler func(sgmcmc.Setup) (posterior.Sampler, error)) (*Network, error) {
	return newNetwork(o, setup, newSampler, plainTarget)
}

// A chainTarget is the target of a network's chain: a regression, or a type that embeds one.
type chainTarget interface {
	posterior.Target
	// rescale converts the elements of x after the network's parameters to a new reward unit. ratio is old unit/new unit.
	rescale(x []float32, ratio float64)
	state(c *state.Codec) // saves or restores all that changes, such as streams, except x
}

// newTarget returns a chain's target and first position, given its regression and x, the network's initial parameters.
type newTarget func(chain int, r *regression, x []float32) (chainTarget, []float32)

// plainTarget is a newTarget that returns the regression itself.
func plainTarget(_ int, r *regression, x []float32) (chainTarget, []float32) { return r, x }

// newNetwork is NewNetwork, but target makes the chains' targets. Each of checks is a further option's error, or nil.
func newNetwork(o NetworkOptions, setup posterior.Setup, newSampler build, target newTarget, checks ...error) (*Network, error) {
	if err := cmp.Or(append([]error{o.validate()}, checks...)...); err != nil {
		return nil, fmt.Errorf("neural: %w", err)
	}
	model, err := o.newModel(setup)
	if err != nil {
		return nil, fmt.Errorf("neural: %w", err)
	}
	n := &Network{
		o: o, arms: setup.Arms, rounds: setup.Rounds, dim: setup.Dim, model: model,
		buffer: replay.New(o.Buffer, setup.Dim, setup.Arms), draws: setup.Stream.Child("draw"),
		ranges: make([]multiplierSum, o.Chains), weights: make([]float64, o.Chains),
		predictor: model.NewPass(predictBatch), values: make([][]float32, o.Chains), scale: newScale(setup.Dim),
	}
	if o.OwnScale || o.Coverage > 0 {
		n.inputs = newInputs(n.dim)
		if len(o.Layers) > 0 {
			n.inputs.channels = setup.Shape[2]
		}
	}
	if o.OwnScale {
		n.inputs.limit = o.InputLimit
		if o.RankTails > 0 && n.inputs.channels == 0 {
			n.inputs.ranks = &ranks{tails: o.RankTails, knots: make([][]float64, n.dim)}
		}
	}
	if o.Coverage > 0 {
		n.leverage = leverage.New(o.Coverage, n.dim, n.arms, 0, 0, setup.Stream.Child("coverage"))
	}
	n.priors = newPriors(n, setup.Stream)
	passes := newPasses(model, o.Batch)
	u := sgmcmc.Setup{Chains: o.Chains, Dim: model.Dim(), Stream: setup.Stream, Parallel: setup.Parallel, ReduceEnergy: n.reduceEnergy}
	for i := range o.Chains {
		r := setup.Stream.Child("chain", i)
		n.addChain(passes, r, target)
		u.Noise = append(u.Noise, r.Child("noise"))
	}
	if n.sampler, err = newSampler(u); err != nil {
		return nil, err
	}
	if _, ok := n.sampler.(sizer); o.OwnScale && !ok {
		return nil, errors.New("neural: own_scale: true, but the steps of this sampler have the unit of the energy: want false")
	}
	if s, ok := n.sampler.(interface{ Exchanges() bool }); ok && s.Exchanges() && (o.Anchor || o.PriorScale > 0) {
		return nil, errors.New("neural: anchor and prior_scale: this sampler swaps the positions of chains, whose targets would differ: want false and 0")
	}
	n.Fields = n.state
	n.diagnose.Chains = make([]diagnostics.Chain, o.Chains)
	return n, nil
}

// addChain adds a chain, with random streams that are children of r.
func (n *Network) addChain(passes *lists.Free[*nn.Pass], r *stream.Stream, newTarget newTarget) {
	target := &regression{
		model: n.model, passes: passes, buffer: n.buffer, batchSize: n.o.Batch, dataSize: n.o.DataSize,
		prior: n.penalties(), scale: n.scale, rand: r.Child("batch"),
	}
	if d := n.o.Dropout; d.Rate > 0 {
		rand := r.Child("dropout")
		target.dropout = &nn.Dropout{Rate: d.Rate, Samples: d.TrainSamples, Rand: rand}
		n.dropout = append(n.dropout, &nn.Dropout{Rate: d.Rate, Samples: d.Samples, Rand: rand})
	}
	if n.priors != nil {
		target.offsets = n.priors.values[len(n.chains)]
	}
	x := make([]float32, n.model.Dim())
	n.model.Init(x, r.Child("init"))
	n.anchor(target, x)
	t, x := newTarget(len(n.chains), target, x)
	n.targets, n.data, n.chains = append(n.targets, t), append(n.data, target), append(n.chains, posterior.NewChain(t, x))
}

// reduceEnergy gives each chain a reference, which reduces its energy's variance and is renewed every refresh steps.
func (n *Network) reduceEnergy(refresh int) {
	for _, r := range n.data {
		r.reference = &reference{refresh: refresh}
	}
}

// errNotMade is returned by Observe and Update of a zero Network.
var errNotMade = errors.New("neural: a Network without chains: want one of NewNetwork")

// Observe adds a row to the replay buffer.
func (n *Network) Observe(context []float32, arm int, reward float64) error {
	if n.buffer == nil {
		return errNotMade
	}
	if err := n.buffer.Add(context, arm, reward); err != nil {
		return err
	}
	n.scale.fresh++
	n.inputs.observe(context)
	slot := (n.buffer.Next + n.o.Buffer - 1) % n.o.Buffer
	n.priors.observe(n.buffer, slot, slot+1)
	if n.leverage != nil {
		n.leverage.Add(context, arm, &n.inputs.Vectors)
	}
	return nil
}

// Explore sets need, contexts × arms, to the leverage of each arm that must be pulled in a context, and to 0 for the
// other arms. Before training starts, every arm must be pulled; later, the arms that package leverage asks for. Without
// the option coverage, none must be.
func (n *Network) Explore(need []float64, contexts [][]float32) error {
	clear(need)
	if n.leverage == nil {
		return nil
	}
	if err := n.checkContexts(contexts); err != nil {
		return err
	}
	for i, c := range contexts {
		n.leverage.Need(need[i*n.arms:(i+1)*n.arms], c, &n.inputs.Vectors, n.steps == 0 && (n.o.Steps > 0 || !n.training()))
	}
	return nil
}

// Update ends a round. If the buffer holds more than TrainAfter rows, it does the round's gradient steps.
func (n *Network) Update(ctx context.Context) error {
	if n.buffer == nil {
		return errNotMade
	}
	n.round++
	clear(n.ranges)
	if err := n.scale.addResiduals(n); err != nil {
		return err
	}
	if !n.training() {
		return nil
	}
	if n.o.OwnScale {
		n.scale.begin(n)
	}
	if s, ok := n.sampler.(posterior.RoundStarter); ok {
		s.StartRound(n.round-1, n.rounds)
	}
	for range n.o.Steps {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := n.sampler.Step(n.chains); err != nil {
			return err
		}
		n.steps += int64(len(n.chains))
		for i := range n.chains {
			n.ranges[i].add(n.chains[i].Multiplier)
		}
	}
	return nil
}

// training reports whether the buffer has enough rows for training. It ignores the option steps, which can be 0.
func (n *Network) training() bool { return n.buffer.N > n.o.TrainAfter }

// Predict writes the values of all arms in all contexts to dst. It returns an error if a value is not finite: if a
// chain diverges in a round's last step, predictions follow at once, and the sampler notices it only in its next step.
func (n *Network) Predict(dst []float64, contexts [][]float32, how posterior.Prediction) error {
	n.checkRoom("predict", dst, contexts)
	if err := how.Validate(); err != nil {
		return err
	}
	for c := range n.values {
		n.values[c] = slices.Grow(n.values[c][:0], len(dst))[:len(dst)]
		if err := n.Output(n.values[c], c, contexts, how); err != nil {
			return err
		}
	}
	return n.Combine(dst, n.values, how)
}

// checkRoom panics unless the length of dst is len(contexts) × arms.
func (n *Network) checkRoom(what string, dst []float64, contexts [][]float32) {
	if len(dst) != len(contexts)*n.arms {
		panic(fmt.Sprintf("neural: %s: room for %d values of %d contexts with %d arms", what, len(dst), len(contexts), n.arms))
	}
}

// DrawSamples fills dst with samples. A sample has the values of one chain, drawn by weight, with one dropout mask.
func (n *Network) DrawSamples(dst []float64, contexts [][]float32) error {
	return n.samples(dst, contexts, func(sample []float64, contexts [][]float32) error {
		return n.draw(sample, contexts, len(contexts), n.Parameters)
	})
}

// samples fills dst with samples, each written by joint.
func (n *Network) samples(dst []float64, contexts [][]float32, joint func(sample []float64, contexts [][]float32) error) error {
	for sample := range slices.Chunk(dst, max(1, len(contexts)*n.arms)) {
		if err := joint(sample, contexts); err != nil {
			return err
		}
	}
	return nil
}

// draw writes predictions to dst. Contexts are divided into groups of the given size. For each group it draws a chain
// by weight and a dropout mask, and the network has the parameters that the function parameters returns for the chain.
func (n *Network) draw(dst []float64, contexts [][]float32, size int, parameters func(chain int) []float32) error {
	n.checkRoom("predict", dst, contexts)
	n.setWeights()
	rest := dst
	for group := range slices.Chunk(contexts, max(1, size)) {
		c, most := n.drawChain(), predictBatch
		x := parameters(c)
		var mask stream.Stream // the stream of dropout masks, copied so that each context of a group draws the same mask
		if n.dropout != nil {
			most, mask = 1, *n.dropout[c].Rand
		}
		for batch := range slices.Chunk(group, most) {
			if err := n.encode(batch); err != nil {
				return err
			}
			if n.dropout != nil {
				*n.dropout[c].Rand = mask
			}
			for i, v := range n.outputs(c, x, &n.rows, n.mask(c, posterior.Draw)) {
				rest[i] = float64(v)
			}
			rest = rest[len(batch)*n.arms:]
		}
	}
	return n.finish(dst)
}

// Output writes the outputs of chain c to dst, contexts × arms. Combine makes predictions from those of all chains.
func (n *Network) Output(dst []float32, c int, contexts [][]float32, how posterior.Prediction) error {
	for batch := range slices.Chunk(contexts, predictBatch) {
		if err := n.encode(batch); err != nil {
			return err
		}
		dst = dst[copy(dst, n.outputs(c, n.chains[c].X, &n.rows, n.mask(c, how))):]
	}
	return nil
}

// Combine writes the predictions of Predict to dst, given each chain's Output, which another process may have computed.
// A value is the weighted mean of the chains' outputs or, for a draw, the output of one chain, drawn anew per context.
func (n *Network) Combine(dst []float64, outputs [][]float32, how posterior.Prediction) error {
	n.setWeights()
	clear(dst)
	for first := 0; first < len(dst); first += n.arms {
		values, picked := dst[first:first+n.arms], 0
		if how == posterior.Draw {
			picked = n.drawChain()
		}
		for c := range n.chains {
			for i, f := range outputs[c][first : first+n.arms] {
				if how == posterior.Mean {
					values[i] += float64(n.weights[c] * float64(f))
				} else if c == picked {
					values[i] = float64(f)
				}
			}
		}
	}
	return n.finish(dst)
}

// outputs returns chain c's outputs for the rows with parameters x. It ignores elements after the network's parameters.
func (n *Network) outputs(c int, x []float32, rows *nn.Rows, mask *nn.Dropout) []float32 {
	out := n.predictor.Forward(x[:n.model.Dim()], rows, mask)
	n.priors.add(out, c, rows)
	return out
}

// setWeights sets the weights of chains, with sum 1, equal if the sampler is no Weigher or all its weights are 0.
func (n *Network) setWeights() {
	for i := range n.weights {
		n.weights[i] = 1
	}
	if w, ok := n.sampler.(posterior.Weigher); ok {
		w.Weights(n.weights)
	}
	sum := 0.0
	for _, w := range n.weights {
		sum += w
	}
	for i := range n.weights {
		if n.weights[i] /= sum; sum == 0 {
			n.weights[i] = 1 / float64(len(n.weights))
		}
	}
}

// finish converts outputs in dst to rewards. It returns an error if a reward is not finite.
func (n *Network) finish(dst []float64) error {
	for i, v := range dst {
		dst[i] = n.scale.reward(v)
		if err := finite("value", i%n.arms, dst[i]); err != nil {
			return err
		}
	}
	return nil
}

// finite returns an error if v is not finite. The error names the arm and what v is.
func finite(what string, arm int, v float64) error {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return fmt.Errorf("neural: predict: the %s of arm %d is %g: %w: the learning rate is too high, or a reward too large", what, arm, v, posterior.ErrDiverged)
	}
	return nil
}

// mask returns the dropout for a prediction of chain c, or nil without dropout. A draw uses a single mask.
func (n *Network) mask(c int, how posterior.Prediction) *nn.Dropout {
	if n.dropout == nil {
		return nil
	}
	if how == posterior.Draw {
		n.single = *n.dropout[c]
		n.single.Samples = 1
		return &n.single
	}
	return n.dropout[c]
}

// encode sets n.rows to the contexts: standardized with own_scale and a dense buffer, else sparse if all are one-hot.
func (n *Network) encode(contexts [][]float32) error {
	if err := n.checkContexts(contexts); err != nil {
		return err
	}
	n.rows.Reset()
	standardize := n.o.OwnScale && n.buffer.IsDense()
	sparse := !standardize
	for i := 0; sparse && i < len(contexts); i++ {
		if n.ones, sparse = nn.Ones(n.ones[:0], contexts[i]); sparse {
			n.rows.AppendSparse(n.ones)
		}
	}
	if sparse {
		return nil
	}
	n.rows.Reset()
	for _, c := range contexts {
		if standardize {
			n.inputs.standardize(n.scale.input, c)
			c = n.scale.input
		}
		n.rows.AppendDense(c)
	}
	return nil
}

func (n *Network) checkContexts(contexts [][]float32) error {
	for _, c := range contexts {
		if len(c) != n.dim {
			return fmt.Errorf("neural: predict: a context has %d elements, want %d", len(c), n.dim)
		}
	}
	return nil
}

// drawChain returns a chain, drawn with the probabilities that setWeights computed last.
func (n *Network) drawChain() int {
	return stream.Choose(len(n.weights), n.draws.Float64(), func(i int) float64 { return n.weights[i] })
}

// Diagnostics returns the diagnostics of the last round. Before training has started, it returns the zero value.
func (n *Network) Diagnostics() diagnostics.Round {
	if n.steps == 0 {
		return diagnostics.Round{}
	}
	d := &n.diagnose
	var bins []int
	if h, ok := n.sampler.(posterior.Histogrammer); ok {
		d.Theta, bins = h.Histogram()
	}
	if m, ok := n.sampler.(interface{ Series() []diagnostics.Series }); ok {
		d.Series = m.Series()
	}
	for i := range n.chains {
		c := &d.Chains[i]
		*c = diagnostics.Chain{Energy: n.chains[i].Energy}
		if bins != nil {
			c.Bin = bins[i]
		}
		c.MultiplierMin, c.MultiplierMean, c.MultiplierMax = n.ranges[i].summary()
	}
	n.setWeights()
	squares := 0.0
	for _, w := range n.weights {
		squares += float64(w * w)
	}
	d.WeightESS = 1 / squares
	return *d
}

// Parameters returns the parameters of a chain. The slice belongs to the network.
func (n *Network) Parameters(chain int) []float32 { return n.chains[chain].X }

// Weights returns the chains' weights in a prediction, which sum to 1. The slice belongs to the network.
func (n *Network) Weights() []float64 {
	n.setWeights()
	return n.weights
}

// Steps returns the number of gradient steps so far, of all chains together.
func (n *Network) Steps() int64 { return n.steps }

// Rounds returns the number of rounds that have ended.
func (n *Network) Rounds() int { return n.round }

// Work returns the approximate number of operations in the gradient steps of a round. A multiplication of a row's
// forward pass counts as six: itself and an addition, the same two for the gradient of the weights, and the same two
// for the gradient of the activations.
func (n *Network) Work() float64 {
	return 6 * float64(n.model.Products()) * float64(n.o.Batch) * float64(n.o.Steps) * float64(n.o.Chains)
}

// multiplierSum summarizes the gradient multipliers of one chain over a round.
type multiplierSum struct {
	n              int
	low, high, sum float64
}

func (s *multiplierSum) add(m float64) {
	if s.n == 0 {
		s.low, s.high = m, m
	}
	s.low, s.high = math.Min(s.low, m), math.Max(s.high, m)
	s.sum += m
	s.n++
}

// summary returns the smallest, mean and largest multiplier; all 1 if there was no step.
func (s *multiplierSum) summary() (low, mean, high float64) {
	if s.n == 0 {
		return 1, 1, 1
	}
	return s.low, s.sum / float64(s.n), s.high
}
