package neural

import "slices"

// With the option anchor, the prior mean of the hidden layers' parameters in each chain is their initial value x₀
// (Pearce, Leibfried and Neely, AISTATS 2020; Zhou, Li and Gu, ICML 2020). With parameters x_l of layer l and their
// prior precision λ_l, the penalty is
//
//	Σ_l λ_l‖x_l − x₀_l‖²/2,  with x₀_l = 0 for the last layer and the skip
//
// With a prior mean of 0, hidden layers shrink to 0 while the rewards carry little information about them. At 0 the
// gradient of each layer is 0, so that at temperature 0 no later reward moves the layer.
//
// With option R = last_decay_limit, the prior precision λ_a of the last layer's k weights a is its maximum likelihood
// estimate k/‖a‖² within two limits. They depend on λ, the precision without R, and on the number n of rows held:
//
//	λ_a = min(max(k/‖a‖², λ), Rλ·max(1, n/500))
//
// Weights that fit only noise do not lower λ_a. Let h be the sum over the rows of the squares of a weight's feature, in
// units of the noise. Noise alone makes the weight as large as √h/(h + λ_a). The square of this is at most 1/(4λ_a), so
// that ‖a‖² is at most k/(4λ_a), and the estimate at least 4λ_a. Because h grows with n, the upper limit grows too:
// otherwise many rows would outweigh the prior, and weights that fit noise would stay. A function that the rewards
// support makes weights of the order of h/(h + λ_a). These are larger if h > 1, and so lower the estimate.

// anchor makes x, the initial parameters of a chain, the prior mean of its hidden layers if the option anchor is set.
func (n *Network) anchor(r *regression, x []float32) {
	if !n.o.Anchor {
		return
	}
	r.anchor = slices.Clone(x)
	clear(r.anchor[n.last().Weights:])
}

// decayRows is the number of rows above which the upper limit of λ_a grows.
const decayRows = 500

// learnDecay sets λ_a, the prior precision of the last layer, of each chain. Without last_decay_limit it does nothing.
func (n *Network) learnDecay() {
	if n.o.LastDecayLimit == 0 {
		return
	}
	last := n.last()
	least := n.o.WeightDecay * float64(last.In)
	limit := n.o.LastDecayLimit * least * max(1, float64(n.buffer.N)/decayRows)
	for i, r := range n.data {
		squares := 0.0
		for _, v := range n.chains[i].X[last.Weights:last.Bias] {
			squares += float64(v) * float64(v) // the square of a float32 is exact in float64, so FMA gives the same result
		}
		r.lastPrior(last.Weights).lambda = min(max(float64(last.Bias-last.Weights)/squares, least), limit)
	}
}

// lastPrior returns the prior of the parameters that start at index first.
func (t *regression) lastPrior(first int) *penalty {
	return &t.prior[slices.IndexFunc(t.prior, func(p penalty) bool { return p.first == first })]
}
