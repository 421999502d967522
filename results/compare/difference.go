package compare

import (
	"cmp"
	"math"
	"slices"

	"banditsim/internal/lists"
	"banditsim/internal/words"
	"banditsim/results/stats"
)

// A Difference is a policy's regret minus the baseline's on their common seeds, positive if the baseline is better.
type Difference struct {
	Policy string
	Other  string         // label of the baseline
	Seeds  []uint64       // seeds that both finished
	Values []float64      // the difference for each seed
	Mean   stats.Estimate // mean of Values, with an interval by the comparison's method
	// P is the two-sided p-value of the paired t-test, and Holm is P corrected for the number of tests. Both are NaN for
	// fewer than MinSeeds pairs, as P could then be low by chance: of two pairs it is 0 if their differences are equal.
	P, Holm float64
	// SignFlip is the p-value of the sign-flip test, and SignFlipHolm is SignFlip corrected for the number of sign-flip
	// tests. Both are NaN for fewer than MinSeeds pairs. The smallest p of n pairs is 2^(1−n). See stats.SignFlip.
	SignFlip, SignFlipHolm float64
	// SeedsNeeded is stats.Estimate.SeedsNeeded for Mean, but at least MinSeeds; 0 if it is unknown or too large.
	SeedsNeeded int
}

// Significant reports whether the corrected p-value of the t-test is below stats.Significance; false without a test.
// The sign-flip test does not decide, although it does not assume normal differences. It is too coarse for the few
// seeds that long trials allow: with 6 seeds and 5 comparisons its smallest corrected p-value is 5·2/2⁶ = .16. If it
// has enough seeds and only the t-test is significant, the comparison has a Warning.
func (d Difference) Significant() bool { return d.Holm < stats.Significance }

// isPoint reports whether the interval is a point: there are at least two values, which are equal up to rounding.
func (d Difference) isPoint() bool { return d.Mean.N > 1 && words.IsPoint(d.Mean.Mean, d.Mean.StdErr) }

// minus returns the difference r − base by seed, with a t-interval, the uncorrected p-value and SeedsNeeded.
func (r regretBySeed) minus(base regretBySeed) Difference {
	d := Difference{Policy: r.label, Other: base.label, Seeds: []uint64{}, Values: []float64{}}
	for _, seed := range r.seeds {
		if b, ok := base.total[seed]; ok {
			d.Seeds = append(d.Seeds, seed)
			d.Values = append(d.Values, r.total[seed]-b)
		}
	}
	d.Mean = stats.NewEstimate(d.Values)
	d.P = math.NaN()
	if d.Mean.N >= MinSeeds {
		d.P = d.Mean.PValue()
	}
	if d.SeedsNeeded = d.Mean.SeedsNeeded(); d.SeedsNeeded > 0 {
		d.SeedsNeeded = max(d.SeedsNeeded, MinSeeds)
	}
	return d
}

// correct sets the p-values of the sign-flip tests and all corrected p-values of a family of differences. It returns
// the numbers of differences with a test and with an interval.
func correct(family []Difference) (tests, intervals int) {
	p, flip := make([]float64, len(family)), make([]float64, len(family))
	for i, d := range family {
		if p[i], flip[i] = d.P, math.NaN(); d.Mean.N >= MinSeeds {
			flip[i] = stats.SignFlip(d.Values)
			tests++
		}
		if d.Mean.N > 1 {
			intervals++
		}
	}
	holm, flipHolm := stats.Holm(p), stats.Holm(flip)
	for i := range family {
		d := &family[i]
		d.Holm, d.SignFlip, d.SignFlipHolm = holm[i], flip[i], flipHolm[i]
	}
	return tests, intervals
}

// A Rank is a policy's rank, averaged over the seeds. The lowest regret has rank 1; ties share the mean of their ranks.
type Rank struct {
	Policy string  `json:"policy"`
	Mean   float64 `json:"mean_rank"`
	Best   int     `json:"best"` // number of seeds on which no other policy had a lower regret
	// ProbabilityBest is the share of resamples of CommonSeeds in which the policy has the lowest mean regret; see
	// stats.ProbabilityBest. It is NaN for fewer than MinSeeds common seeds.
	ProbabilityBest words.Float `json:"probability_best"`
}

// commonSeeds returns the seeds that all policies finished; never nil.
func commonSeeds(policies []regretBySeed) []uint64 {
	return slices.DeleteFunc(append([]uint64{}, policies[0].seeds...), func(seed uint64) bool {
		return slices.ContainsFunc(policies, func(p regretBySeed) bool { _, ok := p.total[seed]; return !ok })
	})
}

// rank sets CommonSeeds and Ranks.
func (c *Comparison) rank() {
	var regret, ranks [][]float64 // by seed and policy
	c.CommonSeeds = commonSeeds(c.policies)
	for _, seed := range c.CommonSeeds {
		totals := lists.Each(c.policies, func(p regretBySeed) float64 { return p.total[seed] })
		regret, ranks = append(regret, totals), append(ranks, stats.Ranks(totals))
	}
	if len(regret) == 0 {
		return
	}
	probability := slices.Repeat([]float64{math.NaN()}, len(c.policies))
	if len(regret) >= MinSeeds {
		probability = stats.ProbabilityBest(regret)
	}
	for k, p := range c.policies {
		r := Rank{Policy: p.label, ProbabilityBest: words.Float(probability[k])}
		for i, totals := range regret {
			r.Mean += ranks[i][k]
			if totals[k] == slices.Min(totals) {
				r.Best++
			}
		}
		r.Mean /= float64(len(regret))
		c.Ranks = append(c.Ranks, r)
	}
	slices.SortStableFunc(c.Ranks, func(a, b Rank) int { return cmp.Compare(a.Mean, b.Mean) })
}
