package claims

import (
	"slices"

	"banditsim/internal/verify"
	"banditsim/posterior"
)

// checkParticles moves particles until they rest, and compares them with the density: their mean
// and variance on a Gaussian, as their number grows, and their Stein discrepancy on two humps,
// which must be below that of as many exact draws (the method makes it small; a fault in the
// repulsion makes it large).
func checkParticles(j *judge, s Sampler) {
	const particles = 100
	// move moves particles on a density of one dimension until they rest.
	move := func(name string, particles int, target posterior.Target, start func(x []float32)) []float32 {
		u := s.setup(s.Claims.FineRate, 1, particles, 1)
		u.Stream, u.Noise = j.Rand(name), slices.Repeat([]posterior.Normals{zeros{}}, particles)
		g := s.start(u, func(int) posterior.Target { return target }, func(int) []float32 {
			x := make([]float32, 1)
			start(x)
			return x
		})
		path := g.walk(byGrade(j, 1500, 6000))
		return path[max(0, len(path)-particles):]
	}

	const mean, sd = 2, 1.5
	gaussian := posterior.TargetFunc(1, func(grad, x []float32) float64 {
		d := (float64(x[0]) - mean) / sd
		grad[0] = float32(d / sd)
		return d * d / 2
	})

	var m, q [2]float64
	for i, n := range []int{particles / 2, particles} {
		x := move("Gaussian", n, gaussian, normals(j.Rand("Gaussian", "start"), 1))
		for _, v := range x {
			m[i] += float64(v) / float64(n)
		}
		for _, v := range x {
			q[i] += (float64(v) - m[i]) * (float64(v) - m[i]) / float64(n)
		}
	}
	// Bounds on the method; there is no randomness. The variance is about 1/n of it too small;
	// beyond that SVGD's is 0.9 % too small.
	j.Near("mean on a Gaussian", m[1], mean, 0.02)
	j.Near("variance on a Gaussian, of n → ∞ particles", 2*q[1]-q[0], sd*sd, 0.02)

	h := humps{}
	score := make([]float64, particles)
	x := move("humps", particles, h.product(true)(1, nil), normals(j.Rand("humps", "start"), 2))
	got := h.discrepancyOf(x, score)
	var exact []float64
	r := h.sampler(j.Rand("exact"))
	for range 400 {
		r(x)
		exact = append(exact, h.discrepancyOf(x, score))
	}
	below := 0
	for _, d := range exact {
		if got >= d {
			below++
		}
	}
	j.Note("squared discrepancy of particles", verify.Estimate{Value: got}, "")
	j.Note("squared discrepancy of as many exact draws", verify.MeanOf(exact), "")
	j.Promise("particles are nearer to the density than any of 400 sets of exact draws", below == 0,
		"their squared discrepancy of %.4g is above that of %d sets", got, below)
}

// discrepancyOf returns the squared discrepancy of points that are not independent (a
// V-statistic, which is positive).
func (h humps) discrepancyOf(x []float32, score []float64) float64 {
	n := float64(len(x))
	sum := h.discrepancy(x, score) * n * (n - 1)
	for _, s := range score {
		sum += steinKernel(0, s, s)
	}
	return sum / (n * n)
}
