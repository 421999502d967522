package neural

import (
	"banditsim/bandit/stream"
	"banditsim/internal/check"
	"banditsim/internal/state"
	"banditsim/nn"
	"banditsim/posterior"
)

// ensemblePlusPlusOptions are the options of EnsemblePlusPlus.
type ensemblePlusPlusOptions struct {
	langevinNetwork
	Components int     `json:"components"` // ensemble components of an arm, M; 1 to 64
	Lambda     float64 `json:"lambda"`     // precision of a last-layer weight before any reward, in units of 1/noise²; above 0
	Noise      float64 `json:"noise"`      // standard deviation of a reward about its mean, in units of reward; with own_scale of their noise; at least 0
}

// EnsemblePlusPlus is Ensemble++ (Li, Xu, Wang and Luo, Scalable exploration via Ensemble++, NeurIPS 2025): a network and, over its last
// hidden layer φ with a constant 1, an ensemble of M linear components for each arm (factors). A value is
//
//	f(c)[a] + φ(c)·A_a ζ,  ζ ~ N(0, I)
//
// with ζ drawn for each context, the mean f. The components descend with the network, one step for each of its steps and on the same
// batches, from the energy
//
//	(N/n) Σ_B Σ_m (φ·A_m − ν z_m)² + (N/rows)·λ‖A − A⁰‖²
//
// without a gradient to φ: what the source's loss, symmetric in ±ζ, comes to. Where its fixed prior weights and its
// weight decay are two options, here λ is both. A reward costs M random signs, a step O(hM) a row for a layer of h, a
// draw O(hMK) for K arms.
func EnsemblePlusPlus() posterior.Kind[ensemblePlusPlusOptions] {
	return kind("EnsemblePlusPlus", "Ensemble++: a network with an ensemble of linear components on its last hidden layer, combined at random",
		func() ensemblePlusPlusOptions { return ensemblePlusPlusOptions{trained(1), 16, 0.25, 1} },
		ensemblePlusPlusOptions.build, (*ensemblePlusPlusOptions).makeSmall)
}

// build validates the options and returns the posterior before training.
func (o ensemblePlusPlusOptions) build(setup posterior.Setup) (*ensemblePlusPlus, error) {
	width := 0
	if len(o.Hidden) > 0 {
		width = o.Hidden[len(o.Hidden)-1]
	}
	numbers := float64(width+1) * float64(setup.Arms) * float64(o.Components) * float64(o.Chains)
	p := &ensemblePlusPlus{}
	n, err := o.network(setup, func(chain int, t *regression, x []float32) (chainTarget, []float32) {
		r := setup.Stream.Child("chain", chain, "components")
		e := newFactors(setup.Arms, width+1, o.Components, o.Lambda, r.Child("start"))
		d := len(x)
		x = append(x, make([]float32, e.len())...)
		e.begin(x[d:], o.Noise)
		p.components = append(p.components, &components{t, e, width, o.Noise, r, make([]uint64, o.Buffer)})
		return p.components[chain], x
	},
		check.Within("components", o.Components, 1, maxComponents), check.Positive("lambda", o.Lambda), check.NotNegative("noise", o.Noise),
		check.That(width > 0, "hidden: no layer, want at least one: the ensemble is over the last layer's outputs"),
		check.That(numbers <= check.MaxNumbers, "components: %.3g numbers for %d arms, want at most %.3g", numbers, setup.Arms, check.MaxNumbers))
	if err != nil {
		return nil, err
	}
	p.perturbed, p.last, p.zeta = newPerturbed(n, setup), n.last(), make([]float32, o.Components)
	p.sample = p.combine
	n.more = func(c *state.Codec) { c.Object(p.noise) }
	return p, nil
}

// components is the target of a chain at the network's parameters and, behind them, A.
type components struct {
	*regression
	ensemble *factors
	width    int            // of the last hidden layer
	nu       float64        // ν
	rand     *stream.Stream // draws z
	signs    []uint64       // those of z, slot by slot
}

func (t *components) Dim() int { return t.regression.Dim() + t.ensemble.len() }

// EnergyGrad returns Û of the network.
func (t *components) EnergyGrad(grad, x []float32) (float64, error) {
	t.draw()
	pass := t.passes.Take()
	defer t.passes.Give(pass)
	d := t.regression.Dim()
	out := pass.Forward(x[:d], &t.batch.Rows, t.dropout)
	nu := t.nu * t.scale.noise()
	t.ensemble.prior(grad[d:], x[d:], nu, t.dataSize/float64(t.buffer.N))
	features, stride := pass.Features()
	for i, arm := range t.batch.Arms {
		phi := features[i*stride:][:t.width]
		t.ensemble.add(grad[d:], x[d:], phi, int(arm), t.signs[t.batch.Slots[i]], nu, t.dataSize/float64(t.batch.Rows.N))
	}
	return t.energyGrad(pass, grad[:d], x[:d], out), nil
}

// rescale multiplies A by a ratio of units of reward.
func (t *components) rescale(x []float32, ratio float64) { multiply(x[t.regression.Dim():], ratio) }

func (t *components) state(c *state.Codec) {
	t.regression.state(c)
	c.Object(t.rand)
	for i := range t.signs[:t.buffer.N] {
		c.Uint64(&t.signs[i])
	}
}

// ensemblePlusPlus is the posterior that EnsemblePlusPlus declares.
type ensemblePlusPlus struct {
	perturbed
	components []*components // targets of the chains
	last       nn.Layer
	zeta       []float32
}

// combine sets x to the parameters of a chain with Aζ added to the last layer.
func (p *ensemblePlusPlus) combine(chain int) {
	x, d := p.chains[chain].X, p.model.Dim()
	copy(p.x, x[:d])
	p.noise.Normals(p.zeta)
	p.components[chain].ensemble.combine(p.x[p.last.Weights:p.last.End], x[d:], p.zeta)
}

// Observe adds a row to the replay buffer, and draws its z for each chain.
func (p *ensemblePlusPlus) Observe(context []float32, arm int, reward float64) error {
	slot := p.buffer.Next
	if err := p.Network.Observe(context, arm, reward); err != nil {
		return err
	}
	for _, t := range p.components {
		t.signs[slot] = t.rand.Uint64()
	}
	return nil
}
