package claims

import (
	"fmt"
	"math"

	"banditsim/internal/lists"
	"banditsim/internal/verify"
	"banditsim/internal/worked"
)

// checkEquilibrium starts independent replicates in equilibrium and updates θ with a small step size ω. The chains must
// spend the same time in all bins, and ζ·log θ must stay at the fixed point for the ε in use. The long grade has two
// values of ζ. A multiplier that is 5 % too steep is hard to see here, because within the run θ moves only half of the
// way to the fixed point of the faulty sampler; checkFrozen detects that fault.
//
// In the long grade θ also starts flat, with a falling ω, unless the sampler needs a certain number of chains. The mean
// of log θ over the last three quarters of the steps gives multipliers. They must be nearer to those at the fixed point
// for a log-linear Ψ (see density.Contour.LogPsi) than to those for a piecewise constant Ψ. The latter's fixed point is
// θ ∝ P^(1/ζ) with the bins' masses P. This part uses no standard errors, as an ω > 0 shifts the mean of θ by O(ω).
func checkEquilibrium(j *judge, s Sampler) {
	chains, steps, omega := byGrade(j, 16, 64), 6000, 0.003
	if n := s.Claims.Chains; n > 0 { // fewer chains, and proportionally more steps
		chains, steps, omega = n, steps*chains/n, omega/float64(chains)*float64(n)
	}
	if !j.Long() {
		j.fromEquilibrium(s, "two humps", humpsTerrain(0.9), chains, steps, omega)
		return
	}
	for _, zeta := range []float64{0.9, 1.8} {
		j.fromEquilibrium(s, fmt.Sprint("two humps, ζ = ", zeta), humpsTerrain(zeta), chains, steps, omega)
		if s.Claims.Chains == 0 { // a flat start needs many chains
			j.fromFlat(s, fmt.Sprint("two wells far apart, from a flat θ, ζ = ", zeta), mixtureTerrain(zeta))
		}
	}
}

// fromEquilibrium is the part of checkEquilibrium that starts in equilibrium.
func (j *judge) fromEquilibrium(s Sampler, name string, c terrain, chains, steps int, omega float64) {
	c, warmup := s.terrain(c)
	l := c.laws()
	u := s.on(c, omega)
	u.Theta = lists.Each(l.discrete, math.Exp)
	uniform := j.Rand(name, "start")
	start := func() float64 { return l.discreteLaw.Draw(uniform.Float64()) }
	logTheta, visits := j.learn(s, name, c, u, chains, warmup+steps, warmup, start)
	j.Together("time in the bins, "+name, func() {
		for i, v := range visits {
			j.Statistic(fmt.Sprint("bin ", i+1), verify.MeanOf(v), 1/float64(c.Bins))
		}
	})
	j.Together("ζ·log θ at the fixed point, "+name, func() {
		for _, i := range c.sharp {
			j.Sharp(fmt.Sprint("bin ", i+1), verify.MeanOf(logTheta[i]).Times(c.Zeta), c.Zeta*l.discrete[i])
		}
	})
}

// fromFlat is the part of checkEquilibrium that starts from a flat θ and from uniform positions.
func (j *judge) fromFlat(s Sampler, name string, c terrain) {
	const chains, steps = 64, 16_000
	c, _ = s.terrain(c)
	u := s.on(c, 0.075)
	u.Contour.OmegaExponent, u.Contour.OmegaOffset = 0.45, 12
	low, high := c.reach()
	uniform := j.Rand(name, "start")
	logTheta, _ := j.learn(s, name, c, u, chains, steps, steps/4, func() float64 {
		return low + float64((high-low)*uniform.Float64())
	})
	l := c.laws()
	mean := lists.Each(logTheta, func(values []float64) float64 { return verify.MeanOf(values).Value })
	wrong := ""
	for i := 1; i < c.Bins; i++ {
		got, want := c.Multiplier(i, mean), c.Multiplier(i, l.discrete)
		constant := 1 + float64(c.Temperature/c.Width*math.Log(l.mass[i]/l.mass[i-1]))
		if !(math.Abs(got-want) < math.Abs(got-constant)) {
			wrong += fmt.Sprintf("; bin %d: %.3f, want %.3f, not %.3f", i+1, got, want, constant)
		}
	}
	j.Promise("multipliers are those of a log-linear Ψ, "+name, wrong == "", "they are not%s", wrong)
}

// Sizes of the runs of learn.
const (
	replicates = 112 // independent runs
	thinning   = 8   // steps between two records of log θ; the steps after the warm-up must be a multiple of it
)

// learn runs independent replicates, each with the given numbers of chains and steps; the first warmup steps do not
// count. It returns, for each bin i and each replicate, the mean of log θ(i) − log θ(1) and the share of time in bin i.
func (j *judge) learn(s Sampler, name string, c terrain, u setup, chains, steps, warmup int, start func() float64) (logTheta, visits [][]float64) {
	logTheta, visits = table(c.Bins, replicates), table(c.Bins, replicates)
	for r := range replicates {
		runs := s.walkers(c, u, chains, j.Rand(name, r), start)
		at := 0
		watch(runs[0], steps, warmup, func(theta []float64, bins []int) {
			share := 1 / float64(steps-warmup)
			if at++; at%thinning == 0 { // θ changes slowly, and logarithms are expensive
				for i, t := range theta {
					logTheta[i][r] += float64(thinning * share * math.Log(t/theta[0]))
				}
			}
			for _, bin := range bins {
				visits[bin-1][r] += share / float64(len(bins))
			}
		})
	}
	return logTheta, visits
}

// reach returns an interval outside of which all energies are above the last bin.
func (c terrain) reach() (low, high float64) {
	low, high = c.line.Support()
	top := c.Start + float64(float64(c.Bins)*c.Width)
	for u, _ := c.line.At(low); u > top; u, _ = c.line.At(low) {
		low += 0.01
	}
	for u, _ := c.line.At(high); u > top; u, _ = c.line.At(high) {
		high -= 0.01
	}
	return low, high
}

// watch performs a number of steps, and calls f with θ and the chains' bins after each step past the warm-up.
func watch(g *run, steps, warmup int, f func(theta []float64, bins []int)) {
	for k := range steps {
		verify.Must(g.sampler.Step(g.chains))
		if k < warmup {
			continue
		}
		theta, bins := worked.Histogram(g.sampler)
		f(theta, bins)
	}
}
