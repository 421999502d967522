package policy

import (
	"banditsim/bandit"
	"banditsim/internal/check"
)

// BetaTSOptions are the options of BetaTS.
type BetaTSOptions struct {
	PriorA float64      `json:"prior_a"` // successes before any reward, above 0
	PriorB float64      `json:"prior_b"` // failures before any reward, above 0
	Range  RangeOptions `json:"range"`
	Exploring
}

// BetaTSKind declares BetaTS.
//
// BetaTS draws the mean of each arm from Beta(prior_a + sₐ, prior_b + nₐ − sₐ), where sₐ is the sum of the arm's nₐ
// rewards, scaled to [0, 1] by the range, and pulls the arm with the highest draw (Thompson, Biometrika 25, 1933;
// Agrawal and Goyal, COLT 2012, algorithm 1). A reward between 0 and 1 counts as a fraction of a success. In algorithm
// 2 of Agrawal and Goyal such a reward is instead the probability with which a success is drawn.
func BetaTSKind() Kind[BetaTSOptions] {
	return Kind[BetaTSOptions]{
		Name: "BetaTS", Doc: "Thompson sampling of Bernoulli means, without context (Thompson 1933; Agrawal and Goyal 2012)",
		Defaults: func() BetaTSOptions { return BetaTSOptions{PriorA: 1, PriorB: 1, Range: seenRange()} },
		New: func(o BetaTSOptions, s Setup) (bandit.Policy, error) {
			draws := s.Stream.Child("draw")
			return newTally(o.Range, s, draws, func(index []float64, c *tally) {
				for arm, m := range c.rewards {
					successes := float64(c.scaled(arm) * m.N)
					x, y := draws.Gamma(o.PriorA+successes), draws.Gamma(o.PriorB+(m.N-successes))
					index[arm] = x / (x + y)
				}
			}, check.Positive("prior_a", o.PriorA), check.Positive("prior_b", o.PriorB))
		},
	}
}
