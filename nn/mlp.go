package nn

import (
	"errors"
	"fmt"
	"math"

	"banditsim/bandit/stream"
)

// An MLP is a multilayer perceptron with ReLU after every layer but the last, and perhaps a linear path from its
// inputs to its outputs beside the layers, the skip.
//
// Its parameters are one vector, layer by layer: first the weights, where w[j·out+k] leads from
// input j to output k (in × out, row-major: the transpose of PyTorch's Linear), then the out
// biases. The layers of New(2, 3, 1) start at 0 (6 weights, 3 biases) and 9 (3 weights, 1 bias). The weights of a
// skip, in × out, come last; it has no biases.
type MLP struct {
	layers []layer
	skip   *layer // nil if there is none
	dim    int
}

var _ Model = (*MLP)(nil)

// A layer maps in inputs to out outputs. Its weights are an in × out matrix, row-major, at offset
// w of the parameters: row j belongs to input j, so that a one-hot input picks rows. Its out
// biases follow at offset b. The leading dimension of its outputs is ld: padded, except in the
// last layer.
type layer struct{ in, out, w, b, ld int }

// New returns the network with the given layer widths: inputs, hidden layers (none makes it
// linear), outputs. [MLP] has the layout of its parameters.
func New(widths ...int) (*MLP, error) {
	if len(widths) < 2 {
		return nil, errors.New("nn: new network: it needs at least inputs and outputs")
	}
	m := &MLP{}
	for i, width := range widths {
		if width < 1 {
			return nil, fmt.Errorf("nn: new network: layer %d has width %d, want at least 1", i, width)
		}
		if i == 0 {
			continue
		}
		in := widths[i-1]
		l := layer{in: in, out: width, w: m.dim, b: m.dim + in*width, ld: width}
		if i+1 < len(widths) {
			l.ld = pad(width)
		}
		m.layers = append(m.layers, l)
		m.dim = l.b + width
	}
	return m, nil
}

// NewSkip returns the network of New with a skip. It must have a hidden layer.
func NewSkip(widths ...int) (*MLP, error) {
	m, err := New(widths...)
	if err != nil {
		return nil, err
	}
	if m.hidden() == 0 {
		return nil, errors.New("nn: new network: a skip needs a hidden layer to be beside: without one the network is linear")
	}
	in, out := widths[0], widths[len(widths)-1]
	m.skip = &layer{in: in, out: out, w: m.dim, b: m.dim + in*out, ld: out}
	m.dim = m.skip.b
	return m, nil
}

// A Layer says which parameters of a network belong to one of its layers: In × Out weights from Weights on, then the
// biases from Bias to End.
type Layer struct{ In, Out, Weights, Bias, End int }

// Layers returns the layers in turn, without the skip.
func (m *MLP) Layers() []Layer {
	var list []Layer
	for _, l := range m.layers {
		list = append(list, Layer{l.in, l.out, l.w, l.b, l.b + l.out})
	}
	return list
}

// Skip returns the layer of the skip; ok is false if there is none.
func (m *MLP) Skip() (skip Layer, ok bool) { return m.skip.public() }

// public returns a skip as others see it.
func (l *layer) public() (skip Layer, ok bool) {
	if l == nil {
		return Layer{}, false
	}
	return Layer{l.in, l.out, l.w, l.b, l.b}, true
}

// Dim returns the number of parameters.
func (m *MLP) Dim() int { return m.dim }

// Products returns the number of products of a forward pass of one row, with one for each bias.
func (m *MLP) Products() int { return m.dim }

// inputs returns the length of an input, hidden the number of hidden layers.
func (m *MLP) inputs() int { return m.layers[0].in }
func (m *MLP) hidden() int { return len(m.layers) - 1 }

// Init draws weights and biases from the uniform distribution on ±1/√fan_in, layer by layer. A skip starts at 0.
func (m *MLP) Init(x []float32, r *stream.Stream) {
	m.check(x)
	for _, l := range m.layers {
		bound := 1 / math.Sqrt(float64(l.in))
		for i := l.w; i < l.b+l.out; i++ {
			x[i] = float32(bound * (2*r.Float64() - 1))
		}
	}
	if m.skip != nil {
		clear(m.skip.weights(x))
	}
}

func (m *MLP) check(x []float32) {
	if len(x) != m.dim {
		panic(fmt.Sprintf("nn: %d parameters given, the network has %d", len(x), m.dim))
	}
}

// weights and bias return the parameters of a layer within x.
func (l layer) weights(x []float32) []float32 { return x[l.w:l.b] }
func (l layer) bias(x []float32) []float32    { return x[l.b : l.b+l.out] }
