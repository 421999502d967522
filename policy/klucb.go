package policy

import (
	"banditsim/bandit"
	"banditsim/internal/check"
	"banditsim/internal/kernel"
)

// KLUCBOptions are the options of KLUCB.
type KLUCBOptions struct {
	C     float64      `json:"c"` // factor of ln ln t in the bound; Garivier and Cappé 2011 prove their bound on regret for 3 and advise 0
	Range RangeOptions `json:"range"`
	Exploring
}

// KLUCBKind declares KLUCB.
//
// KLUCB pulls the arm a with the highest bound
//
//	max{q ∈ [x̄ₐ, 1] : nₐ·kl(x̄ₐ, q) ≤ ln t + c·ln ln t},
//	kl(p, q) = p ln(p/q) + (1−p) ln((1−p)/(1−q)),
//
// where x̄ₐ is the mean of the arm's nₐ rewards, scaled to [0, 1] by the range, and t the number of all pulls (Garivier
// and Cappé, COLT 2011, algorithm 1). The bound holds for all rewards in [0, 1], not only for Bernoulli arms. Arms
// without pulls come first.
func KLUCBKind() Kind[KLUCBOptions] {
	return Kind[KLUCBOptions]{
		Name: "KLUCB", Doc: "upper confidence bounds by the Kullback-Leibler divergence of Bernoulli rewards, without context (Garivier and Cappé 2011)",
		Defaults: func() KLUCBOptions { return KLUCBOptions{C: 0, Range: seenRange()} },
		New: func(o KLUCBOptions, s Setup) (bandit.Policy, error) {
			return newTally(o.Range, s, nil, func(index []float64, c *tally) {
				budget := kernel.Log(float64(c.total))
				if budget > 1 { // else ln ln t would be negative
					budget += float64(o.C * kernel.Log(budget))
				}
				for arm, m := range c.rewards {
					index[arm] = klBound(c.scaled(arm), budget/m.N)
				}
			}, check.NotNegative("c", o.C))
		},
	}
}

// klBound returns the largest q in [p, 1] with kl(p, q) ≤ d.
func klBound(p, d float64) float64 {
	return bisect(p, 1, func(q float64) bool { return kl(p, q) <= d })
}

// bisect returns, to the last bit, the largest x from low to high for which holds(x) is true; above x it must be false.
func bisect(low, high float64, holds func(x float64) bool) float64 {
	for {
		x := low + (high-low)/2
		if x <= low || x >= high {
			return low
		}
		if holds(x) {
			low = x
		} else {
			high = x
		}
	}
}

// kl returns the Kullback-Leibler divergence of Bernoulli(p) from Bernoulli(q), for q in (0, 1).
func kl(p, q float64) float64 {
	d := 0.0
	if p > 0 {
		d += float64(p * kernel.Log(p/q))
	}
	if p < 1 {
		d += float64((1 - p) * kernel.Log((1-p)/(1-q)))
	}
	return max(0, d)
}
