package ridge

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"banditsim/bandit/stream"
	"banditsim/internal/must"
)

// draw sets x to random numbers: normal ones or, if oneHot, a one-hot encoding of groups of about five, which gives A eigenvalues
// from λ up to the number of updates.
func draw(x []float32, oneHot bool, r *stream.Stream) {
	if !oneHot {
		r.Normals(x)
		return
	}
	clear(x)
	for low := 0; low < len(x); low += 5 {
		x[low+r.IntN(min(5, len(x)-low))] = 1
	}
}

// dense returns P after the updates, computed from a dense A.
func dense(d int, lambda float64, updates [][]float32, weights []float64, constant bool) *mat.SymDense {
	a := mat.NewSymDense(d, nil)
	for i := range d {
		a.SetSym(i, i, lambda)
	}
	for k, x := range updates {
		v := mat.NewVecDense(d, nil)
		for i, f := range x {
			v.SetVec(i, float64(f))
		}
		if constant {
			v.SetVec(d-1, 1)
		}
		a.SymRankOne(a, weights[k], v)
	}
	var c mat.Cholesky
	if !c.Factorize(a) {
		panic("not positive definite")
	}
	var p mat.SymDense
	if err := c.InverseTo(&p); err != nil {
		panic(err)
	}
	return &p
}

// at returns element (i, j) of P.
func at(m *Inverse, i, j int) float64 { m.settle(); return m.p[m.rows[min(i, j)]+max(i, j)] }

// TestInverse compares P, P·x, xᵀPx and P·b with dense algebra, before and after renewals.
func TestInverse(t *testing.T) {
	for _, c := range []struct {
		d, updates       int
		oneHot, constant bool
	}{
		{1, 50, false, false}, {2, 3, false, false}, {5, 159, false, true}, {5, 161, false, true},
		{17, 1000, true, true}, {30, 3000, false, false},
	} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			r := stream.Root(1)
			m := New(c.d, 0.5)
			n := c.d
			if c.constant {
				n--
			}
			var updates [][]float32
			var weights []float64
			var x Vector
			for range c.updates {
				row := make([]float32, n)
				draw(row, c.oneHot, r)
				updates, weights = append(updates, row), append(weights, 0.5+r.Float64())
				x.Set(row, c.constant)
				px, quad := m.Gain(&x)
				px = append([]float64(nil), px...)
				if after, q, renewed := m.Add(&x, weights[len(weights)-1]); !renewed && (q != quad || !slices.Equal(after, px)) {
					t.Fatal("Add and Gain disagree")
				}
			}
			want := dense(c.d, 0.5, updates, weights, c.constant)
			near := func(what string, got, want float64) { must.Near(t, what, got, want, 1e-11) }
			for i := range c.d {
				for j := range c.d {
					near(fmt.Sprint(i, j), at(m, i, j), want.At(i, j))
				}
			}
			v := mat.NewVecDense(c.d, nil)
			for k, i := range x.Index {
				v.SetVec(int(i), x.Value[k])
			}
			near("Quad", m.Quad(&x), mat.Inner(v, want, v))
			w := make([]float64, c.d)
			m.Solve(w, v.RawVector().Data)
			var pv mat.VecDense
			pv.MulVec(want, v)
			px, _ := m.Gain(&x)
			for i := range c.d {
				near("Solve", w[i], pv.AtVec(i))
				near("Gain", px[i], pv.AtVec(i))
			}
			m.Scale(4)
			near("Scale", at(m, 0, 0), want.At(0, 0)/4)
		})
	}
}

// plain is a reference for Inverse: plain loops, without deferred updates.
type plain struct {
	d int
	p [][]float64 // the upper triangle
}

func (q *plain) at(i, j int) float64 { return q.p[min(i, j)][max(i, j)] }

func (q *plain) add(x *Vector, w float64) {
	v, quad := make([]float64, q.d), 0.0
	for j := range v {
		for k, i := range x.Index {
			v[j] += float64(x.Value[k] * q.at(int(i), j))
		}
	}
	for k, i := range x.Index {
		quad += float64(x.Value[k] * v[i])
	}
	g := w / (1 + float64(w*max(0, quad)))
	for i := range v {
		f := float64(g * v[i])
		for j := i; j < q.d; j++ {
			q.p[i][j] -= float64(f * v[j])
		}
	}
}

func (q *plain) quad(x *Vector) float64 {
	total := 0.0
	for k, i := range x.Index {
		sum := 0.0
		for l := k + 1; l < len(x.Index); l++ {
			sum += float64(x.Value[l] * q.at(int(i), int(x.Index[l])))
		}
		total += float64(x.Value[k] * (float64(x.Value[k]*q.at(int(i), int(i))) + 2*sum))
	}
	return max(0, total)
}

// TestBatchOfInfinities checks that infinite elements of P and w have no effect on vectors that are zero there.
func TestBatchOfInfinities(t *testing.T) {
	m := New(3, 1)
	m.p[0], m.p[1] = math.Inf(1), math.Inf(-1)
	var b Batch
	b.Set([][]float32{{0, 1, 2}, {0, 3, 0}, {0, 0, 1}, {1, 1, 1}, {1, 2, 1}}, false)
	must.Hold(t, len(b.columns) > 0, "one after another")
	quads, dots := make([]float64, 5), make([]float64, 5)
	m.Quads(quads, 1, &b)
	b.Dot(dots, 1, []float64{math.Inf(1), 1, 2})
	must.That(t, slices.Equal(quads[:3], []float64{5, 9, 1}) && math.IsNaN(quads[3]) &&
		slices.Equal(dots, []float64{5, 3, 2, math.Inf(1), math.Inf(1)}), "%v, %v", quads, dots)
}

// TestVectorSet checks that Set leaves out zeros of either sign.
func TestVectorSet(t *testing.T) {
	nan, zero := float32(math.NaN()), float32(math.Copysign(0, -1))
	var v Vector
	v.Set([]float32{0, 1, zero, -2, nan, 0, math.SmallestNonzeroFloat32, 0}, true)
	must.That(t, slices.Equal(v.Index, []int32{1, 3, 4, 6, 8}) && v.Value[1] == -2 && v.Value[2] != v.Value[2] &&
		v.Value[3] == math.SmallestNonzeroFloat32 && v.Value[4] == 1, "%+v", v)
	v.Set(nil, false)
	must.Equal(t, "numbers left", len(v.Index)+len(v.Value), 0)
}

// TestSameBits compares deferred updates, and products of batches, with plain loops bit by bit.
func TestSameBits(t *testing.T) {
	for _, share := range []float64{0.02, 0.2, 0.9, 1} {
		for _, d := range []int{1, 2, 7, 8, 9, 16, 30, 117, 118} {
			t.Run(fmt.Sprint(share, d), func(t *testing.T) {
				r := stream.Root(3)
				m, q := New(d, 0.7), &plain{d: d}
				for i := range d {
					q.p = append(q.p, make([]float64, d))
					q.p[i][i] = 1 / 0.7
				}
				context := func() []float32 {
					x := make([]float32, d)
					r.Normals(x)
					for i := range x {
						if r.Float64() >= share {
							x[i] = 0
						}
					}
					return x
				}
				check := func(what string, got, want float64) {
					t.Helper()
					if math.Float64bits(got) != math.Float64bits(want) {
						t.Fatalf("%s: %v, want %v", what, got, want)
					}
				}
				var x Vector
				var b Batch
				w := make([]float64, d)
				for round := range 12 {
					for range r.IntN(6) {
						x.Set(context(), false)
						weight := 1 + r.Float64()
						if _, _, renewed := m.Add(&x, weight); !renewed {
							q.add(&x, weight)
							continue
						}
						for i := range d {
							copy(q.p[i][i:], m.row(m.p, i))
						}
					}
					contexts := make([][]float32, 1+r.IntN(MaxBatch))
					if round%3 == 0 {
						contexts = make([][]float32, MaxBatch)
					}
					for i := range contexts {
						contexts[i] = context()
					}
					b.Set(contexts, false)
					quads, dots := make([]float64, 2*MaxBatch), make([]float64, MaxBatch)
					for i := range w {
						w[i] = q.at(i, 0)
					}
					m.Quads(quads, 2, &b)
					b.Dot(dots, 1, w)
					for i, c := range contexts {
						x.Set(c, false)
						check("Quad", m.Quad(&x), q.quad(&x))
						check("Quads", quads[2*i], q.quad(&x))
						check("Dot", dots[i], x.Dot(w))
					}
					if round == 6 {
						saved := must.Get(m.MarshalBinary())(t)
						m = New(d, 1)
						must.OK(t, m.UnmarshalBinary(saved))
					}
					for i := range d {
						for j := i; j < d; j++ {
							check(fmt.Sprint(i, j), at(m, i, j), q.at(i, j))
						}
					}
				}
			})
		}
	}
}

// TestQuadsOfIndefinite checks that a quadratic form that comes out negative, as rounding can make it, is 0 alone and side by side.
func TestQuadsOfIndefinite(t *testing.T) {
	m := New(2, 1)
	copy(m.p, []float64{1, -1.5, 1})
	contexts := make([][]float32, MaxBatch)
	for i := range contexts {
		contexts[i] = []float32{1, 1}
	}
	var b Batch
	b.Set(contexts, false)
	quads := make([]float64, MaxBatch)
	m.Quads(quads, 1, &b)
	must.That(t, len(b.columns) > 0 && m.Quad(&b.vectors[0]) == 0 && !slices.ContainsFunc(quads, func(q float64) bool { return q != 0 }),
		"side by side %v, alone %g, want 0", quads, m.Quad(&b.vectors[0]))
}

// fixedNormals is a stream whose normal numbers are given.
type fixedNormals []float32

func (f fixedNormals) Normals(dst []float32) { copy(dst, f) }

// TestJointByHand checks draws by hand: the covariance (4, 2; 2, 10) has the Cholesky factor L = (2, 0; 1, 3). Add adds scale·L·z
// to every stride-th number, and can be called repeatedly after Begin.
func TestJointByHand(t *testing.T) {
	var j Joint
	j.Begin(2)
	j.Set(0, 0, 4)
	j.Set(1, 0, 2)
	j.Set(1, 1, 10)
	for _, c := range []struct {
		scale  float64
		z      fixedNormals
		stride int
		want   []float64
	}{
		{1, fixedNormals{1, 0}, 1, []float64{102, 201}},
		{2.5, fixedNormals{1, 0}, 1, []float64{105, 202.5}},
		{2.5, fixedNormals{-2, 4}, 1, []float64{90, 225}},
		{0.5, fixedNormals{-2, 4}, 2, []float64{98, 200, 305}},
		{0, fixedNormals{5, 5}, 1, []float64{100, 200}},
	} {
		dst := []float64{100, 200, 300}[:len(c.want)]
		j.Add(dst, c.stride, c.scale, c.z)
		for i, v := range dst {
			must.Near(t, fmt.Sprint(c.scale, " times ", c.z), v, c.want[i], 1e-12)
		}
	}
	j.Begin(2) // equal rows: the second number equals the first
	j.Set(0, 0, 9)
	j.Set(1, 0, 9)
	j.Set(1, 1, 9)
	dst := []float64{0, 0}
	j.Add(dst, 1, 1, fixedNormals{1, 7})
	must.That(t, dst[0] == 3 && dst[1] == 3, "equal rows: %v, want 3 and 3", dst)
}
