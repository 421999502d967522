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
		kernel.ColumnSums(l.bias(grad), delta, l.out, n, l.out)
		if i == 0 && ws.rows.sparse() {
			kernel.AddRows(l.weights(grad), l.out, delta, l.out, ws.rows.Offset, ws.rows.Index)
			return
		}
		kernel.MulAdd(l.weights(grad), l.out, ws.input(i), 1, l.in, delta, l.out, l.in, l.out, n)
		if i == 0 {
			return
		}
		below := ws.delta[i-1][:n*l.in]
		clear(below)
		kernel.Transpose(ws.transposed, l.in, l.weights(x), l.out, l.in, l.out)
		kernel.MulAdd(below, l.in, delta, l.out, 1, ws.transposed, l.in, n, l.in, l.out)
		if ws.masked && i == ws.net.Hidden() {
			for j, f := range ws.factor[:len(below)] {
				below[j] *= f
			}
		}
		kernel.ReLUGrad(below, ws.act[i-1][:n*l.in])
	}
}
