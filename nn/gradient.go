package nn

import (
	"fmt"

	"banditsim/internal/kernel"
)

// Backward computes the gradient.
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
		ws.weightGradient(i, grad, delta)
		kernel.Transpose(ws.transposed, pad(l.In), l.weights(x), l.Out, l.In, l.Out)
		ws.inputGradient(i, delta)
	}
}

// narrow is the number of outputs below which a layer's weight gradient is faster computed as its
// transpose: the kernels' vectors lie along rows.
const narrow = 16

// inputWeightGradient adds rowsᵀ·delta to the gradient of the weights of a layer whose inputs are those of the
// network. The gradient is zero before the call.
func (ws *workspace) inputWeightGradient(l *Layer, grad, delta []float32, ld int) {
	if ws.rows.sparse() {
		kernel.AddRows(l.weights(grad), l.Out, delta, ld, ws.rows.Offset, ws.rows.Index)
		return
	}
	ws.denseGradient(l, grad, delta, ld, ws.rows.Dense)
}

// denseGradient is inputWeightGradient for dense inputs.
func (ws *workspace) denseGradient(l *Layer, grad, delta []float32, ld int, inputs []float32) {
	if l.Out < narrow {
		ws.narrowGradient(l, grad, delta, ld, inputs, l.In)
		return
	}
	kernel.MulAdd(l.weights(grad), l.Out, inputs, 1, l.In, delta, ld, l.In, l.Out, ws.rows.N)
}

// weightGradient adds inputᵀ·delta to the gradient of the weights of layer i, above the first. The gradient is zero before the call.
func (ws *workspace) weightGradient(i int, grad, delta []float32) {
	l := &ws.net.layers[i]
	in, ld := ws.input(i)
	if l.Out < narrow {
		ws.narrowGradient(&l.Layer, grad, delta, l.ld, in, ld)
		return
	}
	// ReLU left many zeros
	kernel.SkipMulAdd(l.weights(grad), l.Out, in, 1, ld, delta, l.ld, l.In, l.Out, ws.rows.N)
}

// narrowGradient computes the gradient of the weights as its transpose. Either way an element is the same chain of
// fused multiply-adds.
func (ws *workspace) narrowGradient(l *Layer, grad, delta []float32, ldd int, in []float32, ld int) {
	t := ws.transposed[:l.In*l.Out]
	clear(t)
	kernel.MulAdd(t, l.In, delta, 1, ldd, in, ld, l.Out, l.In, ws.rows.N)
	kernel.Transpose(l.weights(grad), l.Out, t, l.In, l.Out, l.In)
}

// inputGradient computes delta of the layer below i: delta·Wᵀ where that layer's ReLU is active,
// under the dropout mask if there is one. Wᵀ is in ws.transposed.
func (ws *workspace) inputGradient(i int, delta []float32) {
	l, n, ld := ws.net.layers[i], ws.rows.N, ws.net.layers[i-1].ld
	below, act := ws.delta[i-1][:n*ld], ws.act[i-1][:n*ld]
	switch {
	case i != ws.net.hidden(): // ReLU left many zeros in delta
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

// byInputs sets dst to the derivative by the inputs, rows × inputs, after Backward with the same x and delta. The rows
// must be dense.
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
