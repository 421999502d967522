package claims

import (
	"math"
	"strings"

	"banditsim/posterior"
)

// checkHostile gives one chain energies that are NaN, infinite or huge.
func checkHostile(j *judge, s Sampler) error {
	// Every chain has a gradient of 1 and an energy of 0.5, except for the last one in the second
	// step.
	play := func(energy float64) (g *run, before []float32, err error) {
		if g, err = s.run(j, s.lively(j), own(j)); err != nil {
			return nil, nil, err
		}
		last := len(g.chains) - 1
		for p := range g.chains {
			step := 0
			g.chains[p].Target = posterior.TargetFunc(runDim, func(grad, x []float32) float64 {
				for i := range grad {
					grad[i] = 1
				}
				if step++; step == 2 && p == last {
					return energy
				}
				return 0.5
			})

		}
		if before, err = g.walk(1); err != nil {
			return nil, nil, err
		}
		return g, before, nil
	}

	g, before, err := play(math.NaN())
	if err != nil {
		return err
	}
	err = g.sampler.Step(g.chains)
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
		g, _, err := play(energy)
		if err != nil {
			return err
		}
		path, err := g.walk(2)
		if err != nil {
			j.Promise("an infinite energy does no harm", true, "")
			continue // an error is as good
		}
		bad := 0
		for _, x := range path {
			if f := float64(x); math.IsNaN(f) || math.Abs(f) > 1e3 {
				bad++
			}
		}
		j.Promise("an infinite energy does no harm", bad == 0, "after an energy of %g %d coordinates are beyond 1,000 or not a number", energy, bad)
		if s.Claims.Contour {
			theta, _, err := histogram(g.sampler)
			if err != nil {
				return err
			}
			sum := 0.0
			for _, t := range theta {
				sum += t
			}
			j.Near("Σθ after an infinite energy", sum, 1, 1e-12)
		}
	}
	return nil
}
