package claims

import (
	"fmt"

	"banditsim/internal/verify"
)

// noteMixing runs four chains of the sampler on a unit Gaussian, from distant starts, and notes
// the usual diagnostics of convergence. They do not detect a wrong density.
func noteMixing(j *judge, s Sampler) {
	const chains, steps = 4, 2000
	eps := 4 * s.Claims.FineRate
	var draws [][]float64
	for p := range chains {
		x0 := []float64{-3, 3, -1, 1}[p]
		r := j.Rand("run", p)
		c := s.ensemble(1, 1, s.setup(eps, 1, 0, 1), r, gaussian(1, 0), func(x []float32) { x[0] = float32(x0) })
		var path []float64
		for step := range steps {
			c.step(1)
			if step < steps/10 {
				continue
			}
			first := true
			c.each(func(_ int, x []float32) {
				if first {
					path = append(path, float64(x[0]))
					first = false
				}
			})
		}
		draws = append(draws, path)
	}
	n := float64(chains * len(draws[0]))
	ess := effectiveSampleSize(draws)
	j.Note("effective sample size", verify.Estimate{Value: ess}, fmt.Sprintf("bulk, rank-normalized; of %.0f draws on a unit Gaussian with ε = %g", n, eps))
	j.Note("split-R̂", verify.Estimate{Value: splitRHat(draws)}, "rank-normalized, the larger of plain and folded")
}
