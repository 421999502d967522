package logged

import "math"

// ips is inverse propensity scoring (Horvitz and Thompson 1952): the mean of w·r. It is unbiased if the propensities are
// right and positive wherever the policy acts.
func ips(s *sample) estimate {
	terms := make([]float64, len(s.reward))
	for i, r := range s.reward {
		terms[i] = s.weight[i] * r
	}
	return mean(terms)
}

// snips is self-normalized inverse propensity scoring (Swaminathan and Joachims, NeurIPS 2015): Σw·r/Σw. Its bias is of
// order 1/n, and it varies less than ips where rewards are far from 0. It is NaN if all weights are 0.
func snips(s *sample) estimate { return selfNormalized(s, false) }

// selfNormalized returns mean(V) + Σw(r − q)/Σw, with q = V = 0 without a model. Terms are those of the ratio's
// linearization, V + v + w(r − q − v)/w̄ with v the second summand.
func selfNormalized(s *sample, model bool) estimate {
	n := float64(len(s.reward))
	var weights, weighted, values float64
	for i, w := range s.weight {
		weights += w
		weighted += float64(w * s.residual(i, model))
		values += s.valueOf(i, model)
	}
	correction, value := weighted/weights, values/n // NaN if all weights are 0
	terms := make([]float64, len(s.reward))
	for i, w := range s.weight {
		terms[i] = s.valueOf(i, model) + correction + float64(w*(s.residual(i, model)-correction))/(weights/n)
	}
	return estimate{value: value + correction, terms: terms, parameter: math.NaN()}
}

// clippedIPS is ips with weights of at most τ (Ionides 2008; Strehl et al., NeurIPS 2010): the mean of min(w, τ)·r, with τ
// by the rule of choose.
func clippedIPS(s *sample) estimate { return choose(s, false, clips(s), clip) }

func clip(w, clip float64) float64 { return min(w, clip) }
