package synthetic

import (
	"math"

	"banditsim/bandit/stream"
	"banditsim/internal/state"
)

// A frame holds n orthonormal vectors of length dim, which drift. Each has the given number of elements
// that are not zero; if that is not dim, no two vectors share one.
type frame struct {
	n, dim, support int
	drift           Drift
	draws, steps    *stream.Stream // of new vectors, and of a random walk
	pulls           uint64
	columns         []int32   // n × support: the elements that are not zero
	now, from, to   []float64 // n × dim; from and to only of gradual drift
	buffer          []float32
}

func newFrame(n, dim, support int, d Drift, r *stream.Stream) *frame {
	f := &frame{
		n: n, dim: dim, support: support, drift: d,
		draws: r.Child("parameters"), steps: r.Child("drift"),
		columns: make([]int32, n*support), now: make([]float64, n*dim), buffer: make([]float32, n*support),
	}
	order := make([]int32, dim)
	if shuffle(order, f.draws); support < dim {
		copy(f.columns, order[:n*support])
	} else {
		for i := range f.columns {
			f.columns[i] = int32(i % dim)
		}
	}
	f.draw(f.now)
	if d.Kind == "gradual" {
		f.from, f.to = make([]float64, n*dim), make([]float64, n*dim)
		copy(f.to, f.now)
	}
	return f
}

// vector returns vector i.
func (f *frame) vector(i int) []float64 { return f.now[i*f.dim : (i+1)*f.dim] }

// draw fills dst with vectors from the uniform distribution on orthonormal ones.
func (f *frame) draw(dst []float64) {
	clear(dst)
	f.add(dst, 1, f.draws)
	f.orthonormalize(dst)
}

// add adds scaled standard normals to the elements that are not zero.
func (f *frame) add(dst []float64, scale float64, r *stream.Stream) {
	r.Normals(f.buffer)
	for k, column := range f.columns {
		dst[k/f.support*f.dim+int(column)] += float64(scale * float64(f.buffer[k]))
	}
}

// orthonormalize applies the Gram-Schmidt process.
func (f *frame) orthonormalize(dst []float64) {
	for i := range f.n {
		v := dst[i*f.dim : (i+1)*f.dim]
		if f.support == f.dim { // else they share no element
			for k := range i {
				u := dst[k*f.dim : (k+1)*f.dim]
				along := dot(u, v)
				for j := range v {
					v[j] -= float64(along * u[j])
				}
			}
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

// advance moves the vectors to the next pull. The first call leaves them alone.
func (f *frame) advance() {
	pull := f.pulls
	f.pulls++
	switch f.drift.Kind {
	case "abrupt":
		if pull > 0 && f.drift.begins(pull) {
			f.draw(f.now)
		}
	case "gradual":
		if f.drift.begins(pull) {
			copy(f.from, f.to)
			f.draw(f.to)
		}
		s := f.drift.phase(pull)
		for i := range f.now {
			f.now[i] = float64((1-s)*f.from[i]) + float64(s*f.to[i])
		}
		f.orthonormalize(f.now)
	case "random-walk":
		if pull > 0 {
			f.add(f.now, f.drift.Rate/math.Sqrt(float64(f.support)), f.steps)
			f.orthonormalize(f.now)
		}
	}
}

func (f *frame) save(w *state.Writer) {
	w.Object(f.draws)
	w.Object(f.steps)
	w.Uint64(f.pulls)
	w.Int32s(f.columns)
	w.Float64s(f.now)
	w.Float64s(f.from)
	w.Float64s(f.to)
}

func (f *frame) restore(r *state.Reader) {
	r.Object(f.draws)
	r.Object(f.steps)
	f.pulls = r.Uint64()
	r.Int32s("an element", f.columns, 0, f.dim-1)
	r.Float64s(f.now)
	r.Float64s(f.from)
	r.Float64s(f.to)
}
