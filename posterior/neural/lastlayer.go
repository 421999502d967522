package neural

import (
	"context"
	"iter"
	"math"
	"slices"

	"banditsim/internal/check"
	"banditsim/internal/ridge"
	"banditsim/internal/state"
	"banditsim/nn"
	"banditsim/posterior"
	"banditsim/posterior/neural/internal/replay"
)

// lastLayerOptions are the options of NeuralLinear and LastLayerLaplace.
type lastLayerOptions struct {
	langevinNetwork
	Lambda float64 `json:"lambda"` // precision of a last-layer weight before any reward, in units of 1/noise²; 1e-12 to 1e12
	Noise  float64 `json:"noise"`  // standard deviation of a reward's noise, in units of reward (own_scale: of the estimated noise); above 0
	Refit  int     `json:"refit"`  // every so many training rounds, the regressions are refitted to the network's new features
}

// NeuralLinear is Bayesian linear regression on the last hidden layer of a network that keeps training (Riquelme,
// Tucker and Snoek, ICLR 2018, section 4). With φ the last hidden layer and a constant 1, for each arm,
//
//	A = λI + Σ φφᵀ,  b = Σ reward·φ,  w | rewards ~ N(A⁻¹b, noise²·A⁻¹),  value = w·φ
//
// A reward is added with its features in the current network. After every Refit training rounds, A and b are recomputed
// from the rows of the replay buffer, with their features in the network of that moment. So rewards that have left the
// buffer are forgotten; the source keeps all. The noise is an option, as in package exact; the source gives its
// variance an inverse gamma prior. λ = 0.25 is the source's.
//
// φ has neither the linear path of the option skip nor the prior function of prior_scale. With one of them, the
// regressions therefore fit the residuals of the network, and a value is the network's output plus w·φ.
//
// UCB over it is NeuralLinUCB (Xu, Wen, Zhao and Gu, ICLR 2022, algorithm 1): with λ = noise = 1, A, b, w and the width
// √(φᵀA⁻¹φ) are as in that source. That source never recomputes A and b; here, a refit above the number of training
// rounds has this effect. Its arms share w, as with model: shared, and its φ has no constant. It trains the network
// from the initial weights on (wᵢ·φ(xᵢ) − rewardᵢ)², where wᵢ is w when reward i was observed; here training continues
// from the weights of the previous round, and the network has its own output layer.
//
// Several chains count as one network, whose last layer has all their h units. A reward costs a forward pass and O(h²),
// a context a forward pass and O(h²) per arm, a refit a forward pass over the buffer, O(h²) per row and O(h³) per arm.
func NeuralLinear() posterior.Kind[lastLayerOptions] {
	return lastLayerKind("NeuralLinear", "Bayesian linear regression on a network's last hidden layer", false)
}

// LastLayerLaplace is the Laplace approximation over the last layer's weights (Daxberger et al., NeurIPS 2021, section
// 3; Kristiadi, Hein and Hennig, ICML 2020): a Gaussian around the trained weights. Its precision is that of the prior
// plus the Hessian of the squared errors over 2·noise²:
//
//	value ~ N(f(context)[arm], noise²·φᵀA⁻¹φ),  A = λI + Σ φφᵀ
//
// with f the network's output and φ and A as in NeuralLinear, from which it differs only in the mean.
func LastLayerLaplace() posterior.Kind[lastLayerOptions] {
	return lastLayerKind("LastLayerLaplace", "a network with Laplace's approximation of its last layer", true)
}

func lastLayerKind(name, doc string, laplace bool) posterior.Kind[lastLayerOptions] {
	return kind(name, doc, func() lastLayerOptions { return lastLayerOptions{trained(1), 0.25, 1, 1} },
		func(o lastLayerOptions, setup posterior.Setup) (*lastLayer, error) { return o.build(setup, laplace) }, (*lastLayerOptions).makeSmall)
}

// lastLayer is a network with one regression per arm, of the arm's rewards on the features φ: the outputs of the last
// hidden layers of all chains, one after another, and a constant 1.
type lastLayer struct {
	*Network
	o       lastLayerOptions
	heads   []head
	laplace bool        // the mean is the network's output, not the regression's
	trained int         // training rounds since the last refit
	joint   ridge.Joint // makes the draws of DrawJoint

	phi  []ridge.Vector // features of the current contexts
	all  []float32      // features without the constant, row by row
	out  []float64      // outputs of the network for the current contexts; nil unless the regressions fit its residuals
	rows replay.Batch   // rows of an arm, for a refit
}

// A head is the regression of an arm: A = λI + Σφφᵀ, b = Σrφ, w = A⁻¹b.
type head struct {
	inverse *ridge.Inverse
	w, b    []float64
}

var (
	_ posterior.Posterior   = (*lastLayer)(nil)
	_ posterior.Spreader    = (*lastLayer)(nil)
	_ posterior.JointDrawer = (*lastLayer)(nil)
)

func (o lastLayerOptions) build(setup posterior.Setup, laplace bool) (*lastLayer, error) {
	width := 1
	if len(o.Hidden) > 0 {
		width = o.Chains*o.Hidden[len(o.Hidden)-1] + 1
	}
	numbers := float64(width) * float64(width) * float64(setup.Arms)
	n, err := o.network(setup, plainTarget,
		ridge.CheckPenalty(o.Lambda), check.Positive("noise", o.Noise), check.Within("refit", o.Refit, 1, maxRows),
		check.That(!o.OwnScale || o.Refit == 1, "refit: %d, want 1 with own_scale, which changes the unit of the rewards in each round of training", o.Refit),
		check.That(!o.OwnScale || o.LastDecayLimit == 0 || o.WeightDecay > 0,
			"weight_decay: 0, want above 0, or last_decay_limit: 0: with last_decay_limit the regressions' precision is relative to it"),
		check.That(width > 1, "hidden: no layer, want at least one: the regressions are over the last layer's outputs"), ridge.Check(width, 1),
		check.That(numbers <= check.MaxNumbers, "hidden: %d arms with %d last-layer weights each need %.3g numbers, want at most %.3g", setup.Arms, width, numbers, check.MaxNumbers))
	if err != nil {
		return nil, err
	}
	l := &lastLayer{Network: n, o: o, laplace: laplace, phi: make([]ridge.Vector, predictBatch), all: make([]float32, predictBatch*(width-1))}
	l.extend(l.state)
	if (o.Skip || o.PriorScale > 0) && !laplace {
		l.out = make([]float64, predictBatch*setup.Arms)
	}
	for range setup.Arms {
		l.heads = append(l.heads, head{ridge.New(width, o.Lambda), make([]float64, width), make([]float64, width)})
	}
	return l, nil
}

// features sets l.phi to the rows' features. Unless l.out is nil, it sets l.out to the network's outputs for them.
func (l *lastLayer) features(rows *nn.Rows) {
	width := len(l.heads[0].w) - 1
	h := width / len(l.chains)
	clear(l.out)
	for c := range l.chains {
		out := l.outputs(c, l.chains[c].X, rows, nil)
		for i := range min(len(l.out), len(out)) {
			l.out[i] += float64(out[i]) / float64(len(l.chains))
		}
		features, stride := l.predictor.Features()
		for i := range rows.N {
			copy(l.all[i*width+c*h:][:h], features[i*stride:])
		}
	}
	for i := range rows.N {
		l.phi[i].Set(l.all[i*width:][:width], true)
	}
}

// Observe adds a row to the replay buffer, and its features to the arm's regression.
func (l *lastLayer) Observe(context []float32, arm int, reward float64) error {
	if err := l.Network.Observe(context, arm, reward); err != nil {
		return err
	}
	if err := l.encode([][]float32{context}); err != nil {
		return err
	}
	l.features(&l.Network.rows)
	h, x := &l.heads[arm], &l.phi[0]
	h.add(x, l.target(0, arm, reward))
	h.inverse.Add(x, 1)
	h.inverse.Solve(h.w, h.b)
	return nil
}

// target returns the number to which an arm's regression is fitted, in the network's unit: the argument reward or, if
// l.out is not nil, its residual. i is the index of the row in the last call of features.
func (l *lastLayer) target(i, arm int, reward float64) float64 {
	reward = l.scale.standard(reward)
	if l.out != nil {
		reward -= l.out[i*l.arms+arm]
	}
	return reward
}

// noise returns the standard deviation of a reward about its mean.
func (l *lastLayer) noise() float64 { return l.o.Noise * l.scale.noiseUnit() }

// add adds a reward with features x to b.
func (h *head) add(x *ridge.Vector, reward float64) {
	for k, i := range x.Index {
		h.b[i] += float64(reward * x.Value[k])
	}
}

// Update trains the network. Every Refit training rounds, it fits the regressions to the rows of the replay buffer,
// with their features in the newly trained network. If the option steps is 0, it does so only with own_scale, which
// changes the unit of the rewards.
func (l *lastLayer) Update(ctx context.Context) error {
	if err := l.Network.Update(ctx); err != nil || !l.training() || l.o.Steps == 0 && !l.o.OwnScale {
		return err
	}
	if l.trained++; l.trained < l.o.Refit {
		return nil
	}
	l.trained = 0
	for arm := range l.heads {
		h := &l.heads[arm]
		clear(h.b)
		h.inverse.Refit(l.precision(), l.data(arm))
		h.inverse.Solve(h.w, h.b)
	}
	return nil
}

// precision returns λ of the regressions. It is the option lambda. With own_scale and last_decay_limit, it is
// multiplied by the mean of λ_a·σ̂² over the chains, where learnDecay sets λ_a, and scale.noise returns σ̂.
func (l *lastLayer) precision() float64 {
	if l.o.LastDecayLimit == 0 || !l.o.OwnScale {
		return l.o.Lambda
	}
	sum := 0.0
	for _, r := range l.Network.data {
		sum += r.lastPrior(l.last().Weights).lambda
	}
	noise := l.Network.scale.noise()
	return l.o.Lambda * sum / float64(len(l.chains)) * noise * noise
}

// data yields the features of an arm's rows in the replay buffer. It adds their rewards to the arm's b.
func (l *lastLayer) data(arm int) iter.Seq[*ridge.Vector] {
	return func(yield func(*ridge.Vector) bool) {
		for next := 0; next < l.buffer.N; {
			l.rows.Reset()
			for ; next < l.buffer.N && l.rows.Rows.N < predictBatch; next++ {
				if l.buffer.Arm(next) == arm {
					l.rows.Add(l.buffer, next)
				}
			}
			if l.rows.Rows.N == 0 {
				return
			}
			l.features(&l.rows.Rows)
			for i, reward := range l.rows.Rewards {
				l.heads[arm].add(&l.phi[i], l.target(i, arm, reward))
				if !yield(&l.phi[i]) {
					return
				}
			}
		}
	}
}

// Predict writes the means or, for draws, the values with weights that are drawn independently for each context.
func (l *lastLayer) Predict(dst []float64, contexts [][]float32, how posterior.Prediction) error {
	if err := how.Validate(); err != nil {
		return err
	}
	if err := l.Network.Predict(dst, contexts, posterior.Mean); err != nil {
		return err
	}
	return l.each(contexts, func(at int, h *head, x *ridge.Vector) error {
		if !l.laplace {
			value := x.Dot(h.w)
			if l.out != nil {
				value += l.out[at%l.arms]
			}
			dst[at] = l.Network.scale.reward(value)
		}
		if how == posterior.Draw {
			dst[at] += float64(l.noise() * math.Sqrt(h.inverse.Quad(x)) * l.draws.Normal())
		}
		return finite("value", at%l.arms, dst[at])
	})
}

// Spread writes noise·√(φᵀA⁻¹φ).
func (l *lastLayer) Spread(dst []float64, contexts [][]float32) error {
	l.checkRoom("spread", dst, contexts)
	return l.each(contexts, func(at int, h *head, x *ridge.Vector) error {
		dst[at] = l.noise() * math.Sqrt(h.inverse.Quad(x))
		return finite("standard deviation", at%l.arms, dst[at])
	})
}

// DrawJoint writes the values in all contexts with one draw of each arm's weights.
func (l *lastLayer) DrawJoint(dst []float64, contexts [][]float32) error {
	if err := l.Predict(dst, contexts, posterior.Mean); err != nil {
		return err
	}
	all := make([]ridge.Vector, len(contexts)) // the features are the same for all arms
	err := l.each(contexts, func(at int, _ *head, x *ridge.Vector) error {
		all[at/l.arms] = ridge.Vector{Index: slices.Clone(x.Index), Value: slices.Clone(x.Value)}
		return nil
	})
	if err != nil {
		return err
	}
	for a := range l.heads {
		l.joint.BeginProducts(l.heads[a].inverse, all)
		l.joint.Add(dst[a:], l.arms, l.noise(), l.draws)
	}
	return nil
}

// DrawSamples fills dst with samples of DrawJoint.
func (l *lastLayer) DrawSamples(dst []float64, contexts [][]float32) error {
	return l.samples(dst, contexts, l.DrawJoint)
}

// each calls f for every arm in every context. The arguments of f are the index that the arm's value has in the slice
// dst of Predict, the arm's head and the context's φ.
func (l *lastLayer) each(contexts [][]float32, f func(at int, h *head, x *ridge.Vector) error) error {
	for i := range contexts {
		if err := l.encode(contexts[i : i+1]); err != nil {
			return err
		}
		l.features(&l.Network.rows)
		for arm := range l.heads {
			if err := f(i*l.arms+arm, &l.heads[arm], &l.phi[0]); err != nil {
				return err
			}
		}
	}
	return nil
}

func (l *lastLayer) state(c *state.Codec) {
	c.Int("training rounds since the last refit", &l.trained, 0, maxRows)
	for _, h := range l.heads {
		c.Object(h.inverse)
		c.Float64s(h.w)
		c.Float64s(h.b)
	}
}
