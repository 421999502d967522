package claims

import (
	"fmt"
	"math"
	"slices"

	"banditsim/bandit/stream"
	"banditsim/internal/lists"
	"banditsim/internal/verify"
	"banditsim/lab/density"
	"banditsim/posterior"
)

// humps is the density w·N(−a, 1) + (1−w)·N(a, 1): two humps of different weight with a low barrier
// between them. The density is not Gaussian, but its score (−U') is smooth and exact draws are easy.
type humps struct{}

const (
	humpsPlace  = 1.5 // position a of the right hump
	humpsWeight = 0.4 // weight w of the left hump
)

var humpsShift = math.Log((1-humpsWeight)/humpsWeight) / 2

// At returns U(x), up to a constant, and U'(x) = x − a·tanh(ax + ½log((1−w)/w)). It computes tanh t as (1−e)/(1+e) with
// e = exp(−2t), which is twice as fast as math.Tanh.
func (humps) At(x float64) (u, du float64) {
	t, sign := float64(humpsPlace*x)+humpsShift, humpsPlace
	if t < 0 {
		t, sign = -t, -sign
	}
	e := math.Exp(-2 * t)
	return x*x/2 - t - math.Log1p(e), x - sign*(1-e)/(1+e)
}

// score returns −U'(x).
func (h humps) score(x float32) float64 {
	_, slope := h.At(float64(x))
	return -slope
}

// Support returns an interval outside of which U is above 50.
func (humps) Support() (low, high float64) { return -12, 12 }

// onLine returns targets with independent coordinates, each of which has the density d.
func onLine(d density.Line) product {
	return func(n int, _ *stream.Stream) posterior.Target {
		return posterior.TargetFunc(n, func(grad, x []float32) float64 {
			u := 0.0
			for i, v := range x {
				energy, slope := d.At(float64(v))
				grad[i] = float32(slope)
				u += energy
			}
			return u
		})
	}
}

// sampler returns a function that sets each element of a vector to an exact draw.
func (humps) sampler(r *stream.Stream) func(x []float32) {
	side, draw := r.Child("side"), normals(r.Child("hump"), 1)
	return func(x []float32) {
		draw(x)
		for i := range x {
			if side.Float64() < humpsWeight {
				x[i] -= humpsPlace
			} else {
				x[i] += humpsPlace
			}
		}
	}
}

// steinDiscrepancy returns the squared kernel Stein discrepancy of points x with scores s = −U'(x). It is
// a U-statistic, whose mean is 0 for independent draws from the density (Liu, Lee, Jordan, ICML
// 2016), with the inverse multiquadric kernel k = (1 + r²)^(−½) (Gorham and Mackey, ICML 2017):
//
//	mean over i ≠ j of s_i·s_j·k + (s_i − s_j)·r·k³ + k³ − 3r²k⁵,  r = x_i − x_j
func steinDiscrepancy(x []float32, s []float64) float64 {
	sum := 0.0
	for i, xi := range x {
		for j, xj := range x[:i] {
			sum += steinKernel(float64(xi)-float64(xj), s[i], s[j])
		}
	}
	n := float64(len(x))
	return 2 * sum / (n * (n - 1))
}

func steinKernel(r, si, sj float64) float64 {
	k2 := 1 / (1 + float64(r*r))
	k := math.Sqrt(k2)
	k3 := k * k2
	return float64(si*sj*k) + float64((si-sj)*r*k3) + k3 - float64(3*r*r*k3*k2)
}

// checkStein starts chains from exact draws of humps and moves them, with steps of negligible bias, for 3 times
// Claims.Memory in the quick grade and 12 times in the long one. Positions within a hump are then independent of the
// start. The number of chains per hump adapts more slowly: if a sampler has a wrong density, this number has gone 54 %
// of the way to that of this density in the quick grade, and 96 % in the long one. Final positions are tested twice:
//
//   - The kernel Stein discrepancy is compared with that of as many exact draws, which detects large faults of any shape.
//   - The Stein identities E[s·k(x,y) + ∂ₓk(x,y)] = 0 at a few y are tested in units of their standard errors, which
//     detects an error of 15 % in the noise.
func checkStein(j *judge, s Sampler) {
	points, replicates := 500, byGrade(j, 120, 480)
	if s.Claims.Coupled {
		points = 8 * coupledUnits
	}
	h := humps{}
	eps := s.Claims.FineRate / 2
	r := j.Rand()
	u := s.setup(eps, 1, 0, 1)
	c := s.ensemble(replicates*points, 1, u, r, onLine(h), h.sampler(r.Child("start")))
	c.step(s.periods(byGrade(j, 3., 12.) * s.Claims.Memory(1, eps)))
	var got, exact []float64
	var identities [2*steinRange + 1][]float64
	x := make([]float32, 0, points)
	c.each((*run).places, func(_ int, v []float32) {
		if x = append(x, v[0]); len(x) < points {
			return
		}
		got = append(got, h.discrepancy(x))
		for i := range identities {
			identities[i] = append(identities[i], h.identity(x, float64(i-steinRange)))
		}
		x = x[:0]
	})
	draw := h.sampler(r.Child("exact"))
	for range got {
		x = x[:points]
		draw(x)
		exact = append(exact, h.discrepancy(x))
	}
	ofExact := verify.MeanOf(exact)
	j.Statistic("squared discrepancy, exact draws", ofExact, 0)
	j.Statistic("squared discrepancy, less that of exact draws", verify.MeanOf(got).Minus(ofExact), 0)
	j.Together("Stein identities", func() {
		for i, values := range identities {
			j.Statistic(fmt.Sprint("y = ", i-steinRange), verify.MeanOf(values), 0)
		}
	})
}

// steinRange is the largest |y| of the Stein identities, which are tested at all integers y up to it.
const steinRange = 4

// discrepancy returns the steinDiscrepancy between points x and the density.
func (h humps) discrepancy(x []float32) float64 { return steinDiscrepancy(x, lists.Each(x, h.score)) }

// identity returns the mean over x of s·k(x, y) + ∂ₓk(x, y), which is 0 on average for draws from the density.
func (h humps) identity(x []float32, y float64) float64 {
	sum := 0.0
	for _, v := range x {
		r := float64(v) - y
		k := 1 / math.Sqrt(1+float64(r*r))
		sum += float64(h.score(v)*k) - float64(r*k*k*k)
	}
	return sum / float64(len(x))
}

// checkParticles moves particles until they rest, and compares their distribution with the density. On a Gaussian it
// compares the mean, and the variance extrapolated to infinitely many particles. On humps the particles must have a
// smaller Stein discrepancy than each of 400 sets of as many exact draws: the method makes the discrepancy small, and a
// fault in the repulsion makes it large.
func checkParticles(j *judge, s Sampler) {
	const particles = 100
	// move moves particles on a one-dimensional density for so many steps that they rest, and returns their positions.
	move := func(name string, particles int, target posterior.Target, start func(x []float32)) []float32 {
		u := s.setup(s.Claims.FineRate, 1, particles, 1)
		u.Stream, u.Noise = j.Rand(name), slices.Repeat([]posterior.Normals{zeros}, particles)
		g := s.start(u, func(int) posterior.Target { return target }, func(int) []float32 {
			x := make([]float32, 1)
			start(x)
			return x
		})
		path := g.walk(byGrade(j, 1500, 6000))
		return path[len(path)-particles:]
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
	// The tolerances allow for the bias of the method; the final positions hardly depend on the random start. The relative
	// bias of the variance of n particles is about −1/n, which the extrapolation removes, plus −0.9 % for SVGD.
	j.Near("mean on a Gaussian", m[1], mean, 0.02)
	j.Near("variance on a Gaussian, of n → ∞ particles", 2*q[1]-q[0], sd*sd, 0.02)

	h := humps{}
	x := move("humps", particles, onLine(h)(1, nil), normals(j.Rand("humps", "start"), 2))
	got := h.discrepancyOf(x)
	var exact []float64
	r := h.sampler(j.Rand("exact"))
	for range 400 {
		r(x)
		exact = append(exact, h.discrepancyOf(x))
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

// discrepancyOf returns the squared discrepancy as a V-statistic. Unlike the U-statistic of discrepancy it is never
// negative, which suits points that are not independent.
func (h humps) discrepancyOf(x []float32) float64 {
	n := float64(len(x))
	sum := h.discrepancy(x) * n * (n - 1)
	for _, v := range x {
		sum += steinKernel(0, h.score(v), h.score(v))
	}
	return sum / (n * n)
}
