package nn

import (
	"math"

	"banditsim/internal/kernel"
)

// stageMemory is the memory of a stage, which processes one image after the other, so that its intermediate results
// stay in the cache. The fields of the first group hold a whole batch, those of the second a single image or weights.
// Patches are padded with zeros to ld numbers, so that products use whole vectors.
type stageMemory struct {
	out      []float32 // pooled maps
	outDelta []float32 // derivative of the loss with respect to out
	// With max pooling: for each number of out, which is a maximum, its position in the pooled square. With mean pooling:
	// 1 for each number of the maps that is positive or NaN, else 0.
	marks []uint8

	ld         int       // leading dimension of patches; 0 if the stage is direct
	maps       []float32 // maps of an image before pooling, or the derivative with respect to them
	patches    []float32 // patches of an image, one per row, patches × ld
	patchDelta []float32 // derivative with respect to patches
	transposed []float32 // transposed weights, filters × ld
	gradient   []float32 // gradient of the transposed weights, filters × ld
}

// newStages returns the memory of the stages for a batch.
func (net *Network) newStages(batch int) (list []stageMemory) {
	for i := range net.stages {
		s := &net.stages[i]
		m := stageMemory{out: aligned(batch * s.outputs()), outDelta: aligned(batch * s.outputs()),
			marks: make([]uint8, batch*s.marks()), maps: aligned(s.places() * s.Filters)}
		if !s.direct {
			m.ld = pad(s.In)
			m.patches, m.gradient = aligned(s.patches()*m.ld), aligned(s.Filters*m.ld)
		}
		if i > 0 {
			m.patchDelta, m.transposed = aligned(s.patches()*m.ld), aligned(s.Filters*m.ld)
		}
		list = append(list, m)
	}
	return list
}

// forwardStages computes the pooled maps of all stages. It makes sparse inputs dense, and sets p.rows, the input of the
// dense layers, to the maps of the last stage.
func (p *Pass) forwardStages(x []float32) {
	n := p.rows.N
	if p.inputs.sparse() {
		p.inputs = Rows{N: n, Dense: p.expand(&p.rows)}
	}
	images := p.inputs.Dense
	for i := range p.net.stages {
		s, m := &p.net.stages[i], &p.stages[i]
		for j := range n {
			p.forward(s, m, j, images[j*s.inputs():][:s.inputs()], x)
		}
		images = m.out[:n*s.outputs()]
	}
	p.rows = Rows{N: n, Dense: images}
}

// expand returns a sparse batch as a dense one.
func (p *Pass) expand(rows *Rows) []float32 {
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

// forward computes the pooled maps of a stage for image j.
func (p *Pass) forward(s *stage, m *stageMemory, j int, image, x []float32) {
	if s.direct {
		s.convolve(m.maps, image, x)
	} else {
		s.spread(m.patches, m.ld, image)
		e := kernel.Ends{Bias: s.bias(x), ReLU: true}
		kernel.MulAdd(m.maps, s.Filters, m.patches, m.ld, 1, s.weights(x), s.Filters, s.patches(), s.Filters, s.In, e)
	}
	out, marks := m.out[j*s.outputs():][:s.outputs()], m.marks[j*s.marks():][:s.marks()]
	if s.Mean {
		s.poolMean(out, marks, m.maps)
	} else {
		s.poolMax(out, marks, m.maps)
	}
}

// backwardStages sets the gradient of the stages' parameters, given the delta of the first dense layer.
func (p *Pass) backwardStages(grad, x, delta []float32) {
	l, n, last := &p.net.layers[0], p.rows.N, len(p.stages)-1
	kernel.Transpose(p.transposed, pad(l.In), l.weights(x), l.Out, l.In, l.Out)
	outDelta := p.stages[last].outDelta[:n*l.In]
	kernel.MulAdd(outDelta, l.In, delta, l.ld, 1, p.transposed, pad(l.In), n, l.In, l.Out, kernel.Ends{Skip: true, Clear: true})
	for i := last; i >= 0; i-- {
		s, m := &p.net.stages[i], &p.stages[i]
		images, below := p.inputs.Dense, []float32(nil)
		if i > 0 {
			images, below = p.stages[i-1].out, p.stages[i-1].outDelta[:n*s.inputs()]
			clear(below)
			kernel.Transpose(m.transposed, m.ld, s.weights(x), s.Filters, s.In, s.Filters)
		}
		clear(m.gradient)
		for j := range n {
			p.backward(s, m, j, images[j*s.inputs():][:s.inputs()], grad)
			if i > 0 { // backward has set m.maps to the derivative
				e := kernel.Ends{Skip: true, Clear: true}
				kernel.MulAdd(m.patchDelta, m.ld, m.maps, s.Filters, 1, m.transposed, m.ld, s.patches(), m.ld, s.Filters, e)
				s.gather(below[j*s.inputs():][:s.inputs()], m.patchDelta, m.ld)
			}
		}
		if !s.direct {
			kernel.Transpose(s.weights(grad), s.Filters, m.gradient, m.ld, s.Filters, s.In)
		}
	}
}

// backward adds the contribution of image j to the gradient of the parameters of a stage. It sets m.maps to the
// derivative with respect to the maps before ReLU. Most of that is zero because of ReLU and pooling.
func (p *Pass) backward(s *stage, m *stageMemory, j int, image, grad []float32) {
	n, marks := s.outputs(), m.marks[j*s.marks():][:s.marks()]
	if s.Mean {
		s.unpoolMean(m.maps, m.outDelta[j*n:][:n], marks)
	} else {
		s.unpoolMax(m.maps, m.outDelta[j*n:][:n], m.out[j*n:][:n], marks)
	}
	kernel.ColumnSums(s.bias(grad), m.maps, s.Filters, s.places(), s.Filters)
	if s.direct {
		s.convolveGradient(grad, m.maps, image)
		return
	}
	s.spread(m.patches, m.ld, image)
	e := kernel.Ends{Skip: true}
	kernel.MulAdd(m.gradient, m.ld, m.maps, 1, s.Filters, m.patches, m.ld, s.Filters, m.ld, s.patches(), e)
}

// spread copies the patches of an image to the rows of a matrix with leading dimension ld (im2col), for a convolution
// by MulAdd. Elements of the padding stay 0, because nothing else writes to patches.
func (s *stage) spread(patches []float32, ld int, image []float32) {
	s.eachRun(ld, func(patch, pixel, n int) { copy(patches[patch:patch+n], image[pixel:]) })
}

// gather is the transpose of spread: it adds each patch element to the image element from which spread copies it.
func (s *stage) gather(image, patches []float32, ld int) {
	s.eachRun(ld, func(patch, pixel, n int) {
		kernel.ColumnSums(image[pixel:pixel+n], patches[patch:patch+n], n, 1, n)
	})
}

// eachRun calls f for the part of each row of each patch that lies inside the image, if there is one: n adjacent
// elements, which begin at the offset patch in the matrix of spread and at the offset pixel in the image.
func (s *stage) eachRun(ld int, f func(patch, pixel, n int)) {
	for y := range s.rows {
		for x := range s.cols {
			top, left := y*s.Stride-s.Padding, x*s.Stride-s.Padding // below 0 in the padding
			from, n := max(0, -left), (min(s.Size, s.width-left)-max(0, -left))*s.channels
			for dy := max(0, -top); dy < min(s.Size, s.height-top) && n > 0; dy++ {
				f((y*s.cols+x)*ld+(dy*s.Size+from)*s.channels, ((top+dy)*s.width+left+from)*s.channels, n)
			}
		}
	}
}

// If an image has few channels, spread makes many short copies. With stride 1 and without padding (stage.direct), the
// products can read the image itself: a row of a patch is a slice of the image, and the same row of the next patch
// starts one pixel later. The products then also include patches that reach from the end of one image row into the
// next. Nothing reads their results: a row of a map has span = width numbers, of which only the first cols are used.

// convolve computes the maps of an image without copying patches. It adds up one matrix product per row of the filters.
func (s *stage) convolve(maps, image, x []float32) {
	n, run := s.Filters, s.Size*s.channels
	kernel.MulAdd(maps, n, image, s.channels, 1, s.weights(x), n, s.places(), n, run, kernel.Ends{Bias: s.bias(x)})
	for dy := 1; dy < s.Size; dy++ {
		rows, w := image[dy*s.width*s.channels:], s.weights(x)[dy*run*n:]
		kernel.MulAdd(maps, n, rows, s.channels, 1, w, n, s.places(), n, run, kernel.Ends{})
	}
	kernel.ReLU(maps)
}

// convolveGradient adds the weights' gradient. delta is the derivative with respect to the maps, 0 between their rows.
func (s *stage) convolveGradient(grad, delta, image []float32) {
	n, run := s.Filters, s.Size*s.channels
	for dy := range s.Size {
		rows, w := image[dy*s.width*s.channels:], grad[s.Weights+dy*run*n:]
		kernel.MulAdd(w, n, rows, 1, s.channels, delta, n, run, n, s.places(), kernel.Ends{})
	}
}

// MaxPool is the largest side of a pooled square: the position of its maximum must fit in a byte.
const MaxPool = 15

// poolMax writes to out the maximum of each pooled square of the maps, and to place the first position of the maximum
// in the square. The maps come from ReLU, so they are at least 0 or NaN. If no number is NaN, poolMax computes
//
//	for y, x, f := range pooled {
//		for p := range pool × pool { // row by row
//			if maps[y·pool + p/pool][x·pool + p%pool][f] > out[y][x][f] {
//				out[y][x][f], place[y][x][f] = …, p
//			}
//		}
//	}
//
// without branches: the bits of nonnegative floats, read as integers, have the same order. So poolMax takes the maximum
// of integers whose high bits are those of the float and whose low bits encode the position. NaN is above all numbers.
func (s *stage) poolMax(out []float32, place []uint8, maps []float32) {
	last := uint64(s.Pool*s.Pool - 1)
	n := s.Filters
	for o, first := range s.squares {
		dst, at := out[o:][:n], place[o:][:n]
		switch s.Pool {
		case 2: // the usual side, with the loop below written out
			a, b := maps[first:][:n], maps[first+s.pooled[1]:][:n]
			c, d := maps[first+s.pooled[2]:][:n], maps[first+s.pooled[3]:][:n]
			for f := range dst {
				v := max(max(key(a[f], 3), key(b[f], 2)), max(key(c[f], 1), key(d[f], 0)))
				dst[f], at[f] = math.Float32frombits(uint32(v>>8)), uint8(3-v&255)
			}
		default:
			for f := range dst {
				var v uint64
				for p, offset := range s.pooled {
					v = max(v, key(maps[first+offset+f], last-uint64(p)))
				}
				dst[f], at[f] = math.Float32frombits(uint32(v>>8)), uint8(last-v&255)
			}
		}
	}
}

// key returns an integer by which pairs (v, rank) are ordered by v, then by rank. v is not negative; −0 counts as 0.
func key(v float32, rank uint64) uint64 { return uint64(math.Float32bits(v)&(1<<31-1))<<8 | rank }

// unpoolMax computes delta, the derivative with respect to the maps before ReLU, from outDelta, that with respect to
// out. The derivative of each pooled number goes to the maximum of its square, unless this is 0; all others are 0.
func (s *stage) unpoolMax(delta, outDelta, out []float32, place []uint8) {
	clear(delta)
	n := s.Filters
	for o, first := range s.squares {
		at, h := place[o:][:n], out[o:][:n]
		for f, d := range outDelta[o:][:n] {
			// Without a branch: active is all ones if h is positive or NaN, and 0 if h is 0.
			active := uint32(-int32(math.Float32bits(h[f])) >> 31)
			delta[first+s.pooled[at[f]]+f] = math.Float32frombits(math.Float32bits(d) & active)
		}
	}
}

// poolMean writes the mean of each pooled square of the maps to out. It sets active to 1 for each number of the maps
// that is positive or NaN, and to 0 for the others.
func (s *stage) poolMean(out []float32, active []uint8, maps []float32) {
	for i, v := range maps {
		active[i] = 0
		if !(v <= 0) {
			active[i] = 1
		}
	}
	clear(out)
	share := 1 / float32(s.Pool*s.Pool)
	for o, first := range s.squares {
		dst := out[o:][:s.Filters]
		for _, offset := range s.pooled {
			for f, v := range maps[first+offset:][:s.Filters] {
				dst[f] += float32(share * v)
			}
		}
	}
}

// unpoolMean is unpoolMax for poolMean: each active number of a square gets 1/Pool² of the derivative, the others 0.
func (s *stage) unpoolMean(delta, outDelta []float32, active []uint8) {
	clear(delta)
	share := 1 / float32(s.Pool*s.Pool)
	for o, first := range s.squares {
		for _, offset := range s.pooled {
			for f, d := range outDelta[o:][:s.Filters] {
				if at := first + offset + f; active[at] != 0 {
					delta[at] = share * d
				}
			}
		}
	}
}

// squares yields for each pooled square the offsets of its numbers in the output and of its first elements in the maps.
func (s *stage) squares(yield func(o, first int) bool) {
	columns := s.cols / s.Pool
	for i := range s.rows / s.Pool * columns {
		if !yield(i*s.Filters, (i/columns*s.span+i%columns)*s.Pool*s.Filters) {
			return
		}
	}
}
