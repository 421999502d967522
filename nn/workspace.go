package nn

import (
	"fmt"
	"slices"
	"unsafe"

	"banditsim/bandit/stream"
	"banditsim/internal/kernel"
)

// A workspace is the Pass of a network without stages. In a network with stages, it is the part of the Pass that
// computes the dense layers. Derivatives are those of the loss.
type workspace struct {
	net        *Network
	skip       *Layer      // the skip; zero in a network with stages, where convPass computes the skip
	batch      int         // greatest number of rows
	rows       *Rows       // batch of the last Forward
	act        [][]float32 // act[l] has the outputs of layer l, rows × layer.ld
	delta      [][]float32 // delta[l] has the derivative by the input of hidden layer l's ReLU, rows × layer.ld
	transposed []float32   // scratch for the transposed weights of one layer, out × in
	factor     []float32   // dropout factor of each unit of the last hidden layer, rows × layer.ld; nil if never used
	factors    []float32   // factors[k] is the dropout factor of a unit that k masks keep
	kept       []int32     // scratch: how many masks keep each unit of a row
	words      []uint64    // scratch: random bits for the masks of some rows
	dropped    []float32   // outputs of the last hidden layer times factor
	masked     bool        // the last Forward used dropout
}

var _ Pass = (*workspace)(nil)

func (m *Network) newWorkspace(batch int) *workspace {
	ws := &workspace{net: m, batch: batch, skip: &m.skip}
	if len(m.stages) > 0 {
		ws.skip = &Layer{}
	}
	largest := 0
	if m.skip.Out < narrow {
		largest = m.skip.In * m.skip.Out
	}
	for i, l := range m.layers {
		ws.act = append(ws.act, aligned(batch*l.ld))
		if i < m.hidden() {
			ws.delta = append(ws.delta, aligned(batch*l.ld))
		}
		largest = max(largest, pad(l.In)*l.Out)
	}
	ws.transposed = aligned(largest)
	return ws
}

// line is the number of float32s in a cache line, and in the widest vector.
const line = 16

// pad rounds the length of a row up to whole cache lines.
func pad(n int) int { return (n + line - 1) / line * line }

// aligned returns n zeros whose memory starts at a cache line. No vector of a padded row then crosses a line, which
// would take twice as long.
func aligned(n int) []float32 {
	x := make([]float32, n+line-1)
	first := -int(uintptr(unsafe.Pointer(unsafe.SliceData(x)))/4) & (line - 1)
	return x[first : first+n]
}

func (ws *workspace) Forward(x []float32, rows *Rows, dropout *Dropout) []float32 {
	m := ws.net
	m.check(x)
	rows.check(m.layers[0].In)
	if rows.N > ws.batch {
		panic(fmt.Sprintf("nn: batch of %d rows in a pass for %d", rows.N, ws.batch))
	}
	ws.rows = rows
	for i := range m.hidden() {
		ws.hidden(i, x)
	}
	last := m.hidden()
	ws.masked = dropout != nil
	if ws.masked {
		if last == 0 {
			panic("nn: dropout needs a hidden layer")
		}
		ws.drawMask(dropout)
	}
	l, n, out := &m.layers[last], ws.rows.N, ws.act[last]
	if ws.skip.In > 0 {
		ws.linear(out, l.ld, ws.skip, l.bias(x), x)
		in, ld := ws.input(last)
		kernel.MulAdd(out, l.ld, in, ld, 1, l.weights(x), l.Out, n, l.Out, l.In)
	} else if last == 0 {
		ws.linear(out, l.ld, &l.Layer, l.bias(x), x)
	} else {
		in, ld := ws.input(last)
		kernel.MulBias(out, l.ld, l.bias(x), in, ld, 1, l.weights(x), l.Out, n, l.Out, l.In)
	}
	return out[:n*l.Out]
}

// linear computes out = rows·W + bias for a layer or skip whose input is the input of the workspace.
func (ws *workspace) linear(out []float32, ld int, l *Layer, bias, x []float32) {
	if ws.rows.sparse() {
		kernel.SumRows(out, ld, bias, l.weights(x), l.Out, ws.rows.Offset, ws.rows.Index)
		return
	}
	kernel.MulBias(out, ld, bias, ws.rows.Dense, l.In, 1, l.weights(x), l.Out, ws.rows.N, l.Out, l.In)
}

func (ws *workspace) Features() (features []float32, stride int) {
	last := ws.net.hidden() - 1
	if last < 0 {
		return nil, 0
	}
	stride = ws.net.layers[last].ld
	return ws.act[last][:ws.rows.N*stride], stride
}

// hidden computes hidden layer i.
func (ws *workspace) hidden(i int, x []float32) {
	l, n, out := &ws.net.layers[i], ws.rows.N, ws.act[i]
	if i == 0 && ws.rows.sparse() {
		ws.linear(out, l.ld, &l.Layer, l.bias(x), x)
		kernel.ReLU(out[:n*l.ld])
		return
	}
	multiply := kernel.SkipMulBiasReLU // skips the many zeros that ReLU leaves
	if i == 0 {
		multiply = kernel.MulBiasReLU
	}
	in, ld := ws.input(i)
	multiply(out, l.ld, l.bias(x), in, ld, 1, l.weights(x), l.Out, n, l.Out, l.In)
}

// input returns the input of layer i and its leading dimension: the dense rows of the batch, or the outputs of the
// layer before it, with dropout if there is any.
func (ws *workspace) input(i int) (x []float32, ld int) {
	switch {
	case i == 0:
		return ws.rows.Dense, ws.net.layers[0].In
	case i == ws.net.hidden() && ws.masked:
		return ws.dropped, ws.net.layers[i-1].ld
	}
	return ws.act[i-1], ws.net.layers[i-1].ld
}

func (ws *workspace) Backward(grad, x, delta []float32) {
	m, n := ws.net, ws.rows.N
	m.check(x)
	m.check(grad)
	if want := n * m.layers[m.hidden()].Out; len(delta) != want {
		panic(fmt.Sprintf("nn: %d derivatives for %d outputs", len(delta), want))
	}
	clear(grad)
	if ws.skip.In > 0 {
		ws.inputWeightGradient(ws.skip, grad, delta, ws.skip.Out)
	}
	for i := m.hidden(); i >= 0; i-- {
		l := &m.layers[i]
		if i < m.hidden() {
			delta = ws.delta[i]
		}
		kernel.ColumnSums(l.bias(grad), delta, l.ld, n, l.Out)
		if i == 0 {
			ws.inputWeightGradient(&l.Layer, grad, delta, l.ld)
			return
		}
		in, ld := ws.input(i)
		ws.weightGradient(kernel.SkipMulAdd, &l.Layer, grad, delta, l.ld, in, ld)
		kernel.Transpose(ws.transposed, pad(l.In), l.weights(x), l.Out, l.In, l.Out)
		ws.inputGradient(i, delta)
	}
}

// narrow is the number of outputs below which a layer's weight gradient is faster to compute as its transpose. The
// kernels use vectors along rows, and short rows do not fill them.
const narrow = 16

// inputWeightGradient computes rowsᵀ·delta, the gradient of the weights of a layer or skip whose input is the input of
// the workspace. The gradient must be zero before the call.
func (ws *workspace) inputWeightGradient(l *Layer, grad, delta []float32, ld int) {
	if ws.rows.sparse() {
		kernel.AddRows(l.weights(grad), l.Out, delta, ld, ws.rows.Offset, ws.rows.Index)
		return
	}
	ws.weightGradient(kernel.MulAdd, l, grad, delta, ld, ws.rows.Dense, l.In)
}

// weightGradient computes inᵀ·delta, the gradient of the weights of a layer, where ldd and ld are the leading
// dimensions of delta and in. The gradient must be zero before the call. The argument multiply is kernel.MulAdd or,
// if in has many zeros, kernel.SkipMulAdd. All ways give the same bits: each element is the same sequence of fused
// multiply-adds.
func (ws *workspace) weightGradient(multiply mulAdd, l *Layer, grad, delta []float32, ldd int, in []float32, ld int) {
	if l.Out < narrow {
		t := ws.transposed[:l.In*l.Out]
		clear(t)
		kernel.MulAdd(t, l.In, delta, 1, ldd, in, ld, l.Out, l.In, ws.rows.N)
		kernel.Transpose(l.weights(grad), l.Out, t, l.In, l.Out, l.In)
		return
	}
	multiply(l.weights(grad), l.Out, in, 1, ld, delta, ldd, l.In, l.Out, ws.rows.N)
}

// mulAdd is the type of kernel.MulAdd and kernel.SkipMulAdd.
type mulAdd = func(c []float32, ldc int, a []float32, ars, acs int, b []float32, ldb int, m, n, k int)

// inputGradient computes ws.delta[i-1] from delta, that of layer i: delta·Wᵀ, times the dropout factors if there are
// any, where the ReLU of layer i−1 is active, else 0. Wᵀ is in ws.transposed.
func (ws *workspace) inputGradient(i int, delta []float32) {
	l, n, ld := ws.net.layers[i], ws.rows.N, ws.net.layers[i-1].ld
	below, act := ws.delta[i-1][:n*ld], ws.act[i-1][:n*ld]
	switch {
	case i != ws.net.hidden(): // skips the many zeros that ReLU left in delta
		kernel.SkipMulReLUGrad(below, ld, act, ld, delta, l.ld, 1, ws.transposed, pad(l.In), n, l.In, l.Out)
	case !ws.masked:
		kernel.MulReLUGrad(below, ld, act, ld, delta, l.ld, 1, ws.transposed, pad(l.In), n, l.In, l.Out)
	default:
		clear(below)
		kernel.MulAdd(below, ld, delta, l.ld, 1, ws.transposed, pad(l.In), n, l.In, l.Out)
		for j, f := range ws.factor[:len(below)] {
			below[j] *= f
		}
		kernel.ReLUGrad(below, act)
	}
}

// byInputs sets dst to the derivative by the inputs, rows × inputs. It must follow Backward with the same x and
// delta, and the batch must be dense.
func (ws *workspace) byInputs(dst, x, delta []float32) {
	l, n := &ws.net.layers[0], ws.rows.N
	if ws.net.hidden() > 0 {
		delta = ws.delta[0]
	}
	kernel.Transpose(ws.transposed, pad(l.In), l.weights(x), l.Out, l.In, l.Out)
	dst = dst[:n*l.In]
	clear(dst)
	kernel.SkipMulAdd(dst, l.In, delta, l.ld, 1, ws.transposed, pad(l.In), n, l.In, l.Out)
}

// Dropout is inverted dropout on the last hidden layer: each unit of each row is independently kept with probability
// 1−Rate, and then scaled by 1/(1−Rate).
//
// If Samples is above 1, the output is the mean over that many independent masks. It takes only one pass: the layer
// after the mask is linear, so the mean output is the output for the mean mask. The factor of a unit is then
// Binomial(Samples, 1−Rate) / (Samples·(1−Rate)).
//
// Rate is rounded to a multiple of 2⁻¹⁶ when masks are drawn.
type Dropout struct {
	Rate    float64 // in [0, 1)
	Samples int     // at least 1
	Rand    *stream.Stream
}

// drawMask draws ws.factor for a batch and sets ws.dropped.
func (ws *workspace) drawMask(d *Dropout) {
	if d.Rate < 0 || d.Rate >= 1 || d.Samples < 1 {
		panic(fmt.Sprintf("nn: dropout of rate %v with %d samples", d.Rate, d.Samples))
	}
	last := ws.net.hidden() - 1
	width, ld := ws.net.layers[last].Out, ws.net.layers[last].ld
	if ws.factor == nil {
		ws.dropped = aligned(ws.batch * ld)
		ws.factor = aligned(ws.batch * ld)
		ws.kept = make([]int32, ld)
	}
	n := ws.rows.N * ld
	threshold := int(d.Rate*65536 + 0.5)
	unit := float32(1 / (float64(d.Samples) * (1 - d.Rate)))
	ws.factors = append(ws.factors[:0], 0)
	for k := range d.Samples {
		ws.factors = append(ws.factors, ws.factors[k]+unit)
	}
	// Each row starts at a new word, so that the masks of a row do not depend on how rows are divided into batches.
	factor := ws.factor[:n]
	mask := (width + 3) / 4 // number of words for one mask, with 16 bits per unit
	var words []uint64
	for row := range ws.rows.N {
		if len(words) == 0 { // draw the bits for the next 16 rows
			ws.words = slices.Grow(ws.words[:0], 16*d.Samples*mask)
			words = ws.words[:min(16, ws.rows.N-row)*d.Samples*mask]
			d.Rand.Uint64s(words)
		}
		clear(ws.kept)
		for range d.Samples {
			for i, word := range words[:mask] {
				kept := (*[4]int32)(ws.kept[4*i:])
				for j := range kept { // without a branch, which the processor could not predict
					kept[j] += int32((threshold-1-int(word&0xFFFF))>>63) & 1
					word >>= 16
				}
			}
			words = words[mask:]
		}
		for i := range width {
			factor[row*ld+i] = ws.factors[ws.kept[i]]
		}
	}
	act := ws.act[last][:n]
	for i, f := range factor {
		ws.dropped[i] = act[i] * f
	}
}
