package estimate

// SelfNormalizedDR is the doubly robust estimator with weights that sum to n: mean(V) + Σw(r − q)/Σw (Thomas and
// Brunskill, ICML 2016, call it weighted doubly robust). It is NaN if all weights are 0.
func SelfNormalizedDR() Estimator {
	return Estimator{
		Name: "sndr", Title: "SNDR", Doc: "self-normalized DR: mean of V + Σw(r − q)/Σw (Thomas and Brunskill 2016)", Model: true,
		Of: func(s *Sample) Estimate { return selfNormalized(s, true) },
	}
}
