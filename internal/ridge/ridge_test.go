package ridge

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"banditsim/bandit/stream"
)

// draw sets x to a vector of d elements: normal ones, or one of each group of about five, as one-hot
// encodings are, which leaves A with eigenvalues from λ up to the number of updates.
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

// dense returns P of the updates, from the decomposition of a dense A.
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
func at(m *Inverse, i, j int) float64 { return m.p[m.rows[min(i, j)]+max(i, j)] }

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
				if m.Add(&x, weights[len(weights)-1]) {
					continue
				}
				if after, q := m.Last(); q != quad || !slices.Equal(after, px) {
					t.Fatal("Add and Gain disagree")
				}
			}
			want := dense(c.d, 0.5, updates, weights, c.constant)
			near := func(what string, got, want float64) {
				if !(math.Abs(got-want) <= 1e-11) {
					t.Errorf("%s: %.15g, want %.15g", what, got, want)
				}
			}
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

// BenchmarkAdd is an update with 22 ones of 117 numbers, the mushroom's one-hot encoding.
func BenchmarkAdd(b *testing.B) {
	m := New(117, 1)
	r := stream.Root(1)
	list := make([]Vector, 1000)
	for k := range list {
		x := make([]float32, 117)
		for g := range 22 {
			x[g*5+r.IntN(5)] = 1
		}
		list[k].Set(x, false)
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		m.Add(&list[i%len(list)], 1)
	}
}
