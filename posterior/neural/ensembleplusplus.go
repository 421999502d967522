package neural

import (
	"math"

	"banditsim/bandit/stream"
	"banditsim/internal/check"
	"banditsim/internal/kernel"
	"banditsim/internal/state"
	"banditsim/posterior"
)

type ensemblePlusPlusOptions struct {
	langevinNetwork
	Components int     `json:"components"` // ensemble components of an arm, M; 1 to 64
	Lambda     float64 `json:"lambda"`     // precision of a last-layer weight before any reward, in units of 1/noise²; above 0
	Noise      float64 `json:"noise"`      // standard deviation of a reward's noise, in units of reward (own_scale: of the estimated noise); at least 0
}

// EnsemblePlusPlus is Ensemble++ (Li, Xu, Wang and Luo, Scalable exploration via Ensemble++, NeurIPS 2025): a network
// and, over its last hidden layer φ with a constant 1, M linear components for each arm a, the columns of a matrix A_a
// (see factors). A drawn value is
//
//	f(c)[a] + φ(c)·A_a ζ,  ζ ~ N(0, I)
//
// with a new ζ for each context; the mean is f. Each gradient step of the network also moves the components, on the
// same batch, against the gradient of the energy
//
//	(N/n) Σ_B Σ_m (φ·A_m − ν z_m)² + (N/L)·λ‖A − A⁰‖²
//
// of a batch B of n rows, with L rows in the buffer, N of type regression, and z, ν, λ and A⁰ of type factors; φ is
// fixed. The source's loss is a mean over ±z and ±ζ, in which products of the two errors cancel: the squared errors of
// f and of the components are left. The source has separate options for prior weights and weight decay; here λ sets
// both. With h units in the layer and K arms, a reward costs M random signs, a step O(hM) per row, and a draw O(hMK).
func EnsemblePlusPlus() posterior.Kind[ensemblePlusPlusOptions] {
	return kind("EnsemblePlusPlus", "Ensemble++: a network with an ensemble of linear components on its last hidden layer, combined at random",
		func() ensemblePlusPlusOptions { return ensemblePlusPlusOptions{trained(1), 16, 0.25, 1} },
		ensemblePlusPlusOptions.build, (*ensemblePlusPlusOptions).makeSmall)
}

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
		p.components = append(p.components, &components{t, e, o.Noise, r, make([]uint64, o.Buffer)})
		return p.components[chain], x
	},
		check.Within("components", o.Components, 1, maxComponents), check.Positive("lambda", o.Lambda), check.NotNegative("noise", o.Noise),
		check.That(width > 0, "hidden: no layer, want at least one: the ensemble is over the last layer's outputs"),
		check.That(numbers <= check.MaxNumbers, "components: %.3g numbers for %d arms, want at most %.3g", numbers, setup.Arms, check.MaxNumbers))
	if err != nil {
		return nil, err
	}
	p.perturbed, p.zeta = newPerturbed(n, setup), make([]float32, o.Components)
	p.sample = p.combine
	n.extend(func(c *state.Codec) { c.Object(p.noise) })
	return p, nil
}

// components is the Target of a chain whose position is the network's parameters followed by A.
type components struct {
	*regression
	ensemble *factors
	nu       float64        // ν
	rand     *stream.Stream // draws z
	signs    []uint64       // signs of z, one element per slot of the buffer
}

func (t *components) Dim() int { return t.regression.Dim() + t.ensemble.len() }

// EnergyGrad returns Û of the network. It writes the gradient of the regression, then that of the components' energy.
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
		phi := features[i*stride:][:t.ensemble.features-1]
		t.ensemble.add(grad[d:], x[d:], phi, int(arm), t.signs[t.batch.Slots[i]], nu, t.dataSize/float64(t.batch.Rows.N))
	}
	return t.energyGrad(pass, grad[:d], x[:d], out), nil
}

// rescale multiplies A, which is in the unit of the rewards, by ratio.
func (t *components) rescale(x []float32, ratio float64) { multiply(x[t.regression.Dim():], ratio) }

func (t *components) state(c *state.Codec) {
	t.regression.state(c)
	c.Object(t.rand)
	for i := range t.signs[:t.buffer.N] {
		c.Uint64(&t.signs[i])
	}
}

type ensemblePlusPlus struct {
	perturbed
	components []*components // targets of the chains
	zeta       []float32
}

// combine returns the parameters of a chain with Aζ added to the last layer.
func (p *ensemblePlusPlus) combine(chain int) []float32 {
	x, d, last := p.chains[chain].X, p.model.Dim(), p.last()
	copy(p.x, x[:d])
	p.noise.Normals(p.zeta)
	p.components[chain].ensemble.combine(p.x[last.Weights:last.End], x[d:], p.zeta)
	return p.x
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

// maxComponents is the largest M: the signs of a z are bits of a uint64.
const maxComponents = 64

// factors are the ensemble of Ensemble++ over given features: for each arm M components, the columns of a matrix A
// whose random combinations Aζ have the covariance of a Bayesian linear regression, though no covariance is computed.
//
// Each reward of the arm has features φ and a random vector z with E zzᵀ = I/M. With ν the standard deviation of a
// reward about its mean, column m of A is the ridge regression of ν·z_m on φ towards a random A⁰_m, not 0: it minimizes
//
//	Σ (φ·A_m − ν z_m)² + λ‖A_m − A⁰_m‖²,   A⁰ = (ν/√λ)·S
//
// with a random S, E SSᵀ = I. So A = (Σφφᵀ + λI)⁻¹(ν Σφzᵀ + λA⁰), as in the source's recursion for A_t, and E AAᵀ =
// ν²(Σφφᵀ + λI)⁻¹. If w is the posterior mean of the weights and ζ ~ N(0, I), then w + Aζ is a draw of the posterior.
// The elements of z and S are ±1/√M with equal probability, one of the source's distributions, so that the signs of z,
// or of a row of S, fit in 64 bits.
//
// A factors does not hold the matrices A. They belong to the caller, as arms × features × M numbers.
type factors struct {
	features, m int
	lambda      float64
	start       []uint64  // signs of S, by arm and feature
	side        float64   // 1/√M
	residual    []float32 // scratch of add
}

// newFactors returns an ensemble for the numbers of arms, features and components (1 to maxComponents), with A⁰ from r.
func newFactors(arms, features, components int, lambda float64, r *stream.Stream) *factors {
	e := &factors{
		features: features, m: components, lambda: lambda,
		start: make([]uint64, arms*features), side: 1 / math.Sqrt(float64(components)), residual: make([]float32, components),
	}
	r.Uint64s(e.start)
	return e
}

func (e *factors) len() int { return len(e.start) * e.m }

// corner returns element k of a vector whose elements have these signs: 1/√M if bit k is set, else −1/√M.
func (e *factors) corner(signs uint64, k int) float64 {
	if signs>>k&1 == 1 {
		return e.side
	}
	return -e.side
}

// begin sets A to A⁰.
func (e *factors) begin(a []float32, nu float64) {
	for i, signs := range e.start {
		for k := range e.m {
			a[i*e.m+k] = float32(nu / math.Sqrt(e.lambda) * e.corner(signs, k))
		}
	}
}

// prior sets grad to the gradient of scale·λ‖A − A⁰‖².
func (e *factors) prior(grad, a []float32, nu, scale float64) {
	for i, signs := range e.start {
		for k := range e.m {
			start := nu / math.Sqrt(e.lambda) * e.corner(signs, k)
			grad[i*e.m+k] = float32(2 * scale * e.lambda * (float64(a[i*e.m+k]) - start))
		}
	}
}

// add adds the gradient of scale·Σ_m (φ·A_m − ν z_m)² for one reward of an arm, where z has the given signs. phi is φ
// without its last feature, the constant 1.
func (e *factors) add(grad, a, phi []float32, arm int, signs uint64, nu, scale float64) {
	first := arm * e.features * e.m
	for k := range e.residual {
		e.residual[k] = float32(-nu * e.corner(signs, k))
	}
	e.each(phi, func(at int, v float32) { kernel.Axpy(e.residual, v, a[first+at:][:e.m]) })
	for k := range e.residual {
		e.residual[k] *= float32(2 * scale)
	}
	e.each(phi, func(at int, v float32) { kernel.Axpy(grad[first+at:][:e.m], v, e.residual) })
}

// each calls f for each nonzero feature and the constant. v is the feature, and at the start of its row in an arm's A.
func (e *factors) each(phi []float32, f func(at int, v float32)) {
	for j, v := range phi {
		if v != 0 {
			f(j*e.m, v)
		}
	}
	f(len(phi)*e.m, 1)
}

// combine adds Aζ to the weights of a layer, which are features × arms. Their last row belongs to the constant feature.
func (e *factors) combine(weights, a, zeta []float32) {
	arms := len(e.start) / e.features
	for arm := range arms {
		for j := range e.features {
			sum := float32(0)
			for k, z := range zeta {
				sum += float32(z * a[(arm*e.features+j)*e.m+k])
			}
			weights[j*arms+arm] += sum
		}
	}
}
