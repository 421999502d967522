package claims

import (
	"math"
	"strings"

	"gonum.org/v1/gonum/floats"

	"banditsim/internal/worked"
	"banditsim/posterior"
)

// checkHostile gives one chain energies that are NaN, infinite or huge.
func checkHostile(j *judge, s Sampler) {
	// Every chain has a gradient of 1 and an energy of 0.5, except for the last one where the
	// second step begins.
	play := func(energy float64) (g *run, before []float32) {
		g = s.run(j, s.lively(j), own(j))
		last := len(g.chains) - 1
		for p := range g.chains {
			step := 0
			g.chains[p].Target = posterior.TargetFunc(runDim, func(grad, x []float32) float64 {
				for i := range grad {
					grad[i] = 1
				}
				if step++; step == 2+s.Claims.Extra && p == last {
					return energy
				}
				return 0.5
			})
		}
		before = g.walk(1)
		return g, before
	}

	g, before := play(math.NaN())
	err := g.sampler.Step(g.chains)
	j.Promise("an energy that is not a number is an error", err != nil, "Step returns none")
	if err != nil {
		says := strings.Contains(err.Error(), "not a number") || strings.Contains(err.Error(), "NaN")
		j.Promise("the error says so", says, "it reads %q: want 'not a number' or NaN in it", err)
	}
	var after []float32
	for _, c := range g.chains {
		after = append(after, c.X...)
	}
	j.SameBits("no chain has moved", after, before)

	for _, energy := range []float64{math.Inf(1), math.Inf(-1), math.MaxFloat64} {
		g, _ := play(energy)
		bad := 0
		for range 2 {
			if err = g.sampler.Step(g.chains); err != nil {
				break
			}
			for _, c := range g.chains {
				for _, x := range c.X {
					if f := float64(x); math.IsNaN(f) || math.Abs(f) > 1e3 {
						bad++
					}
				}
			}
		}
		if err != nil {
			j.Promise("an infinite energy does no harm", true, "")
			continue // an error is as good
		}
		j.Promise("an infinite energy does no harm", bad == 0, "after an energy of %g %d coordinates are beyond 1,000 or not a number", energy, bad)
		if s.Claims.Contour {
			theta, _ := worked.Histogram(g.sampler)
			j.Near("Σθ after an infinite energy", floats.Sum(theta), 1, 1e-12)
		}
	}
}
