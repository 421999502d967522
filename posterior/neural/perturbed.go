package neural

import (
	"context"
	"math"

	"banditsim/bandit/stream"
	"banditsim/internal/check"
	"banditsim/internal/state"
	"banditsim/posterior"
	"banditsim/posterior/neural/internal/replay"
)

// perturbed is a network whose draws use freshly drawn parameters, such as those of a chain plus normal noise.
type perturbed struct {
	*Network
	sample func(chain int) []float32 // returns drawn parameters; set by the posterior that embeds perturbed
	noise  *stream.Stream
	x      []float32 // drawn parameters
}

var (
	_ posterior.Posterior   = (*perturbed)(nil)
	_ posterior.JointDrawer = (*perturbed)(nil)
)

func newPerturbed(n *Network, setup posterior.Setup) perturbed {
	return perturbed{Network: n, noise: setup.Stream.Child("perturbation"), x: make([]float32, n.model.Dim())}
}

// Predict writes the mean of the chains' outputs or, for draws, the output of a chain with new parameters per context.
func (p *perturbed) Predict(dst []float64, contexts [][]float32, how posterior.Prediction) error {
	if how != posterior.Draw {
		return p.Network.Predict(dst, contexts, how)
	}
	return p.draw(dst, contexts, 1, p.sample)
}

// DrawJoint writes the values of all contexts under one draw of the parameters.
func (p *perturbed) DrawJoint(dst []float64, contexts [][]float32) error {
	return p.draw(dst, contexts, len(contexts), p.sample)
}

// DrawSamples fills dst with samples of DrawJoint.
func (p *perturbed) DrawSamples(dst []float64, contexts [][]float32) error {
	return p.samples(dst, contexts, p.DrawJoint)
}

type paramNoiseOptions struct {
	langevinNetwork
	// Deviation is the size at which the effect of the noise on the values is kept: a root mean square over rows and arms,
	// in units of reward (with own_scale: of the rewards' standard deviation); above 0.
	Deviation float64 `json:"deviation"`
	InitialSD float64 `json:"initial_sd"` // standard deviation of a parameter's noise before it adapts, above 0
}

// ParamNoise is a network whose draws have normal noise on all parameters, with the same standard deviation σ (Plappert
// et al., ICLR 2018; bandits: Riquelme, Tucker and Snoek, ICLR 2018). After each round of training the values f̃ of a
// draw are compared with those without noise, f, on a batch of the replay buffer, and
//
//	σ ← 1.01·σ if √(mean (f̃ − f)²) ≤ Deviation, else σ/1.01
//
// Plappert et al. use this root for continuous actions (appendix C, equation 5), and also layer normalization.
func ParamNoise() posterior.Kind[paramNoiseOptions] {
	return kind("ParamNoise", "a network with noise on its parameters, whose effect on the values is kept at a size",
		func() paramNoiseOptions { return paramNoiseOptions{trained(1), 1, 0.05} }, paramNoiseOptions.build, (*paramNoiseOptions).makeSmall)
}

// noiseFactor is the factor by which σ changes in a round.
const noiseFactor = 1.01

func (o paramNoiseOptions) build(setup posterior.Setup) (*paramNoise, error) {
	n, err := o.network(setup, plainTarget, check.Positive("deviation", o.Deviation), check.Positive("initial_sd", o.InitialSD))
	if err != nil {
		return nil, err
	}
	p := &paramNoise{perturbed: newPerturbed(n, setup), deviation: o.Deviation, sigma: o.InitialSD}
	p.sample = p.perturb
	n.extend(p.state)
	return p, nil
}

type paramNoise struct {
	perturbed
	deviation, sigma float64      // the option Deviation, and σ
	batch            replay.Batch // rows on which values with and without noise are compared
	plain            []float32    // values without noise
}

// perturb returns the parameters of a chain plus noise of standard deviation σ.
func (p *paramNoise) perturb(chain int) []float32 {
	p.noise.Normals(p.x)
	sd := float32(p.sigma)
	for i, mean := range p.chains[chain].X {
		p.x[i] = mean + float32(sd*p.x[i])
	}
	return p.x
}

// Update trains the network and adapts the noise.
func (p *paramNoise) Update(ctx context.Context) error {
	steps := p.steps
	if err := p.Network.Update(ctx); err != nil || p.steps == steps {
		return err
	}
	p.batch.Draw(p.buffer, predictBatch, p.noise)
	squares, n := 0.0, 0
	for c := range p.chains {
		p.plain = append(p.plain[:0], p.predictor.Forward(p.chains[c].X, &p.batch.Rows, nil)...)
		for i, v := range p.predictor.Forward(p.perturb(c), &p.batch.Rows, nil) {
			d := float64(v) - float64(p.plain[i])
			squares += float64(d * d)
			n++
		}
	}
	if math.Sqrt(squares/float64(n)) <= p.deviation {
		p.sigma *= noiseFactor
	} else {
		p.sigma /= noiseFactor
	}
	return nil
}

func (p *paramNoise) state(c *state.Codec) {
	c.Object(p.noise)
	c.Float64(&p.sigma)
}
