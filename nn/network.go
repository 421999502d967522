// Package nn implements dense and convolutional neural networks whose parameters are one flat vector of float32:
// batched forward and backward passes, dropout, and sparse batches of inputs that are 0 or 1. It has no loss: Backward
// gets the derivative of the loss with respect to the outputs from the caller.
//
// The shape of a network (Network), its parameters (a []float32 that the caller owns) and the memory of a pass (Pass)
// are separate. Any number of chains can share one shape, and samplers can treat the parameters as a point x in ℝᵈ.
//
// Every result is computed by fused multiply-adds in a fixed order (see internal/kernel), and is therefore the same on
// every machine. A sparse batch and the equal dense batch give the same bits, because fma(w, 0, s) = s.
package nn

import (
	"errors"
	"fmt"
	"math"

	"banditsim/bandit/stream"
	"banditsim/internal/lists"
)

// A Network has zero or more convolutional stages, followed by dense layers. ReLU follows every dense layer except the
// last. It may have a skip: a linear path from the inputs to the outputs. It is immutable and safe for concurrent use.
//
// The parameters are one vector, layer by layer. Each layer has its in × out weights first, row-major, where w[j·out+k]
// leads from input j to output k (the transpose of PyTorch's Linear), then its out biases. For example, the layers of
// New(2, 3, 1) start at 0 (6 weights, 3 biases) and at 9 (3 weights, 1 bias). In a stage, the inputs are the elements
// of a patch (size × size × channels) and the outputs the filters. The skip's weights come last; it has no biases.
//
// Images and feature maps are stored as height × width × channels, row-major: the channels of a pixel are adjacent.
type Network struct {
	inputs int
	stages []stage
	layers []Layer // dense layers
	skip   Layer   // the zero value if there is no skip
	dim    int     // number of parameters
}

// A Layer is the position of one layer in the parameters x of a network: the In × Out weights are x[Weights:Bias], the
// biases x[Bias:End]. Row j of the weights belongs to input j, so that a one-hot input selects a row.
type Layer struct {
	In, Out, Weights, Bias, End int
	ld                          int // leading dimension of the outputs: Out, padded to whole cache lines in hidden dense layers
}

// weights and bias return a layer's parameters, as slices of x.
func (l *Layer) weights(x []float32) []float32 { return x[l.Weights:l.Bias] }
func (l *Layer) bias(x []float32) []float32    { return x[l.Bias:l.End] }

// A Stage is a convolution followed by ReLU and pooling. A filter is applied to square patches of the image.
type Stage struct {
	Filters int  // number of filters, each of which gives one feature map
	Size    int  // side of a patch
	Stride  int  // distance between neighboring patches
	Padding int  // rows and columns of zeros on each side of the image
	Pool    int  // side of the square of a feature map that is pooled to one number; 1 for no pooling
	Mean    bool // pooling takes the mean instead of the maximum
}

// A stage is a Stage of a network, with the sizes of its input and of its feature maps.
type stage struct {
	Stage
	Layer
	height, width, channels int   // of the input
	rows, cols              int   // numbers of patches down and across; they are the height and width of a feature map
	span                    int   // numbers per row of a feature map in memory: cols or, if direct, width
	direct                  bool  // the convolution reads patches from the image itself, not from copies: see the comment before convolve
	pooled                  []int // offsets of the elements of a pooled square from its first element, row by row
}

// New returns a dense network. The widths are the number of inputs, the widths of the hidden layers, and the number of
// outputs. Without hidden layers, the network is linear.
func New(widths ...int) (*Network, error) {
	if len(widths) < 2 {
		return nil, errors.New("nn: new network: it needs at least inputs and outputs")
	}
	return NewConv(1, 1, widths[0], nil, widths[1:]...)
}

// NewConv returns a network for images of the given size. The widths are those of the dense layers, which follow the
// stages; the last is the number of outputs.
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
		s.Layer = net.add(s.Size*s.Size*channels, s.Filters, s.Filters)
		net.stages = append(net.stages, s)
		height, width, channels = s.rows/s.Pool, s.cols/s.Pool, s.Filters
	}
	in := height * width * channels
	for i, out := range widths {
		if out < 1 {
			return nil, fmt.Errorf("nn: new network: layer %d has width %d, want at least 1", i+1, out)
		}
		net.layers = append(net.layers, net.add(in, out, pad(out)))
		in = out
	}
	net.layers[net.hidden()].ld = in
	return net, nil
}

// add appends the parameters of a layer and returns their position.
func (net *Network) add(in, out, ld int) Layer {
	l := Layer{In: in, Out: out, Weights: net.dim, Bias: net.dim + in*out, End: net.dim + in*out + out, ld: ld}
	net.dim = l.End
	return l
}

// WithSkip returns a copy of the network that has a skip. It panics if the network is linear, which needs no skip.
func (net *Network) WithSkip() *Network {
	if len(net.stages) == 0 && net.hidden() == 0 {
		panic("nn: a skip beside a linear network")
	}
	skipping := *net
	in, out := net.inputs, net.layers[net.hidden()].Out
	skipping.dim += in * out
	skipping.skip = Layer{In: in, Out: out, Weights: net.dim, Bias: skipping.dim, End: skipping.dim, ld: out}
	return &skipping
}

// check returns an error if a field of the Stage is out of range, and sets rows and cols.
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

// patches returns the number of patches of the input.
func (s *stage) patches() int { return s.rows * s.cols }

// places returns the length of a feature map in memory, which has gaps between its rows if span is above cols.
func (s *stage) places() int { return (s.rows-1)*s.span + s.cols }

// inputs returns the length of the input.
func (s *stage) inputs() int { return s.height * s.width * s.channels }

// outputs returns the length of all pooled feature maps.
func (s *stage) outputs() int { return (s.rows / s.Pool) * (s.cols / s.Pool) * s.Filters }

// marks returns the number of stageMemory.marks of an image.
func (s *stage) marks() int {
	if s.Mean {
		return s.places() * s.Filters
	}
	return s.outputs()
}

// hidden returns the number of hidden dense layers.
func (net *Network) hidden() int { return len(net.layers) - 1 }

// Dim returns the number of parameters.
func (net *Network) Dim() int { return net.dim }

// Skip returns the layer of the skip; the zero value if there is no skip.
func (net *Network) Skip() Layer { return net.skip }

// Layers returns the layers of the stages, then the dense layers. The skip is not among them.
func (net *Network) Layers() []Layer {
	return append(lists.Each(net.stages, func(s stage) Layer { return s.Layer }), net.layers...)
}

// Products returns the number of multiplications in a forward pass of one row. A bias of a dense layer counts as one.
func (net *Network) Products() int {
	n := net.dim - net.layers[0].Weights
	for i := range net.stages {
		s := &net.stages[i]
		n += s.patches() * s.In * s.Filters
	}
	return n
}

// PassNumbers returns the approximate memory of the Pass that NewPass(batch) returns, as a number of float32.
func (net *Network) PassNumbers(batch int) int {
	each, once := 0, 0 // per row, and independent of the batch
	for i := range net.stages {
		s := &net.stages[i]
		each += 2*s.outputs() + s.marks()/4
		once += s.places()*s.Filters + 2*s.patches()*pad(s.In)
	}
	for _, l := range net.layers {
		each += 2 * l.ld
	}
	return batch*each + once
}

// Init draws each layer's weights and biases in x uniformly between −1/√In and 1/√In, and zeroes the skip's weights.
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

// check panics if x does not have the length of the parameters.
func (net *Network) check(x []float32) {
	if len(x) != net.dim {
		panic(fmt.Sprintf("nn: %d parameters given, the network has %d", len(x), net.dim))
	}
}
