package nn

import (
	"errors"
	"fmt"
	"math"

	"banditsim/bandit/stream"
)

// An MLP is a multilayer perceptron with ReLU after every layer but the last.
//
// Its parameters are one vector, layer by layer: first the weights, where w[j·out+k] leads from
// input j to output k (in × out, row-major: the transpose of PyTorch's Linear), then the out
// biases. The layers of New(2, 3, 1) start at 0 (6 weights, 3 biases) and 9 (3 weights, 1 bias).
type MLP struct {
	layers []layer
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

// Dim returns the number of parameters.
func (m *MLP) Dim() int { return m.dim }

// inputs returns the length of an input, hidden the number of hidden layers.
func (m *MLP) inputs() int { return m.layers[0].in }
func (m *MLP) hidden() int { return len(m.layers) - 1 }

// Init draws weights and biases from the uniform distribution on ±1/√fan_in, layer by layer.
func (m *MLP) Init(x []float32, r *stream.Stream) {
	m.check(x)
	for _, l := range m.layers {
		bound := 1 / math.Sqrt(float64(l.in))
		for i := l.w; i < l.b+l.out; i++ {
			x[i] = float32(bound * (2*r.Float64() - 1))
		}
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
