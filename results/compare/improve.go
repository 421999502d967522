package compare

import (
	"math"
	"slices"

	"banditsim/internal/lists"
	"banditsim/internal/nearest"
	"banditsim/internal/words"
	"banditsim/results/stats"
)

// A score of a trial is 1 − regret/(regret of acting uniformly): 1 is no regret, 0 is acting uniformly. It is known in
// the environments whose uniform regret is known and above zero.

// score sets the aggregates over the environments of Policies, which must be in the order of labels, and Unscored.
func (a *Across) score(labels []string, by []map[string]regretBySeed) {
	for e, env := range a.Environments {
		whole, _ := env.Conditions.UniformRegret()
		if !(whole > 0) { // NaN too
			a.Unscored = append(a.Unscored, env.Label)
		}
		for i, label := range labels {
			p := &a.Policies[i]
			regret, scores := make([]float64, len(env.Seeds)), make([]float64, len(env.Seeds))
			for k, seed := range env.Seeds {
				regret[k] = by[e][label].total[seed]
				scores[k] = 1 - regret[k]/whole
			}
			p.BySeed = append(p.BySeed, regret)
			if whole > 0 {
				p.Scores = append(p.Scores, scores)
			}
		}
	}
	for i := range a.Policies {
		p := &a.Policies[i]
		p.InterquartileMean, p.OptimalityGap = stats.InterquartileMean(p.Scores), stats.OptimalityGap(p.Scores)
	}
}

// improve compares all policies with the baseline, or with the first if baseline is "".
func (a *Across) improve(baseline string) error {
	labels := lists.Each(a.Policies, func(p AcrossPolicy) string { return p.Policy })
	k := 0
	if baseline != "" {
		if k = slices.Index(labels, baseline); k < 0 {
			return nearest.Unknown("no baseline that finished a trial in every environment is named", baseline, labels)
		}
	}
	a.Baseline = labels[k]
	for i := range a.Policies { // regret is better the lower it is: the baseline's is above the policy's
		a.Policies[i].Improvement = stats.ProbabilityOfImprovement(a.Policies[k].BySeed, a.Policies[i].BySeed)
	}
	a.Policies[k].Improvement = stats.Estimate{Mean: .5, StdErr: math.NaN(), Low: math.NaN(), High: math.NaN()} // by definition
	for i := range a.Pairs {
		p := &a.Pairs[i]
		one, other := a.Policies[slices.Index(labels, p.Policy)], a.Policies[slices.Index(labels, p.Other)]
		for e, mine := range one.BySeed {
			p.Improvement += words.Float(higher(other.BySeed[e], mine) / float64(len(one.BySeed)))
		}
	}
	return nil
}

// higher returns the probability that a value of x is above one of y, where equal ones count half: the statistic of
// Mann and Whitney, by the sum of the ranks of x, divided by the number of pairs.
func higher(x, y []float64) float64 {
	n, sum := float64(len(x)), 0.0
	for _, rank := range stats.Ranks(slices.Concat(x, y))[:len(x)] {
		sum += rank
	}
	return (sum - n*(n+1)/2) / (n * float64(len(y)))
}

// Profiles returns thresholds up to 1, from 0 or the tenth below the lowest score, and the share of the scores of each of
// Policies above each threshold (stats.PerformanceProfile). At least one environment must have scores.
func (a *Across) Profiles() (thresholds []float64, above [][]stats.Estimate) {
	const steps = 50
	lowest := 1.
	for _, p := range a.Policies {
		lowest = min(lowest, slices.Min(slices.Concat(p.Scores...)))
	}
	lowest = max(math.Floor(10*lowest-1e-9)/10, 0)
	for i := range steps + 1 {
		thresholds = append(thresholds, lowest+(1-lowest)*float64(i)/steps)
	}
	return thresholds, lists.Each(a.Policies, func(p AcrossPolicy) []stats.Estimate { return stats.PerformanceProfile(p.Scores, thresholds) })
}
