package logged

import (
	"math"
	"slices"
)

// directMethod is the mean over contexts of the reward that the model predicts of the policy. It has the least variance of
// all and the whole bias of the model, of which its interval knows nothing.
func directMethod(s *sample) estimate { return mean(slices.Clone(s.value)) }

// doublyRobust corrects the model by the weighted residuals (Dudík, Langford and Li, ICML 2011): the mean of V + w(r − q).
// It is unbiased if the propensities are right or the model is.
func doublyRobust(s *sample) estimate {
	return mean(corrected(s, true, func(w float64) float64 { return w }))
}

// corrected returns the terms V + change(w)·(r − q), with q = V = 0 without a model.
func corrected(s *sample, model bool, change func(w float64) float64) []float64 {
	terms := make([]float64, len(s.reward))
	for i, w := range s.weight {
		terms[i] = s.valueOf(i, model) + float64(change(w)*s.residual(i, model))
	}
	return terms
}

// selfNormalizedDR is doublyRobust with weights that sum to n: mean(V) + Σw(r − q)/Σw (Thomas and Brunskill, ICML 2016,
// call it weighted doubly robust). It is NaN if all weights are 0.
func selfNormalizedDR(s *sample) estimate { return selfNormalized(s, true) }

// switchDR is doubly robust up to a weight τ and the direct method above (Wang, Agarwal and Dudík, ICML 2017): the mean of
// V + w(r − q)·1{w ≤ τ}, with τ by the rule of choose.
func switchDR(s *sample) estimate {
	return choose(s, true, clips(s), func(w, clip float64) float64 {
		if w > clip {
			return 0
		}
		return w
	})
}

// shrinkage is the doubly robust estimator with optimistic shrinkage (Su, Dimakopoulou, Krishnamurthy and Dudík, ICML
// 2020, equation 7): the mean of V + ŵ(r − q) with ŵ = λw/(w² + λ), which is w for λ → ∞ and 0 for λ → 0. λ is chosen
// by the rule of choose among the squares of the clips.
func shrinkage(s *sample) estimate {
	grid := clips(s)
	for i, c := range grid {
		grid[i] = c * c
	}
	return choose(s, true, grid, func(w, lambda float64) float64 {
		if math.IsInf(lambda, 1) {
			return w
		}
		return lambda * w / (float64(w*w) + lambda)
	})
}

// clippedDR is the doubly robust estimator with weights of at most τ (Su et al. 2020, 'pessimistic shrinkage').
func clippedDR(s *sample) estimate { return choose(s, true, clips(s), clip) }
