package claims

import (
	"math"
	"slices"

	"banditsim/internal/verify"
	"banditsim/lab/density"
	"banditsim/posterior"
)

// box bounds a one-dimensional target to [−1, 1].
type box struct{ posterior.Target }

// Inside reports whether x is in the box.
func (box) Inside(x []float32) bool { return math.Abs(float64(x[0])) <= 1 }

// checkBounded moves chains in a box with a flat energy. No chain may leave the box, and some moves must be
// rejected. Positions start with a uniform distribution and must stay uniform, because the moves are symmetric.
func checkBounded(j *judge, s Sampler) {
	u := s.setup(0.2, 1, 0, 1)
	samplers, chains := 1, byGrade(j, 1024, 4096)
	if s.Claims.Chains > 0 {
		samplers = chains
	}
	u.Chains, u.Stream = s.count(chains), j.Rand("other")
	u.Noise = slices.Repeat([]posterior.Normals{density.NewBuffered(j.Rand("noise"))}, u.Chains)
	start := j.Rand("start")
	target := box{flat(1, nil)}
	var mean, square []float64
	rejected, outside := 0, 0
	for range samplers {
		g := s.start(u, func(int) posterior.Target { return target }, func(int) []float32 { return []float32{float32(2*start.Float64() - 1)} })
		weights := slices.Repeat([]float64{1}, u.Chains)
		if w, ok := g.sampler.(posterior.Weigher); ok && s.Claims.Chains > 0 {
			w.Weights(weights)
		}
		const steps = 240
		m, q := make([]float64, u.Chains), make([]float64, u.Chains)
		before := make([]float32, min(u.Chains, 8)) // positions of a few chains before the step, to detect rejections
		for range steps {
			for p := range before {
				before[p] = g.chains[p].X[0]
			}
			verify.Must(g.sampler.Step(g.chains))
			for p := range g.chains {
				x := float64(g.chains[p].X[0])
				if !(math.Abs(x) <= 1) {
					outside++
				}
				if p < len(before) && slices.Contains(before, g.chains[p].X[0]) { // chains may have swapped positions
					rejected++
				}
				m[p] += x / steps
				q[p] += x * x / steps
			}
		}
		for p, w := range weights {
			if w > 0 {
				mean, square = append(mean, m[p]), append(square, q[p])
			}
		}
	}
	j.Promise("no chain leaves the box", outside == 0, "%d positions outside [−1, 1]", outside)
	j.Promise("moves are rejected", rejected > 0, "no chain kept its position: the box had no effect")
	j.Statistic("mean in the box", verify.MeanOf(mean), 0)
	j.Sharp("mean square in the box", verify.MeanOf(square), 1./3)
}
