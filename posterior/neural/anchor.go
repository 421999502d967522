package neural

import (
	"slices"

	"banditsim/internal/state"
)

// With the option anchor the prior of the hidden layers' parameters has their initial values x₀ as its mean, chain by chain (Pearce,
// Leibfried and Neely, AISTATS 2020; Zhou, Li and Gu, ICML 2020):
//
//	Σ_l λ_l‖x_l − x₀_l‖²/2
//
// About a mean of 0 hidden layers become 0 while rewards say little of them. There the gradient of each is 0, and at temperature 0 no
// later reward moves them.
//
// With the option last_decay_limit, R, the k weights a of the last layer have the most likely precision of k normal numbers, within
// limits that λ, that of weight_decay, and the n rows held set:
//
//	λ_a = min(max(k/‖a‖², λ), Rλ·max(1, n/500))
//
// Weights that fit noise alone do not relax their prior: where the features of a weight have a sum of squares of h, in units of the
// noise, noise makes √h/(h + λ_a) of it, so that ‖a‖² is at most k/(4λ_a). As h grows with n, so does the limit: else many rows
// outweigh it, and what noise makes of a weight stays. A function that rewards speak for makes weights of the order of h/(h + λ_a).

// anchor makes the initial hidden parameters of a chain the mean of their prior. x are the initial parameters.
func (n *Network) anchor(r *regression, x []float32) {
	if !n.o.Anchor {
		return
	}
	r.anchor = slices.Clone(x)
	clear(r.anchor[n.last().Weights:])
}

// decayRows is the number of rows from which on the limit of λ grows.
const decayRows = 500

// learnDecay sets λ of the last layer's weights in each chain.
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
			squares += float64(v) * float64(v) // exact: fused or not, the same bits
		}
		p := r.lastPrior(last.Weights)
		p.lambda = min(max(float64(last.Bias-last.Weights)/squares, least), limit)
	}
}

// lastPrior returns the prior of the parameters from first on.
func (t *regression) lastPrior(first int) *penalty {
	return &t.prior[slices.IndexFunc(t.prior, func(p penalty) bool { return p.first == first })]
}

// anchorState saves the means of the prior, which change when the inputs' units do.
func (t *regression) anchorState(c *state.Codec) {
	if t.anchor != nil {
		c.Float32s(t.anchor)
	}
}
