package deep

import (
	"context"
	"fmt"
	"slices"

	"banditsim/bandit/stream"
	"banditsim/internal/kernel"
	"banditsim/internal/lists"
	"banditsim/nn"
	"banditsim/posterior"
	"banditsim/posterior/sgmcmc"
)

// Shape describes a convolutional network: stages with Size × Size filters and max pooling, followed by hidden layers.
type Shape struct {
	Maps   []int `json:"maps"`   // feature maps of each stage
	Size   int   `json:"size"`   // side of the filters, in pixels
	Pool   int   `json:"pool"`   // side of the pooling squares; 1 for no pooling
	Hidden []int `json:"hidden"` // widths of the hidden layers
}

// A Network is a network with buffers for its forward and backward passes. All targets and predictions share one
// Network, which is safe for concurrent use.
type Network struct {
	*nn.Network
	Classes int
	batch   int
	passes  lists.Free[*nn.Pass]
}

// NewNetwork returns the network with the given shape for the images and classes of d. batch, at least 1, is the
// largest number of images of a pass. If the images are too small for so many stages, every stage uses zero padding, so
// that filters do not reduce the size of maps.
func NewNetwork(s Shape, d *Data, batch int) (*Network, error) {
	if s.Size < 1 || s.Pool < 1 {
		return nil, fmt.Errorf("deep: size %d, pool %d, want at least 1", s.Size, s.Pool)
	}
	padding := 0
	for i, side := 0, min(d.Height, d.Width); i < len(s.Maps); i++ {
		if side = (side - s.Size + 1) / s.Pool; side < 1 {
			padding = s.Size / 2
		}
	}
	stages := lists.Each(s.Maps, func(maps int) nn.Stage {
		return nn.Stage{Filters: maps, Size: s.Size, Stride: 1, Padding: padding, Pool: s.Pool}
	})
	model, err := nn.NewConv(d.Height, d.Width, 1, stages, slices.Concat(s.Hidden, []int{d.Classes})...)
	if err != nil {
		return nil, fmt.Errorf("deep: %w", err)
	}
	n := &Network{Network: model, Classes: d.Classes, batch: batch}
	n.passes.Make = func() *nn.Pass { return model.NewPass(batch) }
	return n, nil
}

// Probabilities writes to dst the class probabilities of all images of d with parameters x. dst has the shape d.Len() ×
// Classes and is row-major. dropout may be nil.
func (n *Network) Probabilities(dst []float64, x []float32, d *Data, dropout *nn.Dropout) {
	if len(dst) != d.Len()*n.Classes {
		panic(fmt.Sprintf("deep: room for %d probabilities of %d images in %d classes", len(dst), d.Len(), n.Classes))
	}
	n.each(x, d, dropout, func(first int, _ *nn.Pass, out []float32) {
		for i := 0; i < len(out); i += n.Classes {
			p := dst[first*n.Classes+i:][:n.Classes]
			_, sum, _ := softmax(p, out[i:i+n.Classes])
			for k := range p {
				p[k] /= sum
			}
		}
	})
}

// Energy returns Σᵢ −log softmax(f_x(cᵢ))[yᵢ] over all images of d. The symbols are those of CrossEntropy.
func (n *Network) Energy(x []float32, d *Data) float64 {
	energy, exps := 0.0, make([]float64, n.Classes)
	n.each(x, d, nil, func(first int, _ *nn.Pass, out []float32) {
		energy += crossEntropy(nil, out, d.Labels[first:first+len(out)/n.Classes], 1, exps)
	})
	return energy
}

// each calls f for each batch of d in turn, with the index of the batch's first image, the pass and its outputs, which
// f must not keep.
func (n *Network) each(x []float32, d *Data, dropout *nn.Dropout, f func(first int, pass *nn.Pass, out []float32)) {
	pass := n.passes.Take()
	defer n.passes.Give(pass)
	var rows nn.Rows
	for first := 0; first < d.Len(); first += n.batch {
		end := min(first+n.batch, d.Len())
		rows = nn.Rows{N: end - first, Dense: d.Pixels[first*d.size() : end*d.size()]}
		f(first, pass, pass.Forward(x, &rows, dropout))
	}
}

// softmax sets exps to exp(z − z[top]), with z[top] the largest element of z. It returns top, the sum of exps and that
// without exps[top]. The probabilities are exps/sum. The sum is at least 1; both sums are NaN if z[top] is not finite.
func softmax(exps []float64, z []float32) (top int, sum, others float64) {
	for k, v := range z {
		if v > z[top] || v != v {
			top = k
		}
	}
	others = float64(z[top]) - float64(z[top]) // 0, or NaN if z[top] is not finite
	for k, v := range z {
		exps[k] = kernel.Exp(float64(v) - float64(z[top]))
		if k != top {
			others += exps[k]
		}
	}
	return top, exps[top] + others, others
}

// A trainingSetup has the network and the images of an experiment's chains.
type trainingSetup struct {
	net            *Network
	train, heldOut *Data
	batch          int
	decay          float64
}

// start returns n chains, whose initial positions, batches and noise derive from r, and the setup of their sampler.
func (l *trainingSetup) start(n int, r *stream.Stream, parallel posterior.Parallel) (chains []posterior.Chain, u sgmcmc.Setup) {
	u = sgmcmc.Setup{Chains: n, Dim: l.net.Dim(), Stream: r.Child("sampler"), Parallel: parallel}
	for i := range n {
		r := r.Child("chain", i)
		t := l.target(r.Child("batches"))
		x := make([]float32, l.net.Dim())
		l.net.Init(x, r.Child("start"))
		chains, u.Noise = append(chains, posterior.NewChain(t, x)), append(u.Noise, r.Child("noise"))
	}
	return chains, u
}

// target returns the target for the training images, with batches drawn by r.
func (l *trainingSetup) target(r *stream.Stream) *CrossEntropy {
	return NewCrossEntropy(l.net, l.train, l.batch, l.decay, r)
}

// walk moves chains by a number of steps. After each step it calls the function after with the step's index, from 0.
func walk(ctx context.Context, sampler posterior.Sampler, chains []posterior.Chain, steps int, after func(step int)) error {
	for step := range steps {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := sampler.Step(chains); err != nil {
			return fmt.Errorf("step %d: %w", step+1, err)
		}
		after(step)
	}
	return nil
}

func nothing(int) {}

// Data is a set of gray images with their classes, and the name and checksum of their source. In JSON it has only the
// source. Data is never modified, and safe for concurrent use.
type Data struct {
	Height  int       `json:"-"`
	Width   int       `json:"-"`
	Classes int       `json:"-"`
	Pixels  []float32 `json:"-"` // image by image; each image is row-major
	Labels  []int32   `json:"-"` // class of each image, 0 … Classes−1
	Name    string    `json:"name"`
	SHA256  string    `json:"sha256"`
}

// Len returns the number of images.
func (d *Data) Len() int { return len(d.Labels) }

// size returns the number of pixels of an image.
func (d *Data) size() int { return d.Height * d.Width }

// Split returns n images drawn by r without replacement, and all other images.
func (d *Data) Split(n int, r *stream.Stream) (drawn, others *Data, err error) {
	if n < 1 || n >= d.Len() {
		return nil, nil, fmt.Errorf("deep: %d images to draw of %d, want 1 to %d", n, d.Len(), d.Len()-1)
	}
	order := make([]int32, d.Len())
	r.Permutation(order)
	return d.choose(order[:n]), d.choose(order[n:]), nil
}

// choose returns a copy of the images with the given indices.
func (d *Data) choose(indices []int32) *Data {
	chosen := *d
	chosen.Pixels, chosen.Labels = make([]float32, 0, len(indices)*d.size()), make([]int32, 0, len(indices))
	for _, i := range indices {
		chosen.Pixels = append(chosen.Pixels, d.image(i)...)
		chosen.Labels = append(chosen.Labels, d.Labels[i])
	}
	return &chosen
}

// first returns the first n images, which share memory with d.
func (d *Data) first(n int) *Data {
	first := *d
	first.Pixels, first.Labels = d.Pixels[:n*d.size()], d.Labels[:n]
	return &first
}

func (d *Data) image(i int32) []float32 { return d.Pixels[int(i)*d.size():][:d.size()] }
