package estimate

// IPS is inverse propensity scoring (Horvitz and Thompson 1952): the mean of w·r. It is unbiased if the propensities are
// right and positive wherever the policy acts.
func IPS() Estimator {
	return Estimator{
		Name: "ips", Title: "IPS", Doc: "inverse propensity scoring: mean of w·r (Horvitz and Thompson 1952)",
		Of: func(s *Sample) Estimate {
			terms := make([]float64, len(s.Reward))
			for i, r := range s.Reward {
				terms[i] = s.Weight[i] * r
			}
			return mean(terms)
		},
	}
}
