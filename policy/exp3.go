package policy

import "banditsim/bandit"

// Exp3Options are the options of Exp3.
type Exp3Options struct {
	Rate  float64      `json:"rate"`  // factor of the learning rate, at least 0; 1 as in Bubeck and Cesa-Bianchi 2012
	Gamma float64      `json:"gamma"` // share of pulls whose arm is drawn uniformly, 0 to 1
	Range RangeOptions `json:"range"`
}

// Exp3Kind declares Exp3.
//
// Exp3 draws arm a of K in pull t with the probability
//
//	p(a) = (1 − γ)·exp(−ηL̂(a))/Σ exp(−ηL̂(b)) + γ/K,  η = rate·√(ln K/(tK))
//
// where L̂(a) is the sum of (1 − r)/p(a) over the pulls of a, with the reward r scaled to [0, 1] by the range (Auer,
// Cesa-Bianchi, Freund and Schapire, SIAM Journal on Computing 32, 2002, figure 1; with losses and without a horizon,
// Bubeck and Cesa-Bianchi, Foundations and Trends in Machine Learning 5, 2012, theorem 3.1). It assumes nothing about
// the rewards except their range. Exp3 is Exp4 with the arms as experts.
func Exp3Kind() Kind[Exp3Options] {
	return Kind[Exp3Options]{
		Name: "Exp3", Doc: "exponential weights of arms whose rewards may be adversarial, without context (Auer et al. 2002)",
		Defaults: func() Exp3Options { return Exp3Options{Rate: 1, Range: seenRange()} },
		New: func(o Exp3Options, s Setup) (bandit.Policy, error) {
			return newExp4(Exp4Options{Rate: o.Rate, Gamma: o.Gamma, Range: o.Range}, s)
		},
	}
}
