package nn

import (
	"fmt"

	"banditsim/internal/kernel"
)

// SquaredError computes, for the batch of the last Forward, the energy
//
//	Û(x) = scale · Σᵢ (f_x(cᵢ)[aᵢ] − rᵢ)²
//
// and its gradient, which it writes to grad (len Dim). arms and rewards have a
// number for every row. Outputs of arms that were not chosen take no part.
// scale is N/n where the data's energy is to be estimated from n rows of N.
func (ws *Workspace) SquaredError(grad, x []float32, arms []int32, rewards []float64, scale float64) (energy float64) {
	m, n := ws.net, ws.rows.N
	m.check(x)
	m.check(grad)
	if len(arms) != n || len(rewards) != n {
		panic(fmt.Sprintf("nn: %d arms and %d rewards for %d rows", len(arms), len(rewards), n))
	}
	last := m.Hidden()
	width := m.Outputs()
	out, delta := ws.act[last][:n*width], ws.delta[last][:n*width]
	clear(delta)
	for i, arm := range arms {
		residual := float64(out[i*width+int(arm)]) - rewards[i]
		energy += float64(residual * residual)
		delta[i*width+int(arm)] = float32(2 * scale * residual)
	}
	ws.backward(grad, x)
	return scale * energy
}

// backward turns delta of the last layer into the gradient of all parameters.
func (ws *Workspace) backward(grad, x []float32) {
	clear(grad)
	n := ws.rows.N
	for i := ws.net.Hidden(); i >= 0; i-- {
		l, delta := ws.net.layers[i], ws.delta[i]
		kernel.ColumnSums(l.bias(grad), delta, l.ld, n, l.out)
		if i == 0 && ws.rows.sparse() {
			kernel.AddRows(l.weights(grad), l.out, delta, l.ld, ws.rows.Offset, ws.rows.Index)
			return
		}
		ws.weightGradient(i, grad, delta)
		if i == 0 {
			return
		}
		kernel.Transpose(ws.transposed, pad(l.in), l.weights(x), l.out, l.in, l.out)
		ws.inputGradient(i, delta)
	}
}

// narrow is the number of outputs below which a layer's weight gradient is
// faster computed as its transpose: the kernels' vectors lie along rows.
const narrow = 16

// weightGradient adds inputᵀ·delta to the gradient of a layer's weights, which
// is zero. Either way an element is the same chain of fused multiply-adds.
func (ws *Workspace) weightGradient(i int, grad, delta []float32) {
	l, n := ws.net.layers[i], ws.rows.N
	in, ld := ws.input(i)
	switch {
	case l.out < narrow:
		t := ws.transposed[:l.in*l.out]
		clear(t)
		kernel.MulAdd(t, l.in, delta, 1, l.ld, in, ld, l.out, l.in, n)
		kernel.Transpose(l.weights(grad), l.out, t, l.in, l.out, l.in)
	case i == 0:
		kernel.MulAdd(l.weights(grad), l.out, in, 1, ld, delta, l.ld, l.in, l.out, n)
	default: // ReLU left many zeros
		kernel.SkipMulAdd(l.weights(grad), l.out, in, 1, ld, delta, l.ld, l.in, l.out, n)
	}
}

// inputGradient computes delta of the layer below i: delta·Wᵀ where that layer's ReLU
// let something through, under the dropout mask where there is one. Wᵀ is in
// ws.transposed.
func (ws *Workspace) inputGradient(i int, delta []float32) {
	l, n, ld := ws.net.layers[i], ws.rows.N, ws.net.layers[i-1].ld
	below, act := ws.delta[i-1][:n*ld], ws.act[i-1][:n*ld]
	switch {
	case i != ws.net.Hidden(): // ReLU left many zeros in delta
		kernel.SkipMulReLUGrad(below, ld, act, ld, delta, l.ld, 1, ws.transposed, pad(l.in), n, l.in, l.out)
	case !ws.masked:
		kernel.MulReLUGrad(below, ld, act, ld, delta, l.ld, 1, ws.transposed, pad(l.in), n, l.in, l.out)
	default:
		clear(below)
		kernel.MulAdd(below, ld, delta, l.ld, 1, ws.transposed, pad(l.in), n, l.in, l.out)
		for j, f := range ws.factor[:len(below)] {
			below[j] *= f
		}
		kernel.ReLUGrad(below, act)
	}
}
