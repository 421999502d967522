package synthetic

import (
	"math"

	"banditsim/bandit/stream"
	"banditsim/internal/state"
)

// A frame holds n vectors of length dim, each with support nonzero elements. If normal is true, these are standard
// normal; else the vectors are orthonormal and may drift. If support < dim, no two vectors share a nonzero element.
type frame struct {
	drifting        // the vectors, one after the other
	n, dim, support int
	normal          bool
	columns         []int32 // n × support: indices of the nonzero elements
	buffer          []float32
}

func newFrame(n, dim, support int, normal bool, d Drift, r *stream.Stream) *frame {
	f := &frame{
		drifting: newDrifting(n*dim, d, r), n: n, dim: dim, support: support, normal: normal,
		columns: make([]int32, n*support), buffer: make([]float32, n*support),
	}
	order := make([]int32, dim)
	if f.draws.Permutation(order); support < dim {
		copy(f.columns, order[:n*support])
	} else {
		for i := range f.columns {
			f.columns[i] = int32(i % dim)
		}
	}
	f.start(f)
	return f
}

func (f *frame) vector(i int) []float64 { return f.now[i*f.dim : (i+1)*f.dim] }

// draw fills dst with new vectors, whose directions are uniform.
func (f *frame) draw(dst []float64) {
	clear(dst)
	if f.add(dst, 1, f.draws); !f.normal {
		f.orthonormalize(dst)
	}
}

// add adds scaled standard normals to the nonzero elements.
func (f *frame) add(dst []float64, scale float64, r *stream.Stream) {
	r.Normals(f.buffer)
	for k, column := range f.columns {
		dst[k/f.support*f.dim+int(column)] += float64(scale * float64(f.buffer[k]))
	}
}

func (f *frame) orthonormalize(dst []float64) {
	for i := range f.n {
		v := dst[i*f.dim : (i+1)*f.dim]
		if f.support == f.dim { // otherwise the vectors are orthogonal already
			for k := range i {
				u := dst[k*f.dim : (k+1)*f.dim]
				along := dot(u, v)
				for j := range v {
					v[j] -= float64(along * u[j])
				}
			}
		}
		if f.to != nil && dot(v, v) == 0 { // v is 0 halfway to its opposite, as may happen with one nonzero element
			copy(v, f.to[i*f.dim:])
		}
		norm := math.Sqrt(dot(v, v))
		for j := range v {
			v[j] /= norm
		}
	}
}

func dot(u, v []float64) float64 {
	sum := 0.0
	for i, x := range u {
		sum += float64(x * v[i])
	}
	return sum
}

// walk takes a step of the random walk, after which the vectors are orthonormal again.
func (f *frame) walk() {
	f.add(f.now, f.drift.Rate/math.Sqrt(float64(f.support)), f.steps)
	f.orthonormalize(f.now)
}

// advance moves the vectors to the next pull.
func (f *frame) advance() {
	f.drifting.advance(f)
	if f.drift.Kind == "gradual" {
		f.orthonormalize(f.now)
	}
}

func (f *frame) state(c *state.Codec) {
	f.drifting.state(c)
	c.Int32s("an element", f.columns, 0, f.dim-1)
}
