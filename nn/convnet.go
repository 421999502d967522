package nn

import (
	"errors"
	"fmt"
	"math"

	"banditsim/bandit/stream"
)

// A Stage is a convolution with ReLU and pooling.
type Stage struct {
	Filters int  // feature maps
	Size    int  // side of the square that a filter sees
	Stride  int  // distance of neighboring squares
	Padding int  // rows and columns of zeros on each side
	Pool    int  // side of the squares of a map that become one number; 1 pools nothing
	Mean    bool // a pooled number is the mean, not the largest
}

// A ConvNet is a convolutional network: stages, and an MLP over the feature maps of the last one; perhaps a linear path from
// the images to the outputs beside them, the skip.
//
// Its inputs are images, row by row, the channels of a pixel side by side (height × width × channels), and so are
// feature maps. Its parameters are one vector, stage by stage: first the weights, where w[q·filters+f] leads from
// element q of a square (size × size × channels) to filter f, then the biases of the filters. Those of the MLP follow, then
// the weights of a skip, inputs × outputs, which has no biases.
type ConvNet struct {
	stages []stage
	head   *MLP
	from   int    // where the parameters of the head begin
	skip   *layer // nil if there is none
}

var _ Model = (*ConvNet)(nil)

// A stage is a Stage whose input is height × width × channels. There are rows × cols squares in it, and the maps have
// rows × span numbers per filter. The weights are at offset w of the parameters, the biases at b.
type stage struct {
	Stage
	height, width, channels int
	rows, cols              int
	span                    int
	direct                  bool  // the products take the image as it is: see direct.go
	pooled                  []int // offsets of the elements of a pooled square from its first, row by row
	w, b                    int
}

// NewConvNet returns the network of the stages for images of the given size; widths are the layers of the MLP after them:
// hidden layers, outputs.
func NewConvNet(height, width, channels int, stages []Stage, widths ...int) (*ConvNet, error) {
	if len(stages) == 0 {
		return nil, errors.New("nn: new convolutional network: it needs at least one stage")
	}
	if height < 1 || width < 1 || channels < 1 {
		return nil, fmt.Errorf("nn: new convolutional network: images of %d×%d×%d, want at least 1×1×1", height, width, channels)
	}
	net := &ConvNet{}
	for i, declared := range stages {
		s := stage{Stage: declared, height: height, width: width, channels: channels, w: net.from}
		if err := s.check(); err != nil {
			return nil, fmt.Errorf("nn: new convolutional network: stage %d: %w", i+1, err)
		}
		s.rows = (height+2*s.Padding-s.Size)/s.Stride + 1
		s.cols = (width+2*s.Padding-s.Size)/s.Stride + 1
		s.span = s.cols
		if s.direct = i == 0 && s.Stride == 1 && s.Padding == 0 && s.Size*channels < line; s.direct {
			s.span = width
		}
		if s.Pool > min(s.rows, s.cols) {
			return nil, fmt.Errorf("nn: new convolutional network: stage %d: pool of %d over maps of %d×%d, want at most %d", i+1, s.Pool, s.rows, s.cols, min(s.rows, s.cols))
		}
		for p := range s.Pool * s.Pool {
			s.pooled = append(s.pooled, (p/s.Pool*s.span+p%s.Pool)*s.Filters)
		}
		s.b = s.w + s.square()*s.Filters
		net.from = s.b + s.Filters
		net.stages = append(net.stages, s)
		height, width, channels = s.rows/s.Pool, s.cols/s.Pool, s.Filters
	}
	head, err := New(append([]int{height * width * channels}, widths...)...)
	net.head = head
	return net, err
}

// WithSkip returns the network with a skip.
func (net *ConvNet) WithSkip() *ConvNet {
	skipping := *net
	in, out, end := net.stages[0].inputs(), net.head.layers[net.head.hidden()].out, net.from+net.head.Dim()
	skipping.skip = &layer{in: in, out: out, w: end, b: end + in*out, ld: out}
	return &skipping
}

func (s *stage) check() error {
	switch {
	case s.Filters < 1:
		return fmt.Errorf("%d filters, want at least 1", s.Filters)
	case s.Size < 1 || s.Stride < 1 || s.Padding < 0:
		return fmt.Errorf("size %d, stride %d, padding %d, want at least 1, 1, 0", s.Size, s.Stride, s.Padding)
	case s.Size > min(s.height, s.width)+2*s.Padding:
		return fmt.Errorf("size %d over %d×%d with padding %d, want at most %d", s.Size, s.height, s.width, s.Padding, min(s.height, s.width)+2*s.Padding)
	case s.Pool < 1 || s.Pool > MaxPool:
		return fmt.Errorf("pool %d, want 1 to %d", s.Pool, MaxPool)
	}
	return nil
}

// square returns the number of elements that a filter sees, squares how many squares there are, places how many places
// in a map, inputs the length of the input, outputs the length of the pooled maps.
func (s *stage) square() int  { return s.Size * s.Size * s.channels }
func (s *stage) squares() int { return s.rows * s.cols }
func (s *stage) places() int  { return (s.rows-1)*s.span + s.cols }
func (s *stage) inputs() int  { return s.height * s.width * s.channels }
func (s *stage) outputs() int { return (s.rows / s.Pool) * (s.cols / s.Pool) * s.Filters }

// Dim returns the number of parameters.
func (net *ConvNet) Dim() int {
	if net.skip != nil {
		return net.skip.b
	}
	return net.from + net.head.Dim()
}

// headOf returns the part of the parameters, or of a gradient, that is the head's.
func (net *ConvNet) headOf(x []float32) []float32 { return x[net.from : net.from+net.head.Dim()] }

// Skip returns the layer of the skip; ok is false if there is none.
func (net *ConvNet) Skip() (skip Layer, ok bool) { return net.skip.public() }

// Products returns the number of products of a forward pass of one image, with one for each bias of the head.
func (net *ConvNet) Products() int {
	n := net.Dim() - net.from
	for i := range net.stages {
		s := &net.stages[i]
		n += s.squares() * s.square() * s.Filters
	}
	return n
}

// PassNumbers returns the number of float32 that a Pass for a batch has about.
func (net *ConvNet) PassNumbers(batch int) int {
	each, once := 0, 0
	for i := range net.stages {
		s := &net.stages[i]
		bytes := s.outputs()
		if s.Mean {
			bytes = s.places() * s.Filters
		}
		each += 2*s.outputs() + bytes/4
		once += s.places()*s.Filters + 2*s.squares()*pad(s.square())
	}
	for _, l := range net.head.layers {
		each += 2 * l.ld
	}
	return batch*each + once
}

// Layers returns the layers of all stages, then those of the MLP. The In of a stage is the number of elements that a filter sees.
func (net *ConvNet) Layers() []Layer {
	var list []Layer
	for i := range net.stages {
		s := &net.stages[i]
		list = append(list, Layer{s.square(), s.Filters, s.w, s.b, s.b + s.Filters})
	}
	for _, l := range net.head.Layers() {
		list = append(list, Layer{l.In, l.Out, net.from + l.Weights, net.from + l.Bias, net.from + l.End})
	}
	return list
}

// Init draws weights and biases from the uniform distribution on ±1/√fan_in, stage by stage and layer by layer. A skip
// starts at 0.
func (net *ConvNet) Init(x []float32, r *stream.Stream) {
	net.check(x)
	for i := range net.stages {
		s := &net.stages[i]
		bound := 1 / math.Sqrt(float64(s.square()))
		for j := s.w; j < s.b+s.Filters; j++ {
			x[j] = float32(bound * (2*r.Float64() - 1))
		}
	}
	net.head.Init(net.headOf(x), r)
	if net.skip != nil {
		clear(net.skip.weights(x))
	}
}

func (net *ConvNet) check(x []float32) {
	if len(x) != net.Dim() {
		panic(fmt.Sprintf("nn: %d parameters given, the network has %d", len(x), net.Dim()))
	}
}
