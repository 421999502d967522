// Package ridge has the linear algebra of Bayesian linear regression: the inverse of a growing sum of outer products.
package ridge

import (
	"cmp"
	"iter"
	"math"

	"banditsim/internal/check"
	"banditsim/internal/kernel"
	"banditsim/internal/state"
)

// A Vector is a sparse vector: its nonzero elements, in ascending order of their indices.
type Vector struct {
	Index []int32
	Value []float64
}

// Set sets v to the nonzero elements of x, followed by a 1 if constant is true.
func (v *Vector) Set(x []float32, constant bool) {
	v.Index, v.Value = kernel.Nonzeros(v.Index[:0], x), v.Value[:0]
	for _, i := range v.Index {
		v.Value = append(v.Value, float64(x[i]))
	}
	if constant {
		v.Index, v.Value = append(v.Index, int32(len(x))), append(v.Value, 1)
	}
}

// Dot returns the dot product of v and w.
func (v *Vector) Dot(w []float64) float64 {
	sum := 0.0
	for k, i := range v.Index {
		sum += float64(v.Value[k] * w[i])
	}
	return sum
}

// An Inverse is P = A⁻¹ of A = λI + Σ wᵢ·xᵢxᵢᵀ. Both are kept: P is updated by the formula of Sherman and Morrison
// (Annals of Mathematical Statistics 21, 1950) and, from time to time, computed anew from A by Cholesky decomposition,
// so that rounding errors do not accumulate.
//
// Both are upper triangles of d(d+1)/2 numbers, stored by rows. If s of x's d elements are not 0, an update costs about
// d²/2 + ds multiplications and additions for P, and s²/2 for A. Computing P anew adds d²/32 per update on average.
//
// An update of P is deferred until P is next used: in a sequence of Adds, in the product of P with the next x. A few
// rows of P at a time are updated and multiplied while in the first-level cache. The results are bit for bit the same.
type Inverse struct {
	state.Fields
	d       int
	a, p    []float64
	v       []float64 // P·x of the last Gain
	gain    float64   // factor of the deferred update, if waits is true
	waits   bool      // whether an update is deferred: gain·vvᵀ is still to be subtracted from P
	other   []float64 // memory for v of the next Gain
	rows    []int     // by row: element (i, j) of a triangle, j ≥ i, is at rows[i]+j
	updates int       // number of updates since P was computed from A
}

// renewal times d is the number of updates after which P is computed from A, at a cost of about d³.
const renewal = 32

// maxDim limits d, because memory grows with d².
const maxDim = 10_000

// New returns the inverse of λI in d dimensions.
func New(d int, lambda float64) *Inverse {
	m := &Inverse{d: d, a: make([]float64, d*(d+1)/2), p: make([]float64, d*(d+1)/2), v: make([]float64, d), other: make([]float64, d)}
	m.Fields = m.state
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
	m.settle()
	total := 0.0
	for k := 0; k < len(x.Index); k += atOnce {
		index, value := x.Index[k:min(k+atOnce, len(x.Index))], x.Value[k:]
		var sums [atOnce]float64
		var starts [atOnce]int
		for l, i := range index {
			f := value[l]
			for t, start := range starts[:l] {
				sums[t%atOnce] += float64(f * m.p[start+int(i)])
			}
			starts[l] = m.rows[i]
		}
		if k+atOnce < len(x.Index) {
			kernel.DotRows(&sums, m.p, &starts, x.Index[k+atOnce:], x.Value[k+atOnce:])
		}
		for t, i := range index {
			f := value[t]
			total += float64(f * (float64(f*m.p[starts[t]+int(i)]) + 2*sums[t]))
		}
	}
	return max(0, total)
}

// atOnce is the number of rows of P that Quad and Gain multiply together.
const atOnce = 8

// Gain returns P·x and xᵀPx. P·x belongs to m: do not change it; it is valid until the next call of Gain, Add or Refit.
func (m *Inverse) Gain(x *Vector) (px []float64, quad float64) {
	v := m.other
	clear(v)
	k := 0 // number of elements of x with an index below low
	for low := 0; low < m.d; low += atOnce {
		high := min(low+atOnce, m.d)
		m.subtract(low, high)
		for ; k < len(x.Index) && int(x.Index[k]) < high; k++ {
			i, f := int(x.Index[k]), x.Value[k]
			kernel.AddScaled(v[i:], f, m.row(m.p, i))
			for j, start := range m.rows[low:i] {
				v[low+j] += float64(f * m.p[start+i])
			}
		}
		if k == len(x.Index) {
			if !m.waits {
				break
			}
			continue
		}
		// high is low + atOnce here, not d, because x has an element at index high or after it.
		kernel.DotRows((*[atOnce]float64)(v[low:]), m.p, (*[atOnce]int)(m.rows[low:]), x.Index[k:], x.Value[k:])
	}
	m.v, m.other, m.waits = v, m.v, false
	return v, max(0, x.Dot(v))
}

// subtract applies the deferred update, if there is one, to the rows low to high−1 of P.
func (m *Inverse) subtract(low, high int) {
	if m.waits {
		kernel.SubtractOuter(m.p[m.rows[low]+low:], m.v[low:], m.gain, high-low)
	}
}

// settle applies the deferred update, if there is one, to all of P.
func (m *Inverse) settle() {
	m.subtract(0, m.d)
	m.waits = false
}

// Add adds w·xxᵀ to A, where w > 0. px and quad are P·x and xᵀPx with the P before the update, as Gain returns them. If
// renewed is true, P was computed from A instead of updated; then px is nil and quad is 0.
func (m *Inverse) Add(x *Vector, w float64) (px []float64, quad float64, renewed bool) {
	m.sum(x, w)
	m.updates++
	if m.updates >= renewal*m.d {
		m.renew()
		return nil, 0, true
	}
	px, quad = m.Gain(x)
	m.gain, m.waits = w/(1+float64(w*quad)), true
	return px, quad, false
}

// sum adds w·xxᵀ to A and leaves P as it is.
func (m *Inverse) sum(x *Vector, w float64) {
	if len(x.Index) == m.d {
		kernel.SubtractOuter(m.a, x.Value, -w, m.d)
		return
	}
	for k, i := range x.Index {
		f, row := float64(w*x.Value[k]), m.a[m.rows[i]:m.rows[i]+m.d]
		index, value := x.Index[k:], x.Value[k:]
		value = value[:len(index)]
		for l, j := range index {
			row[j] += float64(f * value[l])
		}
	}
}

// Refit sets A to λI + Σ xxᵀ over vectors and computes P from A. A vector costs about d² operations less than with Add.
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

// Scale multiplies A by f > 0.
func (m *Inverse) Scale(f float64) {
	m.settle()
	for i := range m.a {
		m.a[i] *= f
		m.p[i] /= f
	}
}

// Solve sets w to A⁻¹b.
func (m *Inverse) Solve(w, b []float64) {
	m.settle()
	clear(w)
	for i := range m.d {
		row, bi, sum := m.row(m.p, i), b[i], 0.0
		for j, r := range row[1:] {
			sum += float64(r * b[i+1+j])
			w[i+1+j] += float64(r * bi)
		}
		w[i] += sum + float64(row[0]*bi)
	}
}

// renew computes P from A = RᵀR in P's memory: R by Cholesky decomposition, T = R⁻¹ by substitution, and P = TTᵀ. If A
// is not positive definite up to rounding, P becomes NaN, and so do the predictions.
func (m *Inverse) renew() {
	m.updates, m.waits = 0, false
	d, p := m.d, m.p
	copy(p, m.a)
	for i := range d { // A → R
		row := m.row(p, i)
		pivot := math.Sqrt(row[0])
		for j := range row {
			row[j] /= pivot
		}
		for k := i + 1; k < d; k++ {
			kernel.AddScaled(m.row(p, k), -row[k-i], row[k-i:])
		}
	}
	for i := d - 1; i >= 0; i-- { // R → T: row i of T = (eᵢ − Σ_{k>i} r_ik·row k)/r_ii
		row, x := m.row(p, i), m.v[i:]
		clear(x)
		x[0] = 1
		for k := i + 1; k < d; k++ {
			kernel.AddScaled(x[k-i:], -row[k-i], m.row(p, k))
		}
		for j := range row {
			x[j] /= row[0]
		}
		copy(row, x)
	}
	for i := range d { // T → TTᵀ: element (i, j) depends only on columns j … d−1 of rows i and j, which still hold T
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

// state saves or restores A, P and the number of updates since P was computed from A.
func (m *Inverse) state(c *state.Codec) {
	m.settle()
	c.Float64s(m.a)
	c.Float64s(m.p)
	c.Int("updates", &m.updates, 0, renewal*m.d)
}

// Dim returns the dimension of Set's Vector for a context of dim numbers: dim + 1 if a constant is appended, else dim.
func Dim(dim int, constant bool) int {
	if constant {
		return dim + 1
	}
	return dim
}

// CheckPenalty returns an error if a ridge penalty is so small or large that updates of P lose most digits to rounding.
func CheckPenalty(lambda float64) error {
	return check.That(lambda >= 1e-12 && lambda <= 1e12, "lambda: %g, want 1e-12 to 1e12", lambda)
}

// Check returns an error if n inverses in d dimensions need too much memory.
func Check(d, n int) error {
	numbers := float64(d) * float64(d) * float64(n)
	return cmp.Or(
		check.That(d <= maxDim, "vectors of %d numbers, want at most %d: memory and time grow with the square", d, maxDim),
		check.That(numbers <= check.MaxNumbers, "%d regressions with %d weights each need %.3g numbers, want at most %.3g",
			n, d, numbers, check.MaxNumbers))
}
