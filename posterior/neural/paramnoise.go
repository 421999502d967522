package neural

import (
	"context"
	"math"

	"banditsim/internal/check"
	"banditsim/internal/state"
	"banditsim/posterior"
	"banditsim/posterior/neural/internal/replay"
)

// paramNoiseOptions are the options of ParamNoise.
type paramNoiseOptions struct {
	langevinNetwork
	Deviation float64 `json:"deviation"`  // root mean square change of the values that the noise should make, over rows and arms, in units of reward (with own_scale: of their deviation); above 0
	InitialSD float64 `json:"initial_sd"` // standard deviation of a parameter's noise before it adapts, above 0
}

// ParamNoise is a network whose draws have normal noise of one standard deviation σ on all parameters (Plappert et al.,
// ICLR 2018; bandits: Riquelme, Tucker and Snoek, ICLR 2018). After each round of training the values f̃ of a draw are
// compared with those without noise, f, on a batch of the replay buffer, and
//
//	σ ← 1.01·σ if √(mean (f̃ − f)²) ≤ Deviation, else σ/1.01
//
// which is the source's distance for values that are real numbers (its appendix C, equation 5). Its networks have layer
// normalization, these have none.
func ParamNoise() posterior.Kind[paramNoiseOptions] {
	return kind("ParamNoise", "a network with noise on its parameters, whose effect on the values is kept at a size",
		func() paramNoiseOptions { return paramNoiseOptions{trained(1), 1, 0.05} }, paramNoiseOptions.build, (*paramNoiseOptions).makeSmall)
}

// noiseFactor is the factor by which σ adapts.
const noiseFactor = 1.01

// build validates the options and returns the posterior before training.
func (o paramNoiseOptions) build(setup posterior.Setup) (*paramNoise, error) {
	n, err := o.network(setup, plainTarget, check.Positive("deviation", o.Deviation), check.Positive("initial_sd", o.InitialSD))
	if err != nil {
		return nil, err
	}
	p := &paramNoise{perturbed: newPerturbed(n, setup), deviation: o.Deviation, sigma: o.InitialSD}
	p.sample, n.more = p.perturb, p.state
	sds := make([]float32, len(p.x))
	p.sd = func(int) []float32 {
		for i := range sds {
			sds[i] = float32(p.sigma)
		}
		return sds
	}
	return p, nil
}

// paramNoise is the posterior that ParamNoise declares.
type paramNoise struct {
	perturbed
	deviation, sigma float64
	batch            replay.Batch
	plain            []float32
}

// Update trains the network and adapts the noise.
func (p *paramNoise) Update(ctx context.Context) error {
	before := p.steps
	if err := p.Network.Update(ctx); err != nil || p.steps == before {
		return err
	}
	p.batch.Draw(p.buffer, predictBatch, p.noise)
	squares, n := 0.0, 0
	for c := range p.chains {
		p.plain = append(p.plain[:0], p.predictor.Forward(p.chains[c].X, &p.batch.Rows, nil)...)
		p.perturb(c)
		for i, v := range p.predictor.Forward(p.x, &p.batch.Rows, nil) {
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
