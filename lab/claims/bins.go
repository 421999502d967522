package claims

import (
	"fmt"
	"math"
	"slices"

	"banditsim/internal/verify"
	"banditsim/internal/worked"
	"banditsim/posterior"
	"banditsim/posterior/sgmcmc"
)

// energyScript is a sampler with a contour whose chains get given energies, without gradient and
// noise.
type energyScript struct {
	*run
	energies []float64 // energies of the next step, by chain
}

func (s Sampler) scriptEnergies(j *judge, chains int, o sgmcmc.ContourOptions, temperature float64, theta []float64) *energyScript {
	g := &energyScript{energies: make([]float64, chains)}
	u := s.setup(0.1, temperature, chains, 1)
	u.Contour, u.Theta, u.Stream = o, theta, j.Rand("other")
	u.Noise = slices.Repeat([]posterior.Normals{zeros{}}, chains)
	g.run = s.start(u, func(p int) posterior.Target {
		return posterior.TargetFunc(1, func(grad, _ []float32) float64 {
			grad[0] = 0
			return g.energies[p]
		})
	}, func(int) []float32 { return []float32{0} })
	return g
}

// step sets the energies of the chains, does a step and returns θ and the bins.
func (g *energyScript) step(energies ...float64) (theta []float64, bins []int) {
	copy(g.energies, energies)
	verify.Must(g.sampler.Step(g.chains))
	return worked.Histogram(g.sampler)
}

// contour returns the options of a contour with a number of bins.
func contour(bins int, start, width float64, overflow string) sgmcmc.ContourOptions {
	o := sgmcmc.DefaultContour()
	o.Kind, o.Bins, o.Start, o.Width, o.Overflow = "paper", bins, start, width, overflow
	o.Zeta, o.Omega, o.ThetaWarmup = 2, 0.1, 0
	return o
}

// checkBins: bin i holds u_{i−1} < Û ≤ u_i with u_i = u₀ + iΔu, and bin 1 all below; above u_m
// there is no bin under 'skip' and bin m under 'lastbin'.
func checkBins(j *judge, s Sampler) {
	above := func(u float64) float64 { return math.Nextafter(u, math.Inf(1)) }
	type energy struct {
		u             float64
		skip, lastbin int
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
			var list []energy
			for _, e := range c.energies {
				if overflow == "lastbin" {
					e.skip = e.lastbin
				}
				list = append(list, e)
			}
			g := s.scriptEnergies(j, max(1, s.Claims.Chains), contour(5, c.start, c.width, overflow), 1, nil)
			j.Together(fmt.Sprintf("%s, %s", c.name, overflow), func() {
				for _, e := range list {
					j.inBin(g, e.u, e.skip)
				}
			})
		}
	}
	// For any u₀ and Δu, u_i as float64 falls in bin i and the next number in bin i+1, though
	// (u_i − u₀)/Δu may be rounded.
	j.Together("edges between bins", func() {
		for _, c := range []struct{ start, width float64 }{
			{0, 10}, {0.1, 0.1}, {1.15, 1}, {-5, 0.125}, {0.3, 0.7}, {-1e3, 1. / 3}, {1e6, 0.01},
		} {
			const m = 100
			g := s.scriptEnergies(j, max(1, s.Claims.Chains), contour(m, c.start, c.width, "skip"), 1, nil)
			for i := 1; i <= m; i++ {
				edge := c.start + float64(float64(i)*c.width)
				j.inBin(g, edge, i)
				j.inBin(g, above(edge), (i+1)%(m+1))
			}
		}
	})
}

// inBin judges the bin of an energy.
func (j *judge) inBin(g *energyScript, energy float64, want int) {
	_, bins := g.step(energy)
	j.Promise(fmt.Sprintf("energy %.17g", energy), bins[0] == want, "in bin %d, want %d", bins[0], want)
}
