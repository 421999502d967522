package claims

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"banditsim/internal/verify"
	"banditsim/internal/worked"
	"banditsim/posterior"
	"banditsim/posterior/sgmcmc"
)

// An energyScript is a contour sampler without noise. Its target returns given energies and a gradient of 0.
type energyScript struct {
	*run
	energies []float64 // energies of the next step, by chain
}

// scriptEnergies returns an energyScript; theta is the initial θ, nil for the default.
func (s Sampler) scriptEnergies(j *judge, chains int, o sgmcmc.ContourOptions, temperature float64, theta []float64) *energyScript {
	g := &energyScript{energies: make([]float64, chains)}
	u := s.setup(0.1, temperature, chains, 1)
	u.Contour, u.Theta, u.Stream = o, theta, j.Rand("other")
	u.Noise = slices.Repeat([]posterior.Normals{zeros}, chains)
	g.run = s.start(u, func(p int) posterior.Target {
		return posterior.TargetFunc(1, func(grad, _ []float32) float64 {
			grad[0] = 0
			return g.energies[p]
		})
	}, func(int) []float32 { return []float32{0} })
	return g
}

// step sets the first chains to the given energies; the others keep theirs. It does a step, and returns θ and all bins.
func (g *energyScript) step(energies ...float64) (theta []float64, bins []int) {
	copy(g.energies, energies)
	verify.Must(g.sampler.Step(g.chains))
	return worked.Histogram(g.sampler)
}

// contour returns the options of a contour with the given bins. Some checks change its other options.
func contour(bins int, start, width float64, overflow string) sgmcmc.ContourOptions {
	o := sgmcmc.DefaultContour()
	o.Kind, o.Bins, o.Start, o.Width, o.Overflow = "paper", bins, start, width, overflow
	o.Zeta, o.Omega, o.ThetaWarmup = 2, 0.1, 0
	return o
}

// checkBins checks the bins of energies, also at the borders. Of m bins, bin i contains the energies u_{i−1} < U ≤ u_i
// with u_i = u₀ + iΔu (start u₀, width Δu), and bin 1 also all energies ≤ u₀. With the overflow 'skip' an energy above
// u_m has no bin; with 'lastbin' it is in bin m.
func checkBins(j *judge, s Sampler) {
	above := func(u float64) float64 { return math.Nextafter(u, math.Inf(1)) }
	type energy struct {
		u             float64
		skip, lastbin int // expected bin with the overflow of that name; 0 for no bin
	}
	for _, c := range []struct {
		name         string
		start, width float64
		energies     []energy
	}{
		{"u₀ = 0, Δu = 10", 0, 10, []energy{
			{math.Inf(-1), 1, 1}, {-1e300, 1, 1}, {-0.1, 1, 1}, {0, 1, 1}, {5, 1, 1}, {10, 1, 1},
			{above(10), 2, 2}, {20, 2, 2}, {above(20), 3, 3}, {45, 5, 5}, {50, 5, 5},
			{above(50), 0, 5}, {1e300, 0, 5}, {math.MaxFloat64, 0, 5}, {math.Inf(1), 0, 5},
		}},
		{"u₀ = −5, Δu = 1/8", -5, 0.125, []energy{
			{-6, 1, 1}, {-5, 1, 1}, {-4.875, 1, 1}, {above(-4.875), 2, 2}, {-4.75, 2, 2}, {-4.375, 5, 5}, {above(-4.375), 0, 5},
		}},
	} {
		for _, overflow := range []string{"skip", "lastbin"} {
			g := s.scriptEnergies(j, s.count(1), contour(5, c.start, c.width, overflow), 1, nil)
			j.Together(fmt.Sprintf("%s, %s", c.name, overflow), func() {
				for _, e := range c.energies {
					want := e.skip
					if overflow == "lastbin" {
						want = e.lastbin
					}
					j.inBin(g, e.u, want)
				}
			})
		}
	}
	// The float64 u_i is in bin i and the next larger float64 in bin i+1, even where (u_i − u₀)/Δu is rounded.
	j.Together("edges between bins", func() {
		for _, c := range []struct{ start, width float64 }{
			{0, 10}, {0.1, 0.1}, {1.15, 1}, {-5, 0.125}, {0.3, 0.7}, {-1e3, 1. / 3}, {1e6, 0.01},
		} {
			const m = 100
			g := s.scriptEnergies(j, s.count(1), contour(m, c.start, c.width, "skip"), 1, nil)
			for i := 1; i <= m; i++ {
				edge := c.start + float64(float64(i)*c.width)
				j.inBin(g, edge, i)
				j.inBin(g, above(edge), (i+1)%(m+1))
			}
		}
	})
}

// inBin checks that an energy is in bin want.
func (j *judge) inBin(g *energyScript, energy float64, want int) {
	_, bins := g.step(energy)
	j.Promise(fmt.Sprintf("energy %.17g", energy), bins[0] == want, "in bin %d, want %d", bins[0], want)
}

// smallestNormal is the smallest positive float64 that is not subnormal.
const smallestNormal = 0x1p-1022

// checkTheta checks that θ sums to 1 and is positive: after up to 10⁶ updates in which all bins are
// visited, and after each of four long periods in which all visits go to one bin. θ of the other bins
// may become small, but not subnormal or zero.
func checkTheta(j *judge, s Sampler) {
	chains := s.count(1)
	for _, c := range []struct {
		field   string
		updates int
	}{{"theta", 1_000_000}, {"theta^zeta", byGrade(j, 100_000, 1_000_000)}} {
		o := contour(30, 0, 2, "skip")
		o.Omega, o.Field = 0.03, c.field
		g := s.scriptEnergies(j, chains, o, 1, nil)
		r := j.Rand("energies")
		for range c.updates {
			for p := range g.energies {
				u := r.Float64()
				g.energies[p] = 65 * u * u // low energies are more frequent, and energies above 60 have no bin
			}
			verify.Must(g.sampler.Step(g.chains))
		}
		theta, _ := worked.Histogram(g.sampler)
		j.distribution(fmt.Sprintf("%d updates, field %s", c.updates, c.field), theta)
	}

	o := contour(100, 0, 10, "skip")
	o.Zeta, o.Omega = 20, 0.03
	g := s.scriptEnergies(j, chains, o, 0.3, nil)
	for _, bin := range []int{1, 50, 100, 2} {
		for p := range g.energies {
			g.energies[p] = float64(10*float64(bin)) - 5
		}
		for range 60_000 { // θ of the other bins shrinks by 3 % per step, and reaches 1e-300 after 23,000 steps
			verify.Must(g.sampler.Step(g.chains))
			if m := g.chains[0].Multiplier; math.IsNaN(m) || math.IsInf(m, 0) {
				j.Promise("one bin absorbs everything", false, "all in bin %d: the multiplier is %g", bin, m)
				return
			}
		}
		theta, _ := worked.Histogram(g.sampler)
		name := fmt.Sprintf("all in bin %d", bin)
		j.distribution(name, theta)
		j.Near("θ of the bin, "+name, theta[bin-1], 1, 1e-12)
	}
}

// distribution checks that θ is a distribution without zeros or subnormal numbers.
func (j *judge) distribution(name string, theta []float64) {
	smallest := slices.Min(theta) // NaN if any element is NaN
	j.Near("Σθ, "+name, floats.Sum(theta), 1, 1e-12)
	j.Promise("θ > 0, "+name, smallest >= smallestNormal, "the smallest is %g", smallest)
}

// checkDegenerate checks that paths which are equal in theory have the same bits, on a Gaussian in
// seven dimensions with energies in all ten bins.
func checkDegenerate(j *judge, s Sampler) {
	var all []int
	for p := range s.count(5) {
		all = append(all, p)
	}
	u := s.lively()
	u.Contour.Zeta = 2
	with := func(changes ...func(*setup)) setup {
		v := u
		for _, change := range changes {
			change(&v)
		}
		return v
	}
	zeta := func(z float64) func(*setup) { return func(u *setup) { u.Contour.Zeta = z } }
	kindOff := func(u *setup) { u.Contour.Kind = "off" }
	cold := func(u *setup) { u.Temperature = 0 }

	live, theta := s.contourPath(j, u, all...)
	without, _ := s.contourPath(j, with(kindOff), all...)
	j.Promise("the contour does something", !slices.Equal(live, without), "paths with the contour and without are the same")
	moves := slices.ContainsFunc(theta, func(t float64) bool { return t != theta[0] })
	j.Promise("θ moves", moves, "θ is flat after %d steps", runSteps)

	same := func(name string, a, b setup) {
		left, _ := s.contourPath(j, a, all...)
		right, _ := s.contourPath(j, b, all...)
		j.SameBits(name, left, right)
	}
	same("ζ = 0 is no contour", with(zeta(0)), with(kindOff))
	if s.Claims.ZeroTemperature {
		same("τ = 0 is no contour", with(cold), with(cold, kindOff))
	}
	same("field θ^ζ at ζ = 1 is field θ", with(zeta(1), func(u *setup) { u.Contour.Field = "theta^zeta" }), with(zeta(1)))
	if s.Claims.Chains > 0 {
		return
	}

	// Several identical chains, with the same positions and noise, must update θ exactly as one such chain does.
	single, theta1 := s.contourPath(j, u, 0)
	const many = 7
	crowd, theta7 := s.contourPath(j, u, make([]int, many)...)
	for p := range many {
		var path []float32
		for step := range runSteps {
			at := (step*many + p) * runDim
			path = append(path, crowd[at:at+runDim]...)
		}
		j.SameBits(fmt.Sprintf("chain %d of equal chains is one alone", p+1), path, single)
	}
	j.SameBits64("θ of equal chains", theta7, theta1)

	// The order of the chains does not matter.
	order := []int{3, 0, 4, 2, 1}
	permuted, theta5 := s.contourPath(j, u, order...)
	var back []float32
	for step := range runSteps {
		for role := range all {
			at := (step*len(order) + slices.Index(order, role)) * runDim
			back = append(back, permuted[at:at+runDim]...)
		}
	}
	j.SameBits("paths of permuted chains", back, live)
	j.SameBits64("θ of permuted chains", theta5, theta)
}

// contourPath returns the path of chains with the given roles (see Sampler.run) and the final θ, nil if there is none.
func (s Sampler) contourPath(j *judge, u setup, roles ...int) (path []float32, theta []float64) {
	g := s.run(j, u, j.noise, roles...)
	path = g.walk(runSteps)
	if h, ok := g.sampler.(posterior.Histogrammer); ok {
		theta, _ = h.Histogram()
	}
	return path, theta
}
