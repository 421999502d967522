package claims

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"banditsim/bandit/stream"
	"banditsim/internal/lists"
	"banditsim/internal/verify"
	"banditsim/posterior"
)

// A quadratic is the energy U(x) = (x−m)ᵀA(x−m)/2 with a fixed preconditioner G. In the coordinates
// y = G^(−½)(x − m) there is no preconditioner, and the precision is A' = G^½AG^½. Along each principal axis
// of A' a sampler has the same law as in one dimension.
type quadratic struct {
	mean []float64 // m
	a    *mat.SymDense
	v    []float32 // V in G = 1/(ρ + √V); nil for G = 1
	root []float64 // G^½
	k    []float64 // eigenvalues of A', ascending: the curvatures along its axes
	axes mat.Dense // eigenvectors of A', as columns
}

func newQuadratic(a *mat.SymDense, v []float32) *quadratic {
	n := a.SymmetricDim()
	q := &quadratic{a: a, v: v, mean: make([]float64, n), root: slices.Repeat([]float64{1}, n)}
	for i := range v {
		q.root[i] = math.Sqrt(1 / (ρ + math.Sqrt(float64(v[i]))))
	}
	b := mat.NewSymDense(n, nil)
	for i := range n {
		for k := range i + 1 {
			b.SetSym(i, k, q.root[i]*a.At(i, k)*q.root[k])
		}
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(b, true) {
		verify.Failf("claims: no axes of %v", b)
	}
	q.k = eigen.Values(nil)
	eigen.VectorsTo(&q.axes)
	return q
}

// softest returns the smallest curvature, stiffest the largest.
func (q *quadratic) softest() float64  { return q.k[0] }
func (q *quadratic) stiffest() float64 { return q.k[len(q.k)-1] }

// product returns a target of n independent parts, each with the energy of q.
func (q *quadratic) product(n int, _ *stream.Stream) posterior.Target {
	d, a := len(q.k), mat.DenseCopyOf(q.a).RawMatrix().Data // a is A, row by row
	return posterior.TargetFunc(n*d, func(grad, x []float32) float64 {
		u := 0.0
		for at := 0; at < len(x); at += d {
			for i := range d {
				g := 0.0
				for k := range d {
					g += float64(a[i*d+k] * (float64(x[at+k]) - q.mean[k]))
				}
				grad[at+i] = float32(g)
				u += g * (float64(x[at+i]) - q.mean[i]) / 2
			}
		}
		return u
	})
}

// A whitening accumulates the moments of positions x, transformed to coordinates z whose law should be N(0, I).
type whitening struct {
	q       *quadratic
	toZ     []float64   // z = toZ·(x − m), row-major
	fromZ   []float64   // x = m + fromZ·z
	z       []float64   // coordinates z of the current part
	sum     [][]float64 // Σz_i, by coordinate and replicate
	product [][]float64 // Σz_i·z_k for k ≤ i, by pair (i, k) and replicate
	count   []float64   // number of positions, by replicate
}

// whiten returns an empty whitening. law returns the variance along an axis with curvature k.
func (q *quadratic) whiten(law func(k float64) float64) *whitening {
	d := len(q.k)
	w := &whitening{q: q, toZ: make([]float64, d*d), fromZ: make([]float64, d*d), z: make([]float64, d)}
	for i := range d { // axes
		sd := math.Sqrt(law(q.k[i]))
		for k := range d { // coordinates
			w.toZ[i*d+k] = q.axes.At(k, i) / q.root[k] / sd
			w.fromZ[k*d+i] = q.root[k] * q.axes.At(k, i) * sd
		}
	}
	return w
}

// start sets x to a draw from the law for which z is N(0, I). The argument draw sets a vector to standard normals.
func (w *whitening) start(x []float32, draw func([]float32)) {
	draw(x)
	for i, v := range x {
		w.z[i] = float64(v)
	}
	d := len(x)
	for k := range x {
		sum := w.q.mean[k]
		for i, z := range w.z {
			sum += float64(w.fromZ[k*d+i] * z)
		}
		x[k] = float32(sum)
	}
}

// begin allocates the moments for a number of replicates.
func (w *whitening) begin(replicates int) {
	d := len(w.z)
	w.sum, w.product, w.count = table(d, replicates), table(d*(d+1)/2, replicates), make([]float64, replicates)
}

// add adds a position x of a replicate.
func (w *whitening) add(replicate int, x []float32) {
	d := len(x)
	for i := range d {
		w.z[i] = 0
		for k, v := range x {
			w.z[i] += float64(w.toZ[i*d+k] * (float64(v) - w.q.mean[k]))
		}
	}
	w.count[replicate]++
	at := 0
	for i, zi := range w.z {
		w.sum[i][replicate] += zi
		for _, zk := range w.z[:i+1] {
			w.product[at][replicate] += float64(zi * zk)
			at++
		}
	}
}

// whitening compares moments with those of N(0, I). found has one whitening, or two for the step sizes ε and ε/2, whose
// moments are extrapolated to ε = 0.
func (j *judge) whitening(name string, found []*whitening) {
	limit := func(pick func(*whitening) []float64) verify.Estimate {
		e := lists.Each(found, func(w *whitening) verify.Estimate { return verify.RatioOf(pick(w), w.count) })
		if len(e) == 2 {
			return verify.Extrapolated(e[0], e[1])
		}
		return e[0]
	}
	d := len(found[0].sum)
	j.Sharp("variance over all axes, "+name, limit(func(w *whitening) []float64 {
		all := make([]float64, len(w.count))
		for i := range d {
			for r, v := range w.product[i*(i+3)/2] {
				all[r] += v / float64(d)
			}
		}
		return all
	}), 1)
	j.Together("mean, "+name, func() {
		for i := range d {
			j.Statistic(fmt.Sprint("axis ", i+1), limit(func(w *whitening) []float64 { return w.sum[i] }), 0)
		}
	})
	j.Together("covariance, "+name, func() {
		for i := range d {
			for k := range i + 1 {
				want := 0.0
				if i == k {
					want = 1
				}
				j.Statistic(fmt.Sprintf("axes %d and %d", k+1, i+1),
					limit(func(w *whitening) []float64 { return w.product[i*(i+1)/2+k] }), want)
			}
		}
	})
}
