package estimate

import "math"

// Shrinkage is the doubly robust estimator with optimistic shrinkage (Su, Dimakopoulou, Krishnamurthy and Dudík, ICML
// 2020, equation 7): the mean of V + ŵ(r − q) with ŵ = λw/(w² + λ), which is w for λ → ∞ and 0 for λ → 0. λ is chosen
// by the rule of choose among the squares of the clips.
func Shrinkage() Estimator {
	return Estimator{
		Name: "dros", Title: "DRos", Doc: "doubly robust with optimistic shrinkage, ŵ = λw/(w² + λ) (Su et al. 2020)", Model: true, Biased: true,
		Of: func(s *Sample) Estimate {
			grid := clips(s)
			for i, c := range grid {
				grid[i] = c * c
			}
			return choose(s, true, grid, shrink)
		},
	}
}

// shrink returns λw/(w² + λ).
func shrink(w, lambda float64) float64 {
	if math.IsInf(lambda, 1) {
		return w
	}
	return lambda * w / (float64(w*w) + lambda)
}
