// Package nn has networks over one flat vector of float32 parameters, dense and convolutional: batched forward and
// backward passes, dropout, and one-hot inputs that stay sparse. It has no loss: Backward takes the derivative by the
// outputs.
//
// The shape of a network (Network), its parameters (a []float32 that the caller owns) and the memory of a pass (Pass)
// are three things, so that any number of chains can share one shape, and samplers can treat a network as a point x in
// ℝᵈ.
//
// Every number is one chain of fused multiply-adds in a fixed order (see internal/kernel), hence the same on every
// machine. A sparse batch gives the bits of the dense one that it stands for, because fma(w, 0, s) = s.
package nn

import (
	"errors"
	"fmt"
	"math"

	"banditsim/bandit/stream"
)

// A Network has stages of convolutions, perhaps none, then dense layers with ReLU after every one but the last; perhaps a
// linear path from its inputs to its outputs beside them, the skip. It is immutable and safe for concurrent use.
//
// Its parameters are one vector, layer by layer: first the weights, where w[j·out+k] leads from input j to output k
// (in × out, row-major: the transpose of PyTorch's Linear), then the out biases. The layers of New(2, 3, 1) start at 0 (6
// weights, 3 biases) and 9 (3 weights, 1 bias). The inputs of a stage are the elements of a square (size × size × channels), its
// outputs the filters. The weights of a skip come last; it has no biases.
//
// Images are row by row, the channels of a pixel side by side (height × width × channels), and so are feature maps.
type Network struct {
	inputs int
	stages []stage
	layers []layer // the dense ones
	skip   Layer   // zero if there is none
	dim    int
}

// A Layer says which parameters of a network belong to one of its layers: In × Out weights from Weights on, then the
// biases from Bias to End. Row j of the weights belongs to input j, so that a one-hot input picks rows.
type Layer struct{ In, Out, Weights, Bias, End int }

// weights and bias return the parameters of a layer within x.
func (l *Layer) weights(x []float32) []float32 { return x[l.Weights:l.Bias] }
func (l *Layer) bias(x []float32) []float32    { return x[l.Bias:l.End] }

// A layer is dense. The leading dimension of its outputs is ld: padded, except in the last layer.
type layer struct {
	Layer
	ld int
}

// A Stage is a convolution with ReLU and pooling.
type Stage struct {
	Filters int  // feature maps
	Size    int  // side of the square that a filter sees
	Stride  int  // distance of neighboring squares
	Padding int  // rows and columns of zeros on each side
	Pool    int  // side of the squares of a map that become one number; 1 pools nothing
	Mean    bool // a pooled number is the mean, not the largest
}

// A stage is a Stage whose input is height × width × channels. There are rows × cols squares in it, and the maps have
// rows × span numbers per filter.
type stage struct {
	Stage
	Layer
	height, width, channels int
	rows, cols              int
	span                    int
	direct                  bool  // the products take the image as it is: see convolve
	pooled                  []int // offsets of the elements of a pooled square from its first, row by row
}

// New returns the network of the given widths: inputs, hidden layers (none makes it linear), outputs.
func New(widths ...int) (*Network, error) {
	if len(widths) < 2 {
		return nil, errors.New("nn: new network: it needs at least inputs and outputs")
	}
	return NewConv(1, 1, widths[0], nil, widths[1:]...)
}

// NewConv returns the network of the stages for images of the given size; widths are those of the dense layers after them.
func NewConv(height, width, channels int, stages []Stage, widths ...int) (*Network, error) {
	if height < 1 || width < 1 || channels < 1 || len(widths) == 0 {
		return nil, fmt.Errorf("nn: new network: inputs of %d×%d×%d and %d dense layers, want at least 1×1×1 and 1", height, width, channels, len(widths))
	}
	net := &Network{inputs: height * width * channels}
	for i, declared := range stages {
		s := stage{Stage: declared, height: height, width: width, channels: channels}
		if err := s.check(); err != nil {
			return nil, fmt.Errorf("nn: new network: stage %d: %w", i+1, err)
		}
		s.span = s.cols
		if s.direct = i == 0 && s.Stride == 1 && s.Padding == 0 && s.Size*channels < line; s.direct {
			s.span = width
		}
		for p := range s.Pool * s.Pool {
			s.pooled = append(s.pooled, (p/s.Pool*s.span+p%s.Pool)*s.Filters)
		}
		s.Layer = net.add(s.Size*s.Size*channels, s.Filters)
		net.stages = append(net.stages, s)
		height, width, channels = s.rows/s.Pool, s.cols/s.Pool, s.Filters
	}
	in := height * width * channels
	for i, out := range widths {
		if out < 1 {
			return nil, fmt.Errorf("nn: new network: layer %d has width %d, want at least 1", i+1, out)
		}
		l := layer{net.add(in, out), pad(out)}
		if i+1 == len(widths) {
			l.ld = out
		}
		net.layers = append(net.layers, l)
		in = out
	}
	return net, nil
}

// add returns the next layer's place in the parameters.
func (net *Network) add(in, out int) Layer {
	l := Layer{In: in, Out: out, Weights: net.dim, Bias: net.dim + in*out, End: net.dim + in*out + out}
	net.dim = l.End
	return l
}

// WithSkip returns the network with a skip. It panics for a linear network, which has nothing to be beside.
func (net *Network) WithSkip() *Network {
	if len(net.stages) == 0 && net.hidden() == 0 {
		panic("nn: a skip beside a linear network")
	}
	skipping := *net
	in, out := net.inputs, net.layers[net.hidden()].Out
	skipping.dim += in * out
	skipping.skip = Layer{In: in, Out: out, Weights: net.dim, Bias: skipping.dim, End: skipping.dim}
	return &skipping
}

// check returns an error if a field of the stage is out of range, and sets the number of squares.
func (s *stage) check() error {
	switch {
	case s.Filters < 1:
		return fmt.Errorf("%d filters, want at least 1", s.Filters)
	case s.Size < 1 || s.Stride < 1 || s.Padding < 0:
		return fmt.Errorf("size %d, stride %d, padding %d, want at least 1, 1, 0", s.Size, s.Stride, s.Padding)
	case s.Size > min(s.height, s.width)+2*s.Padding:
		return fmt.Errorf("size %d over %d×%d with padding %d, want at most %d", s.Size, s.height, s.width, s.Padding, min(s.height, s.width)+2*s.Padding)
	}
	s.rows, s.cols = (s.height+2*s.Padding-s.Size)/s.Stride+1, (s.width+2*s.Padding-s.Size)/s.Stride+1
	if most := min(s.rows, s.cols, MaxPool); s.Pool < 1 || s.Pool > most {
		return fmt.Errorf("pool of %d over maps of %d×%d, want 1 to %d", s.Pool, s.rows, s.cols, most)
	}
	return nil
}

// squares returns the number of squares, places that of places in a map, inputs and outputs the lengths of the input and of
// the pooled maps.
func (s *stage) squares() int { return s.rows * s.cols }
func (s *stage) places() int  { return (s.rows-1)*s.span + s.cols }
func (s *stage) inputs() int  { return s.height * s.width * s.channels }
func (s *stage) outputs() int { return (s.rows / s.Pool) * (s.cols / s.Pool) * s.Filters }

// hidden returns the number of hidden dense layers.
func (net *Network) hidden() int { return len(net.layers) - 1 }

// Dim returns the number of parameters.
func (net *Network) Dim() int { return net.dim }

// Skip returns the layer of the skip, zero if there is none.
func (net *Network) Skip() Layer { return net.skip }

// Layers returns the layers of all stages, then the dense ones, without the skip.
func (net *Network) Layers() []Layer {
	var list []Layer
	for i := range net.stages {
		list = append(list, net.stages[i].Layer)
	}
	for _, l := range net.layers {
		list = append(list, l.Layer)
	}
	return list
}

// Products returns the number of products of a forward pass of one row, with one for each bias of a dense layer.
func (net *Network) Products() int {
	n := net.dim - net.layers[0].Weights
	for i := range net.stages {
		s := &net.stages[i]
		n += s.squares() * s.In * s.Filters
	}
	return n
}

// PassNumbers returns the number of float32 that a Pass for a batch has about.
func (net *Network) PassNumbers(batch int) int {
	each, once := 0, 0
	for i := range net.stages {
		s := &net.stages[i]
		bytes := s.outputs()
		if s.Mean {
			bytes = s.places() * s.Filters
		}
		each += 2*s.outputs() + bytes/4
		once += s.places()*s.Filters + 2*s.squares()*pad(s.In)
	}
	for _, l := range net.layers {
		each += 2 * l.ld
	}
	return batch*each + once
}

// Init draws weights and biases from the uniform distribution on ±1/√fan_in, layer by layer. A skip starts at 0.
func (net *Network) Init(x []float32, r *stream.Stream) {
	net.check(x)
	for _, l := range net.Layers() {
		bound := 1 / math.Sqrt(float64(l.In))
		for i := l.Weights; i < l.End; i++ {
			x[i] = float32(bound * (2*r.Float64() - 1))
		}
	}
	clear(net.skip.weights(x))
}

func (net *Network) check(x []float32) {
	if len(x) != net.dim {
		panic(fmt.Sprintf("nn: %d parameters given, the network has %d", len(x), net.dim))
	}
}

// A Pass is the memory of one forward and backward pass. It is used by one goroutine at a time,
// and allocates nothing after its first batch. Lengths that do not fit panic.
type Pass interface {
	// Forward returns the outputs on a batch with parameters x: rows × outputs, row-major. They belong to the pass
	// until its next Forward, and may be overwritten. dropout may be nil; it draws a new mask.
	Forward(x []float32, rows *Rows, dropout *Dropout) []float32
	// Backward sets grad to Σ delta·∂output/∂x over the batch of the last Forward, which had the
	// same x. delta is rows × outputs; it may be the slice that Forward returned.
	Backward(grad, x, delta []float32)
	// Features returns the last hidden layer of the last Forward, without dropout: row i starts
	// at i·stride. It returns nil for a linear network.
	Features() (features []float32, stride int)
}

// NewPass returns the memory for batches of up to batch rows.
func (net *Network) NewPass(batch int) Pass {
	if len(net.stages) == 0 {
		return net.newWorkspace(batch)
	}
	return net.newConvPass(batch)
}
