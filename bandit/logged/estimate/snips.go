package estimate

import "math"

// SNIPS is self-normalized inverse propensity scoring (Swaminathan and Joachims, NeurIPS 2015): Σw·r/Σw. Its bias is of
// order 1/n, and it varies less than IPS where rewards are far from 0. Terms are those of the ratio's linearization,
// v + w(r − v)/w̄. It is NaN if all weights are 0.
func SNIPS() Estimator {
	return Estimator{
		Name: "snips", Title: "SNIPS", Doc: "self-normalized IPS: Σw·r/Σw (Swaminathan and Joachims 2015)",
		Of: func(s *Sample) Estimate { return selfNormalized(s, false) },
	}
}

// selfNormalized returns mean(V) + Σw(r − q)/Σw, with q = V = 0 without a model.
func selfNormalized(s *Sample, model bool) Estimate {
	n := float64(len(s.Reward))
	var weights, weighted, values float64
	for i, w := range s.Weight {
		weights += w
		weighted += float64(w * s.residual(i, model))
		values += s.value(i, model)
	}
	correction, value := weighted/weights, values/n // NaN if all weights are 0
	terms := make([]float64, len(s.Reward))
	for i, w := range s.Weight {
		terms[i] = s.value(i, model) + correction + float64(w*(s.residual(i, model)-correction))/(weights/n)
	}
	return Estimate{Value: value + correction, Terms: terms, Parameter: math.NaN()}
}
