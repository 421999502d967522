package nn

import (
	"fmt"

	"banditsim/internal/kernel"
)

// A Workspace is the memory of one forward and backward pass. Use it from one
// goroutine at a time.
type Workspace struct {
	net        *MLP
	batch      int         // rows that it has room for
	rows       *Rows       // the batch of the last Forward
	act        [][]float32 // act[l]: what layer l gives, rows × out
	delta      [][]float32 // delta[l]: ∂energy/∂(input of layer l's ReLU), rows × out
	transposed []float32   // scratch for one layer's weights, out × in
	factor     []float32   // dropout factors of the last hidden layer, rows × width; nil if never used
	dropped    []float32   // the last hidden layer times factor
	masked     bool        // whether the last Head used dropout
}

// NewWorkspace returns the memory for batches of up to batch rows.
func (m *MLP) NewWorkspace(batch int) *Workspace {
	ws := &Workspace{net: m, batch: batch}
	largest := 0
	for _, l := range m.layers {
		ws.act = append(ws.act, make([]float32, batch*l.out))
		ws.delta = append(ws.delta, make([]float32, batch*l.out))
		largest = max(largest, l.in*l.out)
	}
	ws.transposed = make([]float32, largest)
	return ws
}

// Forward computes the outputs of the network with parameters x on a batch. The
// result, rows × outputs, row-major, belongs to ws and is valid until its
// next pass. dropout may be nil; it draws a fresh mask.
func (ws *Workspace) Forward(x []float32, rows *Rows, dropout *Dropout) []float32 {
	ws.Trunk(x, rows)
	return ws.Head(x, dropout)
}

// Trunk computes the hidden layers, on which Head can then be called more than
// once.
func (ws *Workspace) Trunk(x []float32, rows *Rows) {
	m := ws.net
	m.check(x)
	rows.check(m.Inputs())
	if rows.N > ws.batch {
		panic(fmt.Sprintf("nn: batch of %d rows in a workspace for %d", rows.N, ws.batch))
	}
	ws.rows = rows
	for i := range m.layers[:m.Hidden()] {
		ws.hidden(i, x)
	}
}

// Head computes the outputs from the hidden layers of the last Trunk.
func (ws *Workspace) Head(x []float32, dropout *Dropout) []float32 {
	last := ws.net.Hidden()
	ws.masked = dropout != nil
	if ws.masked {
		if last == 0 {
			panic("nn: dropout needs a hidden layer")
		}
		ws.drawMask(dropout)
	}
	l, n, out := ws.net.layers[last], ws.rows.N, ws.act[last]
	if last == 0 && ws.rows.sparse() {
		kernel.SumRows(out, l.out, l.bias(x), l.weights(x), l.out, ws.rows.Offset, ws.rows.Index)
	} else {
		kernel.MulBias(out, l.out, l.bias(x), ws.input(last), l.in, 1, l.weights(x), l.out, n, l.out, l.in)
	}
	return out[:n*l.out]
}

// hidden computes act[i] = ReLU(input·W + b) of layer i.
func (ws *Workspace) hidden(i int, x []float32) {
	l, n, out := ws.net.layers[i], ws.rows.N, ws.act[i]
	if i == 0 && ws.rows.sparse() {
		kernel.SumRows(out, l.out, l.bias(x), l.weights(x), l.out, ws.rows.Offset, ws.rows.Index)
		kernel.ReLU(out[:n*l.out])
		return
	}
	multiply := kernel.SkipMulBiasReLU // ReLU leaves many zeros
	if i == 0 {
		multiply = kernel.MulBiasReLU
	}
	multiply(out, l.out, l.bias(x), ws.input(i), l.in, 1, l.weights(x), l.out, n, l.out, l.in)
}

// input returns what layer i is fed: dense rows, or the layer before it, under
// its dropout mask where there is one.
func (ws *Workspace) input(i int) []float32 {
	switch {
	case i == 0:
		return ws.rows.Dense
	case i == ws.net.Hidden() && ws.masked:
		return ws.dropped[:ws.rows.N*ws.net.layers[i].in]
	}
	return ws.act[i-1]
}
