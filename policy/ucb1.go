package policy

import (
	"math"

	"banditsim/bandit"
	"banditsim/internal/check"
	"banditsim/internal/kernel"
)

// UCB1Options are the options of UCB1.
type UCB1Options struct {
	Width float64      `json:"width"` // factor of the bound's width; 1 as in Auer et al. 2002, a smaller one explores less
	Range RangeOptions `json:"range"`
	// Tuned is UCB1-Tuned: the bound takes the variances of the rewards into account.
	Tuned bool `json:"tuned,omitzero"`
	Exploring
}

// UCB1Kind declares UCB1.
//
// UCB1 pulls the arm a with the highest bound
//
//	x̄ₐ + width·√(2 ln t/nₐ),
//
// where x̄ₐ is the mean of the arm's nₐ rewards, scaled to [0, 1] by the range, and t the number of all pulls (Auer,
// Cesa-Bianchi and Fischer, Machine Learning 47, 2002, figure 1). Arms without pulls come first. If tuned (section 4),
// the bound is, with sₐ² the variance of the arm's scaled rewards,
//
//	x̄ₐ + width·√(ln t/nₐ · min(1/4, Vₐ)),  Vₐ = sₐ² + √(2 ln t/nₐ)
func UCB1Kind() Kind[UCB1Options] {
	return Kind[UCB1Options]{
		Name: "UCB1", Doc: "upper confidence bounds of the arms' means, without context (Auer et al. 2002)",
		Defaults: func() UCB1Options { return UCB1Options{Width: 1, Range: seenRange()} },
		New: func(o UCB1Options, s Setup) (bandit.Policy, error) {
			return newTally(o.Range, s, nil, func(index []float64, c *tally) {
				log := kernel.Log(float64(c.total))
				for arm, m := range c.rewards {
					ratio := 2 * log / m.N
					if o.Tuned {
						ratio = log / m.N
						ratio *= min(0.25, c.variance(arm)+math.Sqrt(2*ratio))
					}
					index[arm] = c.scaled(arm) + float64(o.Width*math.Sqrt(ratio))
				}
			}, check.NotNegative("width", o.Width))
		},
	}
}
