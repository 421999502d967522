package estimate

// SwitchDR is doubly robust up to a weight τ and the direct method above (Wang, Agarwal and Dudík, ICML 2017): the mean of
// V + w(r − q)·1{w ≤ τ}, with τ by the rule of choose.
func SwitchDR() Estimator {
	return Estimator{
		Name: "switch", Title: "Switch-DR", Doc: "doubly robust where w ≤ τ, else the model (Wang et al. 2017)", Model: true, Biased: true,
		Of: func(s *Sample) Estimate {
			return choose(s, true, clips(s), func(w, clip float64) float64 {
				if w > clip {
					return 0
				}
				return w
			})
		},
	}
}
