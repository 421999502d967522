package claims

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"banditsim/bandit/stream"
	"banditsim/internal/verify"
	"banditsim/posterior"
)

// checkPreconditioner compares the covariance under a frozen preconditioner G = 1/(ρ + √V), on
// pairs of coordinates with precision A, with the closed form, for SGLD
//
//	Σ = T[A − (ε/2)AGA]⁻¹
//
// and the variance of the first step from rest with 2εTG.
func checkPreconditioner(j *judge, s Sampler) {
	for _, c := range []struct {
		name      string
		a         [4]float64
		v         [2]float32
		eps, temp float64
		long      bool
	}{
		{name: "non-diagonal", a: [4]float64{2, 0.9, 0.9, 1}, v: [2]float32{1, 0.16}, eps: 0.3, temp: 1},
		{name: "strong", a: [4]float64{100, -4, -4, 0.5}, v: [2]float32{2500, 0.0625}, eps: 0.25, temp: 0.5},
		{name: "diagonal", a: [4]float64{2, 0, 0, 0.5}, v: [2]float32{0.25, 4}, eps: 0.2, temp: 1, long: true},
	} {
		if (c.long || c.name == "strong" && s.Claims.Coupled) && !j.Long() {
			continue
		}
		q := newQuadratic(mat.NewSymDense(2, c.a[:]), c.v[:], ρ)
		j.pairs(s, c.name, q, c.eps, c.temp)
	}
	j.fromRest(s)
}

// ρ is the regularizer of the suite's preconditioners.
const ρ = 1e-3

// pairs measures the covariance of pairs of coordinates, in the axes in which it should be the
// unit matrix.
func (j *judge) pairs(s Sampler, name string, q *quadratic, eps, temp float64) {
	rates := []float64{eps}
	if s.Claims.Variance == nil {
		rates = []float64{4 * s.Claims.FineRate / q.stiffest(), 2 * s.Claims.FineRate / q.stiffest()}
	}
	var found []*whitening
	for _, eps := range rates {
		w := q.whiten(s.law(eps, temp))
		r := j.Rand(name, eps)
		u := s.setup(eps, temp, 0, 2)
		u.V = q.v
		n := 2000
		if s.Claims.Coupled {
			n = coupledReplicates * coupledUnits
		}
		draw := normals(r.Child("start"), 1)
		c := s.ensemble(n, 2, u, r, q.product, func(x []float32) { w.start(x, draw) })
		c.step(s.warmup(q.softest(), eps))
		for range j.span(s, 2*n, q.softest(), eps) {
			c.step(1)
			c.each(w.add)
		}
		found = append(found, w)
	}
	j.whitening(name, found)
}

// law returns the variance along an axis of curvature k: the claimed one, or that of the limit ε
// → 0.
func (s Sampler) law(eps, temp float64) func(k float64) float64 {
	return func(k float64) float64 {
		if s.Claims.Variance == nil {
			return temp / k
		}
		return s.Claims.Variance(k, 0, eps, temp)
	}
}

// fromRest compares the variance of one step without a gradient with 2εTG, for samplers whose
// noise moves them at once.
func (j *judge) fromRest(s Sampler) {
	if s.Claims.Coupled || s.Claims.MomentumVariance != nil || s.Claims.Period > 1 {
		return
	}
	flat := func(n int, _ *stream.Stream) posterior.Target {
		return posterior.TargetFunc(n, func(grad, x []float32) float64 { clear(grad); return 0 })
	}
	for _, c := range []struct{ v, eps, temp float64 }{
		{9, 0.1, 1},
		{0.01, 0.003, 0.3},
		{0, 1e-4, 2}, // G = 1/ρ
	} {
		u := s.setup(c.eps, c.temp, 0, 1)
		u.V = []float32{float32(c.v)}
		runs := s.ensemble(100_000, 1, u, j.Rand("rest", c.v), flat, func(x []float32) { clear(x) })
		runs.step(1)
		squares := make([]float64, runs.replicates)
		runs.each(func(i int, x []float32) { squares[i] = float64(x[0]) * float64(x[0]) })
		j.Sharp(fmt.Sprintf("one step from rest, V = %g", c.v), verify.MeanOf(squares), 2*c.eps*c.temp/(ρ+math.Sqrt(c.v)))
	}
}
