package claims

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"banditsim/internal/verify"
	"banditsim/internal/worked"
)

// smallestNormal is the smallest float64 that is not denormal.
const smallestNormal = 0x1p-1022

// checkTheta does 10⁶ updates over bins that are all visited: θ still sums to 1 and is positive
// everywhere. Then one bin after the other gets all visits: the rest shrinks to where its
// logarithms are still finite, and grows again.
func checkTheta(j *judge, s Sampler) {
	chains := max(1, s.Claims.Chains)
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
				g.energies[p] = 65 * u * u // low bins more often, now and then none
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
		for range 60_000 { // the others shrink by 3 % a step, to 1e-300 in 23,000
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

// distribution judges whether θ is a distribution without denormal numbers.
func (j *judge) distribution(name string, theta []float64) {
	smallest := slices.Min(theta) // NaN if one is
	j.Near("Σθ, "+name, floats.Sum(theta), 1, 1e-12)
	j.Promise("θ > 0, "+name, smallest >= smallestNormal, "the smallest is %g", smallest)
}
