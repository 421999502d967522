package estimate

// DoublyRobust corrects the model by the weighted residuals (Dudík, Langford and Li, ICML 2011): the mean of V + w(r − q).
// It is unbiased if the propensities are right or the model is.
func DoublyRobust() Estimator {
	return Estimator{
		Name: "dr", Title: "DR", Doc: "doubly robust: mean of V + w(r − q) (Dudík et al. 2011)", Model: true,
		Of: func(s *Sample) Estimate {
			return mean(corrected(s, true, func(w float64) float64 { return w }))
		},
	}
}

// corrected returns the terms V + change(w)·(r − q), with q = V = 0 without a model.
func corrected(s *Sample, model bool, change func(w float64) float64) []float64 {
	terms := make([]float64, len(s.Reward))
	for i, w := range s.Weight {
		terms[i] = s.value(i, model) + float64(change(w)*s.residual(i, model))
	}
	return terms
}
