package neural

import (
	"context"
	"slices"

	"banditsim/bandit/stream"
	"banditsim/internal/check"
	"banditsim/internal/kernel"
	"banditsim/internal/state"
	"banditsim/posterior"
	"banditsim/posterior/sgmcmc"
)

type bayesByBackpropOptions struct {
	NetworkOptions
	LearningRate   float64                      `json:"learning_rate"`       // step size, ε
	Decay          float64                      `json:"learning_rate_decay"` // multiplies the learning rate before each training round
	Temperature    float64                      `json:"temperature"`         // temperature, τ
	Preconditioner sgmcmc.PreconditionerOptions `json:"preconditioner"`
	InitialSD      float64                      `json:"initial_sd"` // standard deviation of each parameter before training, above 0
}

// BayesByBackprop is a variational posterior of independent normal parameters (Blundell, Cornebise, Kavukcuoglu and
// Wierstra, ICML 2015). With standard deviations σ = log(1 + exp ρ), and Û and λ of type regression, it minimizes
//
//	F(µ, ρ) = E[Û(w) + λ‖w‖²/2] − τ Σ log σᵢ,  w = µ + σ∘e,  e ~ N(0, I)
//
// Up to a constant, F is τ times the Kullback–Leibler divergence of these distributions from exp(−U/τ), the density
// that the samplers draw from. A step draws a batch and e, and moves µ and ρ, as one vector, against the gradient
//
//	∂F/∂µ = g,  ∂F/∂ρ = (g∘e − τ/σ)·1/(1 + exp(−ρ)),  g = ∇Û(w) + λw
//
// The prior is normal, as for the other networks here; in the source it is a mixture of two normals. A draw is the
// output of the network at a drawn w; the mean is its output at µ.
func BayesByBackprop() posterior.Kind[bayesByBackpropOptions] {
	k := kind("BayesByBackprop", "independent normals over a network's parameters, fitted by variational inference", func() bayesByBackpropOptions {
		l := Over(sgmcmc.PSGLD()).Defaults()
		l.Chains = 1
		return bayesByBackpropOptions{l.NetworkOptions, 1e-6, 1, l.Sampler.Temperature, l.Sampler.Preconditioner, 0.02}
	}, bayesByBackpropOptions.build, (*bayesByBackpropOptions).makeSmall)
	k.Claims = networkClaims
	return k
}

func (o bayesByBackpropOptions) build(setup posterior.Setup) (*bayesByBackprop, error) {
	descent := sgmcmc.Plain(o.LearningRate, 0)
	descent.Decay, descent.Preconditioner = o.Decay, o.Preconditioner
	n, err := newNetwork(o.NetworkOptions, setup, langevinNetwork{o.NetworkOptions, descent}.sampler, func(chain int, r *regression, x []float32) (chainTarget, []float32) {
		d := len(x)
		t := &variational{r, o.Temperature, setup.Stream.Child("chain", chain, "variational"), make([]float32, d), make([]float32, d)}
		return t, append(x, slices.Repeat([]float32{float32(unsoftplus(o.InitialSD))}, d)...)
	}, check.Positive("initial_sd", o.InitialSD), check.NotNegative("temperature", o.Temperature))
	if err != nil {
		return nil, err
	}
	b := &bayesByBackprop{perturbed: newPerturbed(n, setup)}
	for range n.chains {
		b.sds = append(b.sds, make([]float32, n.model.Dim()))
	}
	b.sample = b.perturb
	n.extend(b.state)
	b.refresh()
	return b, nil
}

func (o *bayesByBackpropOptions) makeSmall() {
	l := sgmcmc.LangevinOptions{Preconditioner: o.Preconditioner}.Small()
	o.small()
	o.LearningRate, o.Preconditioner = l.LearningRate, l.Preconditioner
}

// variational is the Target of a chain whose position is (µ, ρ), with the energy F.
type variational struct {
	*regression
	temperature float64
	noise       *stream.Stream
	e, w        []float32 // the last draws of e and w
}

func (t *variational) Dim() int { return 2 * t.regression.Dim() }

// EnergyGrad draws a batch and w. It returns Û(w), and writes the gradient of F for this draw.
func (t *variational) EnergyGrad(grad, x []float32) (float64, error) {
	d := len(t.w)
	t.noise.Normals(t.e)
	for i, e := range t.e {
		sd, _ := softplus(x[d+i])
		t.w[i] = x[i] + float32(float32(sd)*e)
	}
	energy, err := t.regression.EnergyGrad(grad[:d], t.w)
	if err != nil {
		return 0, err
	}
	for i, e := range t.e {
		sd, slope := softplus(x[d+i])
		grad[d+i] = float32((float64(float64(grad[i])*float64(e)) - t.temperature/sd) * slope)
	}
	return energy, nil
}

// rescale multiplies the standard deviations of the last layer and the skip by ratio, as scale.renew does the means.
func (t *variational) rescale(x []float32, ratio float64) {
	layers, skip := t.model.Layers(), t.model.Skip()
	last, rho := layers[len(layers)-1], x[len(t.w):]
	for _, part := range [][]float32{rho[last.Weights:last.End], rho[skip.Weights:skip.End]} {
		for i, r := range part {
			sd, _ := softplus(r)
			part[i] = float32(unsoftplus(ratio * sd))
		}
	}
}

func (t *variational) state(c *state.Codec) {
	t.regression.state(c)
	c.Object(t.noise)
}

// softplus returns log(1 + exp ρ) and its derivative.
func softplus(rho float32) (v, slope float64) {
	x := float64(rho)
	if x > 0 {
		small := kernel.Exp(-x)
		return x + kernel.Log(1+small), 1 / (1 + small)
	}
	e := kernel.Exp(x)
	if e < 1e-8 {
		return e, e // with relative errors below 1e-8
	}
	return kernel.Log(1 + e), e / (1 + e)
}

// unsoftplus is the inverse of softplus: it returns log(exp v − 1).
func unsoftplus(v float64) float64 {
	if v < 1e-4 {
		return kernel.Log(v) + v/2 // with an error below v²
	}
	return v + kernel.Log(1-kernel.Exp(-v))
}

type bayesByBackprop struct {
	perturbed
	sds [][]float32 // standard deviations of the parameters, chain by chain
}

// perturb returns parameters of a chain, drawn from their distribution.
func (b *bayesByBackprop) perturb(chain int) []float32 {
	b.noise.Normals(b.x)
	for i, sd := range b.sds[chain] {
		b.x[i] = b.chains[chain].X[i] + float32(sd*b.x[i])
	}
	return b.x
}

// refresh computes the standard deviations from ρ.
func (b *bayesByBackprop) refresh() {
	for c, sd := range b.sds {
		for i, rho := range b.chains[c].X[len(sd):] {
			v, _ := softplus(rho)
			sd[i] = float32(v)
		}
	}
}

func (b *bayesByBackprop) Update(ctx context.Context) error {
	err := b.Network.Update(ctx)
	b.refresh()
	return err
}

func (b *bayesByBackprop) state(c *state.Codec) {
	c.Object(b.noise)
	b.refresh()
}
