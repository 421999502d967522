package neural

import (
	"math"

	"banditsim/bandit/stream"
	"banditsim/internal/state"
	"banditsim/nn"
	"banditsim/posterior/neural/internal/replay"
)

// priors are the prior functions of a network's chains (Osband, Aslanides and Cassirer, NeurIPS 2018): chain i predicts
//
//	f_i(c) = g_i(c) + β·p_i(c)
//
// g_i is the network that the sampler moves. p_i is a network with the same layers, whose parameters are drawn in the
// same way as the initial ones of g_i and never change. Thus g_i learns rewards minus β·p_i, and chains disagree where
// there are no rewards. With own_scale, the outputs of p_i are shifted and scaled when training starts, so that over
// all arms and all contexts in the buffer their mean is 0 and their standard deviation 1; until then they count as 0.
// Gradient steps take no more time than without prior functions.
type priors struct {
	scale  float64     // β
	ready  bool        // whether the outputs of p_i count: always without own_scale; with it, once begin has scaled them
	x      [][]float32 // parameters of p_i
	values [][]float64 // β·p_i of the arm in each row of the buffer, slot by slot
	pass   *nn.Pass
	batch  replay.Batch
}

// newPriors returns the priors of a network, or nil if prior_scale is 0. Methods of a nil *priors do nothing.
func newPriors(n *Network, r *stream.Stream) *priors {
	if n.o.PriorScale == 0 {
		return nil
	}
	p := &priors{scale: n.o.PriorScale, ready: !n.o.OwnScale, pass: n.model.NewPass(predictBatch)}
	for i := range n.o.Chains {
		x := make([]float32, n.model.Dim())
		n.model.Init(x, r.Child("chain", i).Child("prior"))
		p.x, p.values = append(p.x, x), append(p.values, make([]float64, n.o.Buffer))
	}
	return p
}

// add adds β·p_c to out, the outputs of chain c for the rows.
func (p *priors) add(out []float32, c int, rows *nn.Rows) {
	if p == nil || !p.ready {
		return
	}
	for i, v := range p.pass.Forward(p.x[c], rows, nil) {
		out[i] += float32(p.scale * float64(v))
	}
}

// observe sets the values for the rows of b in slots first to end−1.
func (p *priors) observe(b *replay.Buffer, first, end int) {
	if p == nil || !p.ready {
		return
	}
	p.each(b, first, end, func(c int, out []float32, arms int) {
		for i, slot := range p.batch.Slots {
			p.values[c][slot] = p.scale * float64(out[i*arms+int(p.batch.Arms[i])])
		}
	})
}

// each calls f with the outputs of p_c for the rows of b in slots first to end−1, batch by batch and for each chain c.
func (p *priors) each(b *replay.Buffer, first, end int, f func(c int, out []float32, arms int)) {
	for ; first < end; first += predictBatch {
		p.batch.Fill(b, first, min(first+predictBatch, end))
		for c, x := range p.x {
			out := p.pass.Forward(x, &p.batch.Rows, nil)
			f(c, out, len(out)/p.batch.Rows.N)
		}
	}
}

// begin shifts and scales the outputs by their moments over all arms and rows held. Only its first call has an effect.
func (p *priors) begin(n *Network) {
	if p == nil || p.ready {
		return
	}
	count := float64(n.buffer.N * n.arms)
	mean, squares := make([]float64, len(p.x)), make([]float64, len(p.x))
	p.each(n.buffer, 0, n.buffer.N, func(c int, out []float32, _ int) {
		for _, v := range out {
			mean[c] += float64(v) / count
		}
	})
	p.each(n.buffer, 0, n.buffer.N, func(c int, out []float32, _ int) {
		for _, v := range out {
			squares[c] += float64((float64(v) - mean[c]) * (float64(v) - mean[c]))
		}
	})
	last := n.last()
	for c, x := range p.x {
		sd := math.Sqrt(squares[c] / count)
		if sd == 0 {
			sd = 1
		}
		for j := range x[last.Bias:last.End] {
			x[last.Bias+j] -= float32(mean[c])
		}
		multiply(x[last.Weights:last.End], 1/sd)
	}
	p.ready = true
	p.observe(n.buffer, 0, n.buffer.N)
}

func (p *priors) state(c *state.Codec) {
	if p == nil {
		return
	}
	c.Bool(&p.ready)
	for i := range p.x {
		c.Float32s(p.x[i])
		c.Float64s(p.values[i])
	}
}
