package compare

import (
	"math"
	"slices"

	"banditsim/internal/lists"
	"banditsim/internal/nearest"
	"banditsim/results/stats"
)

// The score of a trial is 1 − regret/(uniform regret): 1 without regret, 0 for the uniform policy. It is defined in
// environments with a known, positive uniform regret.

// score sets Unscored, and Scores, InterquartileMean and OptimalityGap of Policies.
func (a *Across) score() {
	for e, env := range a.Environments {
		uniform, _ := env.Conditions.UniformRegret()
		if !(uniform > 0) { // also if it is NaN
			a.Unscored = append(a.Unscored, env.Label)
			continue
		}
		for i := range a.Policies {
			p := &a.Policies[i]
			p.Scores = append(p.Scores, lists.Each(p.BySeed[e], func(regret float64) float64 { return 1 - regret/uniform }))
		}
	}
	for i := range a.Policies {
		p := &a.Policies[i]
		p.InterquartileMean, p.OptimalityGap = stats.InterquartileMean(p.Scores), stats.OptimalityGap(p.Scores)
	}
}

// improve sets Improvement of Policies relative to the baseline, or to the first policy if baseline is "".
func (a *Across) improve(baseline string) error {
	labels := lists.Each(a.Policies, func(p AcrossPolicy) string { return p.Policy })
	k := max(0, slices.Index(labels, baseline))
	if baseline != "" && labels[k] != baseline {
		return nearest.Unknown("no policy compared that finished a trial in every environment is named", baseline, labels)
	}
	a.Baseline = labels[k]
	for i := range a.Policies { // the probability that the baseline has the higher regret
		a.Policies[i].Improvement = stats.ProbabilityOfImprovement(a.Policies[k].BySeed, a.Policies[i].BySeed)
	}
	a.Policies[k].Improvement = stats.Estimate{Mean: .5, StdErr: math.NaN(), Low: math.NaN(), High: math.NaN()} // by definition
	return nil
}

// higher returns the probability that a value of x is above a value of y, where ties count half. It is the Mann–Whitney
// statistic U, computed from the ranks of x, divided by the number of pairs.
func higher(x, y []float64) float64 {
	n, sum := float64(len(x)), 0.0
	for _, rank := range stats.Ranks(slices.Concat(x, y))[:len(x)] {
		sum += rank
	}
	return (sum - n*(n+1)/2) / (n * float64(len(y)))
}

// Profiles returns evenly spaced thresholds, and the share of each policy's scores above each (stats.PerformanceProfile).
// Thresholds go from the next tenth below the lowest score, but at least 0, to 1. Some environment must have scores.
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
