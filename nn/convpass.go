package nn

import (
	"fmt"

	"banditsim/internal/kernel"
)

// A convPass is the Pass of a network with stages. It takes one image after the other, so that what it computes stays in the cache.
type convPass struct {
	net    *Network
	batch  int // images that fit
	images []float32
	dense  []float32 // images of a sparse batch
	stages []stageMemory
	head   *workspace
	rows   Rows // the input of the head
}

// stageMemory is the memory of a stage: what a batch leaves, and what serves one image at a time. Rows of squares are
// padded with zeros to ld numbers, which lets products take whole vectors.
type stageMemory struct {
	out    []float32 // pooled maps
	by     []float32 // derivative by out
	place  []uint8   // which element of its square a pooled number is
	active []uint8   // with Mean: whether each number of the maps is positive

	ld         int
	maps       []float32 // maps of an image before pooling, or the derivative by them
	squares    []float32 // squares × ld
	bySquares  []float32 // derivative by squares
	transposed []float32 // the weights, filters × ld
	gradient   []float32 // the gradient of transposed, filters × ld
}

var _ Pass = (*convPass)(nil)

func (net *Network) newConvPass(batch int) *convPass {
	p := &convPass{net: net, batch: batch, head: net.newWorkspace(batch)}
	for i := range net.stages {
		s := &net.stages[i]
		m := stageMemory{out: aligned(batch * s.outputs()), by: aligned(batch * s.outputs()), maps: aligned(s.places() * s.Filters)}
		if !s.direct {
			m.ld = pad(s.In)
			m.squares, m.gradient = aligned(s.squares()*m.ld), aligned(s.Filters*m.ld)
		}
		if i > 0 {
			m.bySquares, m.transposed = aligned(s.squares()*m.ld), aligned(s.Filters*m.ld)
		}
		if s.Mean {
			m.active = make([]uint8, batch*len(m.maps))
		} else {
			m.place = make([]uint8, len(m.out))
		}
		p.stages = append(p.stages, m)
	}
	return p
}

// Forward computes the outputs.
func (p *convPass) Forward(x []float32, rows *Rows, dropout *Dropout) []float32 {
	p.net.check(x)
	rows.check(p.net.inputs)
	if rows.N > p.batch {
		panic(fmt.Sprintf("nn: batch of %d images in a pass for %d", rows.N, p.batch))
	}
	p.images = rows.Dense
	if rows.sparse() {
		p.images = p.expand(rows)
	}
	images := p.images
	for i := range p.net.stages {
		s, m := &p.net.stages[i], &p.stages[i]
		for j := range rows.N {
			p.forward(s, m, j, images[j*s.inputs():][:s.inputs()], x)
		}
		images = m.out[:rows.N*s.outputs()]
	}
	p.rows = Rows{N: rows.N, Dense: images}
	out := p.head.Forward(x, &p.rows, dropout)
	if s := &p.net.skip; s.In > 0 {
		kernel.MulAdd(out, s.Out, p.images, s.In, 1, s.weights(x), s.Out, rows.N, s.Out, s.In)
	}
	return out
}

// expand returns a sparse batch as a dense one.
func (p *convPass) expand(rows *Rows) []float32 {
	n := p.net.inputs
	if p.dense == nil {
		p.dense = aligned(p.batch * n)
	}
	dense := p.dense[:rows.N*n]
	clear(dense)
	for i := range rows.N {
		for _, j := range rows.Index[rows.Offset[i]:rows.Offset[i+1]] {
			dense[i*n+int(j)] = 1
		}
	}
	return dense
}

// forward computes the pooled maps of image j.
func (p *convPass) forward(s *stage, m *stageMemory, j int, image, x []float32) {
	if s.direct {
		s.convolve(m.maps, image, x)
	} else {
		s.spread(m.squares, m.ld, image)
		kernel.MulBiasReLU(m.maps, s.Filters, s.bias(x), m.squares, m.ld, 1, s.weights(x), s.Filters, s.squares(), s.Filters, s.In)
	}
	n := s.outputs()
	out := m.out[j*n:][:n]
	if s.Mean {
		s.poolMean(out, m.active[j*len(m.maps):][:len(m.maps)], m.maps)
	} else {
		s.poolLargest(out, m.place[j*n:][:n], m.maps)
	}
}

// Backward computes the gradient.
func (p *convPass) Backward(grad, x, delta []float32) {
	p.head.Backward(grad, x, delta)
	if s := &p.net.skip; s.In > 0 {
		p.head.denseGradient(s, grad, delta, s.Out, p.images)
	}
	last := len(p.net.stages) - 1
	p.head.byInputs(p.stages[last].by, x, delta)
	for i := last; i >= 0; i-- {
		s, m := &p.net.stages[i], &p.stages[i]
		images, below := p.images, []float32(nil)
		if i > 0 {
			images, below = p.stages[i-1].out, p.stages[i-1].by[:p.rows.N*s.inputs()]
			clear(below)
			kernel.Transpose(m.transposed, m.ld, s.weights(x), s.Filters, s.In, s.Filters)
		}
		clear(m.gradient)
		for j := range p.rows.N {
			p.backward(s, m, j, images[j*s.inputs():][:s.inputs()], grad)
			if i > 0 {
				p.backwardInputs(s, m, below[j*s.inputs():][:s.inputs()])
			}
		}
		if !s.direct {
			kernel.Transpose(s.weights(grad), s.Filters, m.gradient, m.ld, s.Filters, s.In)
		}
	}
}

// backward adds the part of image j to the gradient by the parameters of a stage. It leaves the derivative by the maps before
// ReLU in m.maps, most of which is zero because of ReLU and pooling.
func (p *convPass) backward(s *stage, m *stageMemory, j int, image, grad []float32) {
	n := s.outputs()
	if s.Mean {
		s.unpoolMean(m.maps, m.by[j*n:][:n], m.active[j*len(m.maps):][:len(m.maps)])
	} else {
		s.unpoolLargest(m.maps, m.by[j*n:][:n], m.out[j*n:][:n], m.place[j*n:][:n])
	}
	kernel.ColumnSums(s.bias(grad), m.maps, s.Filters, s.places(), s.Filters)
	if s.direct {
		s.convolveGradient(grad, m.maps, image)
		return
	}
	s.spread(m.squares, m.ld, image)
	kernel.SkipMulAdd(m.gradient, m.ld, m.maps, 1, s.Filters, m.squares, m.ld, s.Filters, m.ld, s.squares())
}

// backwardInputs adds the derivative by the input of a stage, which follows from m.maps.
func (p *convPass) backwardInputs(s *stage, m *stageMemory, image []float32) {
	clear(m.bySquares)
	kernel.SkipMulAdd(m.bySquares, m.ld, m.maps, s.Filters, 1, m.transposed, m.ld, s.squares(), m.ld, s.Filters)
	s.gather(image, m.bySquares, m.ld)
}

// Features returns the last hidden layer of the MLP, or the pooled maps of the last stage if it has none.
func (p *convPass) Features() (features []float32, stride int) {
	if features, stride = p.head.Features(); stride > 0 {
		return features, stride
	}
	last := len(p.net.stages) - 1
	stride = p.net.stages[last].outputs()
	return p.stages[last].out[:p.rows.N*stride], stride
}
