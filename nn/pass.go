package nn

import (
	"fmt"
	"slices"
	"unsafe"

	"banditsim/bandit/stream"
	"banditsim/internal/kernel"
)

// A Pass is the memory of one forward and backward pass. Only one goroutine may use it at a time. It allocates
// nothing after the first batch. Its methods panic if lengths do not match. Derivatives are those of the loss.
type Pass struct {
	net        *Network
	batch      int           // greatest number of rows
	inputs     Rows          // batch of the last Forward; dense if there are stages
	dense      []float32     // memory for the images of a sparse batch
	stages     []stageMemory // none in a dense network
	rows       Rows          // input of the dense layers: the pooled maps of the last stage or, without stages, the inputs
	act        [][]float32   // act[l] has the outputs of dense layer l, rows × Layer.ld
	delta      [][]float32   // delta[l] has the derivative with respect to the inputs of the ReLU of layer l, rows × Layer.ld
	transposed []float32     // scratch for the transposed weights of one layer, out × in
	factor     []float32     // dropout factor of each unit of the last hidden layer, rows × Layer.ld; nil if never used
	factors    []float32     // factors[k] is the dropout factor of a unit that k of the masks keep
	kept       []int32       // scratch: how many masks keep each unit of a row
	words      []uint64      // scratch: random bits for the masks of some rows
	dropped    []float32     // outputs of the last hidden layer times factor
	masked     bool          // the last Forward used dropout
}

// NewPass returns a Pass for batches of at most batch rows.
func (net *Network) NewPass(batch int) *Pass {
	p := &Pass{net: net, batch: batch, stages: net.newStages(batch)}
	largest := 0
	if net.skip.Out < narrow {
		largest = net.skip.In * net.skip.Out
	}
	for i, l := range net.layers {
		p.act = append(p.act, aligned(batch*l.ld))
		if i < net.hidden() {
			p.delta = append(p.delta, aligned(batch*l.ld))
		}
		largest = max(largest, pad(l.In)*l.Out)
	}
	p.transposed = aligned(largest)
	return p
}

// line is the number of float32s in a cache line, and in the widest vector.
const line = 16

// pad rounds the length of a row up to whole cache lines.
func pad(n int) int { return (n + line - 1) / line * line }

// aligned returns n zeros whose memory starts at a cache line. In a padded row, every vector then lies in one line: a
// vector across two lines takes twice as long.
func aligned(n int) []float32 {
	x := make([]float32, n+line-1)
	first := -int(uintptr(unsafe.Pointer(unsafe.SliceData(x)))/4) & (line - 1)
	return x[first : first+n]
}

// Forward returns the outputs for a batch with parameters x, rows × outputs, row-major, valid until the next Forward.
// The caller may overwrite them, but not change rows before Backward. Dropout, if not nil, masks the last hidden layer.
func (p *Pass) Forward(x []float32, rows *Rows, dropout *Dropout) []float32 {
	net := p.net
	net.check(x)
	rows.check(net.inputs)
	if rows.N > p.batch {
		panic(fmt.Sprintf("nn: batch of %d rows in a pass for %d", rows.N, p.batch))
	}
	p.inputs, p.rows = *rows, *rows
	if len(p.stages) > 0 {
		p.forwardStages(x)
	}
	last := net.hidden()
	for i := range last {
		// From layer 1 on, ReLU has left many zeros in the input.
		p.layer(i, x, kernel.Ends{Skip: i > 0, Bias: net.layers[i].bias(x), ReLU: true})
	}
	p.masked = dropout != nil
	if p.masked {
		if last == 0 {
			panic("nn: dropout needs a hidden layer")
		}
		p.drawMask(dropout)
	}
	out, e := p.act[last], kernel.Ends{Bias: net.layers[last].bias(x)}
	skips, stages := net.skip.In > 0, len(p.stages) > 0
	if skips && !stages {
		linear(out, &p.inputs, &net.skip, x, e)
		e = kernel.Ends{}
	}
	p.layer(last, x, e)
	if skips && stages {
		linear(out, &p.inputs, &net.skip, x, kernel.Ends{})
	}
	return out[:rows.N*net.layers[last].Out]
}

// layer computes the outputs of dense layer i.
func (p *Pass) layer(i int, x []float32, e kernel.Ends) {
	l, out := &p.net.layers[i], p.act[i]
	if i == 0 {
		linear(out, &p.rows, l, x, e)
		return
	}
	in, ld := p.input(i)
	kernel.MulAdd(out, l.ld, in, ld, 1, l.weights(x), l.Out, p.rows.N, l.Out, l.In, e)
}

// linear computes out = rows·W, ended by e, for the layer or skip l with input rows. If rows is sparse, e has a bias.
func linear(out []float32, rows *Rows, l *Layer, x []float32, e kernel.Ends) {
	if !rows.sparse() {
		kernel.MulAdd(out, l.ld, rows.Dense, l.In, 1, l.weights(x), l.Out, rows.N, l.Out, l.In, e)
		return
	}
	kernel.SumRows(out, l.ld, e.Bias, l.weights(x), l.Out, rows.Offset, rows.Index)
	if e.ReLU {
		kernel.ReLU(out[:rows.N*l.ld])
	}
}

// Features returns the outputs of the last hidden layer in the last Forward, before dropout: row i starts at i·stride.
// Without a hidden dense layer, it returns the pooled maps of the last stage; for a linear network, nil and 0.
func (p *Pass) Features() (features []float32, stride int) {
	switch last := p.net.hidden() - 1; {
	case last >= 0:
		stride = p.net.layers[last].ld
		return p.act[last][:p.rows.N*stride], stride
	case len(p.stages) > 0:
		return p.rows.Dense, p.net.layers[0].In
	}
	return nil, 0
}

// input returns the input of dense layer i > 0, the output of layer i − 1 with any dropout, and its leading dimension.
func (p *Pass) input(i int) (x []float32, ld int) {
	if i == p.net.hidden() && p.masked {
		return p.dropped, p.net.layers[i-1].ld
	}
	return p.act[i-1], p.net.layers[i-1].ld
}

// Backward sets grad to Σ delta·∂output/∂x over the batch of the last Forward, which must have had the same x. delta,
// the derivative of the loss with respect to the outputs, is rows × outputs. It may be the slice that Forward returned.
func (p *Pass) Backward(grad, x, delta []float32) {
	net, n := p.net, p.rows.N
	net.check(x)
	net.check(grad)
	if want := n * net.layers[net.hidden()].Out; len(delta) != want {
		panic(fmt.Sprintf("nn: %d derivatives for %d outputs", len(delta), want))
	}
	clear(grad)
	if net.skip.In > 0 {
		p.inputWeightGradient(&p.inputs, &net.skip, grad, delta)
	}
	for i := net.hidden(); i >= 0; i-- {
		l := &net.layers[i]
		if i < net.hidden() {
			delta = p.delta[i]
		}
		kernel.ColumnSums(l.bias(grad), delta, l.ld, n, l.Out)
		if i == 0 {
			p.inputWeightGradient(&p.rows, l, grad, delta)
			break
		}
		in, ld := p.input(i)
		p.weightGradient(true, l, grad, delta, in, ld)
		kernel.Transpose(p.transposed, pad(l.In), l.weights(x), l.Out, l.In, l.Out)
		p.inputGradient(i, delta)
	}
	if len(p.stages) > 0 {
		p.backwardStages(grad, x, delta)
	}
}

// narrow is the number of outputs below which the gradient of a layer's weights is computed transposed, which is
// faster: the kernels use vectors along rows, and rows of few outputs do not fill them.
const narrow = 16

// inputWeightGradient computes rowsᵀ·delta, the gradient of the weights of the layer or skip l, whose input is rows.
// The gradient must be zero before the call.
func (p *Pass) inputWeightGradient(rows *Rows, l *Layer, grad, delta []float32) {
	if rows.sparse() {
		kernel.AddRows(l.weights(grad), l.Out, delta, l.ld, rows.Offset, rows.Index)
		return
	}
	p.weightGradient(false, l, grad, delta, rows.Dense, l.In)
}

// weightGradient computes inᵀ·delta, the gradient of the weights of a layer; ld is the leading dimension of in. The
// gradient must be zero before the call. If manyZeros is true, zeros of in are skipped. All paths give the same bits:
// each element is the same sequence of fused multiply-adds.
func (p *Pass) weightGradient(manyZeros bool, l *Layer, grad, delta, in []float32, ld int) {
	if l.Out < narrow {
		t := p.transposed[:l.In*l.Out]
		kernel.MulAdd(t, l.In, delta, 1, l.ld, in, ld, l.Out, l.In, p.rows.N, kernel.Ends{Clear: true})
		kernel.Transpose(l.weights(grad), l.Out, t, l.In, l.Out, l.In)
		return
	}
	kernel.MulAdd(l.weights(grad), l.Out, in, 1, ld, delta, l.ld, l.In, l.Out, p.rows.N, kernel.Ends{Skip: manyZeros})
}

// inputGradient computes p.delta[i-1], given the delta of layer i and Wᵀ in p.transposed. The result is delta·Wᵀ, times
// the dropout factors if there are any, and 0 where the ReLU of layer i−1 is not active.
func (p *Pass) inputGradient(i int, delta []float32) {
	l, n, ld := p.net.layers[i], p.rows.N, p.net.layers[i-1].ld
	below, act := p.delta[i-1][:n*ld], p.act[i-1][:n*ld]
	outputs := i == p.net.hidden()
	e := kernel.Ends{Skip: !outputs, Clear: true, H: act, LDH: ld} // ReLU has left many zeros in a hidden layer's delta
	if outputs && p.masked {
		e.H = nil
	}
	kernel.MulAdd(below, ld, delta, l.ld, 1, p.transposed, pad(l.In), n, l.In, l.Out, e)
	if outputs && p.masked {
		for j, f := range p.factor[:len(below)] {
			below[j] *= f
		}
		kernel.ReLUGrad(below, act)
	}
}

// Dropout is inverted dropout on the last hidden layer: each unit of each row is independently kept with probability
// 1−Rate, and then scaled by 1/(1−Rate).
//
// If Samples is above 1, the output is the mean over that many independent masks. It takes only one pass: the layer
// after the mask is linear, so the mean output is the output for the mean mask. The factor of a unit is then
// distributed as Binomial(Samples, 1−Rate) / (Samples·(1−Rate)).
//
// Rate is rounded to a multiple of 2⁻¹⁶ when masks are drawn.
type Dropout struct {
	Rate    float64 // in [0, 1)
	Samples int     // at least 1
	Rand    *stream.Stream
}

// drawMask draws p.factor for a batch and sets p.dropped.
func (p *Pass) drawMask(d *Dropout) {
	if d.Rate < 0 || d.Rate >= 1 || d.Samples < 1 {
		panic(fmt.Sprintf("nn: dropout of rate %v with %d samples", d.Rate, d.Samples))
	}
	last := p.net.hidden() - 1
	width, ld := p.net.layers[last].Out, p.net.layers[last].ld
	if p.factor == nil {
		p.dropped = aligned(p.batch * ld)
		p.factor = aligned(p.batch * ld)
		p.kept = make([]int32, ld)
	}
	n := p.rows.N * ld
	threshold := int32(d.Rate*65536 + 0.5)
	unit := float32(1 / (float64(d.Samples) * (1 - d.Rate)))
	p.factors = append(p.factors[:0], 0)
	for k := range d.Samples {
		p.factors = append(p.factors, p.factors[k]+unit)
	}
	// The bits of each row start at a new word, so that its masks do not depend on how rows are divided into batches.
	factor := p.factor[:n]
	mask := (width + 3) / 4 // number of words for one mask, with 16 bits per unit
	var words []uint64
	for row := range p.rows.N {
		if len(words) == 0 { // draw the bits for the next 16 rows
			p.words = slices.Grow(p.words[:0], 16*d.Samples*mask)
			words = p.words[:min(16, p.rows.N-row)*d.Samples*mask]
			d.Rand.Uint64s(words)
		}
		clear(p.kept)
		for range d.Samples {
			for i, word := range words[:mask] {
				kept := (*[4]int32)(p.kept[4*i:])
				for j := range kept { // without a branch, which the processor could not predict
					kept[j] += (threshold - 1 - int32(word&0xFFFF)) >> 31 & 1
					word >>= 16
				}
			}
			words = words[mask:]
		}
		for i := range width {
			factor[row*ld+i] = p.factors[p.kept[i]]
		}
	}
	act := p.act[last][:n]
	for i, f := range factor {
		p.dropped[i] = act[i] * f
	}
}
