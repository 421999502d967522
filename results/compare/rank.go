package compare

import (
	"cmp"
	"math"
	"slices"

	"banditsim/internal/words"
	"banditsim/results/stats"
)

// A Rank is the place of a policy among all, in the mean over the seeds: 1 is the lowest regret, and
// equal policies share the mean of their places.
type Rank struct {
	Policy string  `json:"policy"`
	Mean   float64 `json:"mean_rank"`
	Best   int     `json:"best"` // seeds in which no other was lower
	// ProbabilityBest is the share of resamples of the common seeds in which the policy has the lowest
	// mean regret; see stats.ProbabilityBest. NaN for fewer than MinSeeds common seeds.
	ProbabilityBest words.Float `json:"probability_best"`
}

// rank sets Ranks and CommonSeeds.
func (c *Comparison) rank(policies []regretBySeed) {
	for _, seed := range policies[0].seeds {
		if !slices.ContainsFunc(policies, func(p regretBySeed) bool { _, ok := p.total[seed]; return !ok }) {
			c.CommonSeeds = append(c.CommonSeeds, seed)
		}
	}
	if len(c.CommonSeeds) == 0 {
		return
	}
	regret := make([][]float64, len(c.CommonSeeds)) // by seed and policy
	for i, seed := range c.CommonSeeds {
		for _, p := range policies {
			regret[i] = append(regret[i], p.total[seed])
		}
	}
	probability := slices.Repeat([]float64{math.NaN()}, len(policies))
	if len(regret) >= MinSeeds {
		probability = stats.ProbabilityBest(regret)
	}
	for k, p := range policies {
		r := Rank{Policy: p.label, ProbabilityBest: words.Float(probability[k])}
		for _, of := range regret {
			lower, equal := 0, 0 // equal counts p itself
			for _, v := range of {
				switch {
				case v < of[k]:
					lower++
				case v == of[k]:
					equal++
				}
			}
			r.Mean += float64(lower) + float64(equal+1)/2
			if lower == 0 {
				r.Best++
			}
		}
		r.Mean /= float64(len(regret))
		c.Ranks = append(c.Ranks, r)
	}
	slices.SortStableFunc(c.Ranks, func(a, b Rank) int { return cmp.Compare(a.Mean, b.Mean) })
}
