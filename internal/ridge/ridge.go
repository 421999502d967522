// Package ridge has the linear algebra of Bayesian linear regression: the inverse of a sum of
// outer products, kept up to date one product at a time.
package ridge

import (
	"fmt"
	"iter"
	"math"

	"banditsim/internal/kernel"
	"banditsim/internal/state"
)

// A Vector is a vector by its elements that are not zero, in ascending order of their indices.
type Vector struct {
	Index []int32
	Value []float64
}

// Set makes v the elements of x that are not zero, followed by a one if constant is true.
func (v *Vector) Set(x []float32, constant bool) {
	v.Index, v.Value = kernel.Nonzeros(v.Index[:0], x), v.Value[:0]
	for _, i := range v.Index {
		v.Value = append(v.Value, float64(x[i]))
	}
	if constant {
		v.Index, v.Value = append(v.Index, int32(len(x))), append(v.Value, 1)
	}
}

// Dot returns the product with w.
func (v *Vector) Dot(w []float64) float64 {
	sum := 0.0
	for k, i := range v.Index {
		sum += float64(v.Value[k] * w[i])
	}
	return sum
}

// An Inverse is P = A⁻¹ of A = λI + Σ wᵢ·xᵢxᵢᵀ. Both are kept: P is updated by the formula of
// Sherman and Morrison (Annals of Mathematical Statistics 21, 1950), and from time to time computed
// anew from A by Cholesky's decomposition, so that rounding errors do not add up.
//
// Both are upper triangles, row by row: d(d+1)/2 numbers each. An update costs d²/2 products and
// sums and, for each element of x that is not zero, d sums; the renewal adds d²/32 on average.
type Inverse struct {
	d       int
	a, p    []float64
	v       []float64 // P·x of the last Gain
	quad    float64   // xᵀPx with it
	rows    []int     // where row i of a triangle would start, if it had all columns: element (i, j) is at rows[i]+j
	updates int       // since P was renewed
}

// renewal is the number of updates between renewals, in units of d: a renewal costs about d³.
const renewal = 32

// MaxDim bounds d, as memory grows with d².
const MaxDim = 10_000

// New returns the inverse of λI in d dimensions.
func New(d int, lambda float64) *Inverse {
	m := &Inverse{d: d, a: make([]float64, d*(d+1)/2), p: make([]float64, d*(d+1)/2), v: make([]float64, d)}
	at := 0
	for i := range d {
		m.a[at], m.p[at] = lambda, 1/lambda
		m.rows = append(m.rows, at-i)
		at += d - i
	}
	return m
}

// row returns row i of a triangle: columns i … d−1.
func (m *Inverse) row(triangle []float64, i int) []float64 {
	return triangle[m.rows[i]+i : m.rows[i]+m.d]
}

// Quad returns xᵀPx, at least 0.
func (m *Inverse) Quad(x *Vector) float64 {
	sum := 0.0
	for k, i := range x.Index {
		row := m.p[m.rows[i]+int(i) : m.rows[i]+m.d]
		tail := x.Index[k+1:]
		values := x.Value[k+1:][:len(tail)]
		s := 0.0
		for l, j := range tail {
			s += float64(values[l] * row[j-i])
		}
		sum += float64(x.Value[k] * (float64(x.Value[k]*row[0]) + 2*s))
	}
	return max(0, sum)
}

// Gain returns P·x, which belongs to m and is valid until its next call, and xᵀPx.
func (m *Inverse) Gain(x *Vector) (px []float64, quad float64) {
	v := m.v
	clear(v)
	for k, i := range x.Index {
		f := x.Value[k]
		row := m.row(m.p, int(i))
		subtract(v[i:], row, -f)
		for j, start := range m.rows[:i] {
			v[j] += float64(f * m.p[start+int(i)])
		}
	}
	m.quad = max(0, x.Dot(v))
	return v, m.quad
}

// Add adds w·xxᵀ to A, w > 0. It reports whether it computed P anew from A.
func (m *Inverse) Add(x *Vector, w float64) (renewed bool) {
	m.sum(x, w)
	m.updates++
	if m.updates >= renewal*m.d {
		m.renew()
		return true
	}
	_, quad := m.Gain(x)
	g := w / (1 + float64(w*quad))
	at := 0
	for i, vi := range m.v {
		subtract(m.p[at:at+m.d-i], m.v[i:], float64(g*vi))
		at += m.d - i
	}
	return false
}

// sum adds w·xxᵀ to A alone.
func (m *Inverse) sum(x *Vector, w float64) {
	for k, i := range x.Index {
		f, at := float64(w*x.Value[k]), m.rows[i]
		for l, j := range x.Index[k:] {
			m.a[at+int(j)] += float64(f * x.Value[k+l])
		}
	}
}

// Refit sets A to λI + Σ xxᵀ over the vectors, and computes P from it. That costs about d² a vector
// less than as many Adds.
func (m *Inverse) Refit(lambda float64, vectors iter.Seq[*Vector]) {
	clear(m.a)
	for i := range m.d {
		m.a[m.rows[i]+i] = lambda
	}
	for x := range vectors {
		m.sum(x, 1)
	}
	m.renew()
}

// Last returns what the last Gain returned; after an Add that did not compute P anew, P·x and xᵀPx of
// before it.
func (m *Inverse) Last() (px []float64, quad float64) { return m.v, m.quad }

// subtract sets row to row − f·v. Eight at a time, without checks of bounds between, it takes half the
// time of a plain loop.
func subtract(row, v []float64, f float64) {
	v = v[:len(row)]
	i := 0
	for ; i+8 <= len(row); i += 8 {
		r, w := (*[8]float64)(row[i:]), (*[8]float64)(v[i:])
		r[0] -= float64(f * w[0])
		r[1] -= float64(f * w[1])
		r[2] -= float64(f * w[2])
		r[3] -= float64(f * w[3])
		r[4] -= float64(f * w[4])
		r[5] -= float64(f * w[5])
		r[6] -= float64(f * w[6])
		r[7] -= float64(f * w[7])
	}
	for ; i < len(row); i++ {
		row[i] -= float64(f * v[i])
	}
}

// Scale multiplies A by f > 0.
func (m *Inverse) Scale(f float64) {
	for i := range m.a {
		m.a[i] *= f
		m.p[i] /= f
	}
}

// Solve sets w to A⁻¹b.
func (m *Inverse) Solve(w, b []float64) {
	clear(w)
	at := 0
	for i := range m.d {
		row, bi, sum := m.p[at:at+m.d-i], b[i], 0.0
		for j, r := range row[1:] {
			sum += float64(r * b[i+1+j])
			w[i+1+j] += float64(r * bi)
		}
		w[i] += sum + float64(row[0]*bi)
		at += m.d - i
	}
}

// renew computes P from A = RᵀR: R by Cholesky's decomposition, T = R⁻¹ by substitution, and
// P = TTᵀ, all in P's place. Where A is not positive definite within rounding errors, P becomes
// NaN, which the predictions show.
func (m *Inverse) renew() {
	m.updates = 0
	d, p := m.d, m.p
	copy(p, m.a)
	for i := range d { // A → R
		row := m.row(p, i)
		pivot := math.Sqrt(row[0])
		for j := range row {
			row[j] /= pivot
		}
		for k := i + 1; k < d; k++ {
			subtract(m.row(p, k), row[k-i:], row[k-i])
		}
	}
	for i := d - 1; i >= 0; i-- { // R → T: row i of T = (eᵢ − Σ_{k>i} r_ik·row k)/r_ii
		row, x := m.row(p, i), m.v[i:]
		clear(x)
		x[0] = 1
		for k := i + 1; k < d; k++ {
			subtract(x[k-i:], m.row(p, k), row[k-i])
		}
		for j := range row {
			x[j] /= row[0]
		}
		copy(row, x)
	}
	for i := range d { // T → TTᵀ: element (i, j) needs columns j … of rows i and j alone
		row := m.row(p, i)
		for j := i; j < d; j++ {
			sum := 0.0
			for k, t := range m.row(p, j) {
				sum += float64(row[j-i+k] * t)
			}
			row[j-i] = sum
		}
	}
}

// MarshalBinary saves A, P and the number of updates since P was computed from A.
func (m *Inverse) MarshalBinary() ([]byte, error) { return state.Save(m.state) }

// UnmarshalBinary restores an inverse in the same dimensions.
func (m *Inverse) UnmarshalBinary(b []byte) error { return state.Restore(b, m.state) }

func (m *Inverse) state(c *state.Codec) {
	c.Float64s(m.a)
	c.Float64s(m.p)
	c.Int("updates", &m.updates, 0, renewal*m.d)
}

// Check returns an error if an inverse in d dimensions is too large.
func Check(d int) error {
	if d > MaxDim {
		return fmt.Errorf("ridge: vectors of %d numbers, want at most %d: memory and time grow with the square", d, MaxDim)
	}
	return nil
}
