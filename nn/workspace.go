package nn

import (
	"fmt"
	"unsafe"

	"banditsim/internal/kernel"
)

// A workspace is the Pass of a network without stages, and of the dense layers of one with them.
type workspace struct {
	net        *Network
	skip       *Layer      // the skip; that of a network with stages is not the workspace's, and zero here
	batch      int         // rows that fit
	rows       *Rows       // the batch of the last Forward
	act        [][]float32 // act[l]: outputs of layer l, rows × layer.ld
	delta      [][]float32 // delta[l]: derivative by the input of hidden layer l's ReLU, rows × layer.ld
	transposed []float32   // scratch for one layer's weights, out × in
	factor     []float32   // dropout factors of the last hidden layer, rows × layer.ld; nil if never used
	factors    []float32   // the values that factor may have
	kept       []int32     // how many masks keep each unit of a row
	words      []uint64    // random bits for the masks of some rows
	dropped    []float32   // the last hidden layer times factor
	masked     bool        // whether the last Forward used dropout
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

// pad rounds a row's length up to whole cache lines.
func pad(n int) int { return (n + line - 1) / line * line }

// aligned returns n zeros that start at a cache line. A vector of a padded row then never spans
// two lines, which would take twice as long.
func aligned(n int) []float32 {
	x := make([]float32, n+line-1)
	first := -int(uintptr(unsafe.Pointer(unsafe.SliceData(x)))/4) & (line - 1)
	return x[first : first+n]
}

// Forward computes the outputs.
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

// linear computes out = rows·W + bias, for a layer whose inputs are those of the network.
func (ws *workspace) linear(out []float32, ld int, l *Layer, bias, x []float32) {
	if ws.rows.sparse() {
		kernel.SumRows(out, ld, bias, l.weights(x), l.Out, ws.rows.Offset, ws.rows.Index)
		return
	}
	kernel.MulBias(out, ld, bias, ws.rows.Dense, l.In, 1, l.weights(x), l.Out, ws.rows.N, l.Out, l.In)
}

// Features returns the last hidden layer.
func (ws *workspace) Features() (features []float32, stride int) {
	last := ws.net.hidden() - 1
	if last < 0 {
		return nil, 0
	}
	stride = ws.net.layers[last].ld
	return ws.act[last][:ws.rows.N*stride], stride
}

// hidden computes act[i] = ReLU(input·W + b) of layer i.
func (ws *workspace) hidden(i int, x []float32) {
	l, n, out := &ws.net.layers[i], ws.rows.N, ws.act[i]
	if i == 0 && ws.rows.sparse() {
		ws.linear(out, l.ld, &l.Layer, l.bias(x), x)
		kernel.ReLU(out[:n*l.ld])
		return
	}
	multiply := kernel.SkipMulBiasReLU // ReLU leaves many zeros
	if i == 0 {
		multiply = kernel.MulBiasReLU
	}
	in, ld := ws.input(i)
	multiply(out, l.ld, l.bias(x), in, ld, 1, l.weights(x), l.Out, n, l.Out, l.In)
}

// input returns the input of layer i and its leading dimension: dense rows, or the layer before
// it, under its dropout mask if there is one.
func (ws *workspace) input(i int) (x []float32, ld int) {
	switch {
	case i == 0:
		return ws.rows.Dense, ws.net.layers[0].In
	case i == ws.net.hidden() && ws.masked:
		return ws.dropped, ws.net.layers[i-1].ld
	}
	return ws.act[i-1], ws.net.layers[i-1].ld
}
