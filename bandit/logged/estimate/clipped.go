package estimate

import "iter"

// ClippedIPS is IPS with weights of at most τ (Ionides 2008; Strehl et al., NeurIPS 2010): the mean of min(w, τ)·r, with τ
// by the rule of choose.
func ClippedIPS() Estimator {
	return Estimator{
		Name: "clip", Title: "clipped IPS", Doc: "IPS with min(w, τ) (Ionides 2008)", Biased: true,
		Of: func(s *Sample) Estimate { return choose(s, false, clips(s), clip) },
	}
}

// ClippedDR is the doubly robust estimator with weights of at most τ (Su et al. 2020, 'pessimistic shrinkage').
func ClippedDR() Estimator {
	return Estimator{
		Name: "clipdr", Title: "clipped DR", Doc: "DR with min(w, τ) (Su et al. 2020)", Model: true, Biased: true,
		Of: func(s *Sample) Estimate { return choose(s, true, clips(s), clip) },
	}
}

func clip(w, clip float64) float64 { return min(w, clip) }

// A ByClip is an estimate at a fixed clip.
type ByClip struct {
	Clip float64
	Estimate
}

// Clipped yields IPS or, where the sample has a model, DR with weights of at most each clip of the grid that ClippedIPS
// chooses from: how much the estimate hangs on large weights.
func Clipped(s *Sample) iter.Seq[ByClip] {
	model := s.Model != nil
	return func(yield func(ByClip) bool) {
		for _, c := range clips(s) {
			e := mean(corrected(s, model, func(w float64) float64 { return clip(w, c) }))
			e.Parameter = c
			if !yield(ByClip{c, e}) {
				return
			}
		}
	}
}
